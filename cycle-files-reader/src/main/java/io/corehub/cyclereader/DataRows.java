package io.corehub.cyclereader;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a data file, one after the other. Confined to one caller at a time.
 *
 * <p>Damage is a {@link CycleFormatException} of {@code open} or {@code next}; a value of another
 * type than its column's one of {@code row} and {@code before}.
 */
abstract class DataRows implements Closeable {

  /** The columns of a file are not those it should have. */
  static final class ColumnsException extends IOException {
    private static final long serialVersionUID = 1L;

    ColumnsException(String reason) {
      super(reason);
    }
  }

  private ColumnRoles roles = new ColumnRoles(List.of(), List.of());

  /**
   * Opens a file.
   *
   * @param files the target
   * @param file the file
   * @param schema what its schema file says, if there is one
   * @throws CycleFormatException if it is damaged
   * @throws ColumnsException if its columns are not those of the schema, or lack operation type and
   *     sequence
   */
  static DataRows open(TargetFiles files, TargetFile file, Optional<SchemaDoc> schema)
      throws IOException {
    DataRows rows =
        file.name().endsWith(".parquet")
            ? ParquetDataRows.of(files, file, schema)
            : CsvDataRows.of(files, file, schema);
    try {
      rows.roles = rolesOf(rows.columns(), schema);
      return rows;
    } catch (IOException | RuntimeException e) {
      rows.close();
      throw e;
    }
  }

  private static ColumnRoles rolesOf(List<String> columns, Optional<SchemaDoc> schema)
      throws ColumnsException {
    if (schema.isPresent()) {
      if (!schema.get().names().equals(columns)) {
        throw new ColumnsException(
            "its columns are " + columns + " and those of its schema " + schema.get().names());
      }
      return ColumnRoles.of(schema.get());
    }
    return ColumnRoles.of(columns)
        .orElseThrow(
            () ->
                new ColumnsException(
                    "its columns "
                        + columns
                        + " do not begin with …OPERATION_TYPE and …SORTABLE_SEQUENCE"));
  }

  /** Names of all columns. */
  abstract List<String> columns();

  /** Goes to the next row; false behind the last. */
  abstract boolean next() throws IOException;

  /** The text of one of the first two columns; empty for NULL. */
  abstract Optional<String> metadata(int column);

  /** A value of the row; empty for NULL. */
  abstract Optional<JsonNode> value(int column) throws CycleFormatException;

  final String operation() {
    return metadata(0).orElse("");
  }

  final String sequence() {
    return metadata(1).orElse("");
  }

  /** The table's columns. */
  final ObjectNode row() throws CycleFormatException {
    return object(roles.data());
  }

  /** The old values of the row. */
  final ObjectNode before() throws CycleFormatException {
    return object(roles.old());
  }

  private ObjectNode object(List<ColumnRoles.Place> places) throws CycleFormatException {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (ColumnRoles.Place place : places) {
      object.set(place.name(), value(place.index()).orElseGet(JsonNodeFactory.instance::nullNode));
    }
    return object;
  }
}
