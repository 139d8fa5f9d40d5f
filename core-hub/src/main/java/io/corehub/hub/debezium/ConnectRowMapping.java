package io.corehub.hub.debezium;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.hub.source.RowLimit;
import io.corehub.hub.source.Shown;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * Turns Connect structs of one table and one schema into rows of column batches. Every value is
 * read by the name of its schema. Immutable and thread-safe.
 */
final class ConnectRowMapping {

  private final TableSchema schema;
  private final Cell[] cells;
  private final UnavailableValue unavailable;
  private final RowLimit limit;

  private record Cell(
      Field field, boolean hasDefault, boolean key, ConnectColumns.CellReader reader) {

    /** A default stands for a missing value when written, never for NULL when read. */
    @Nullable Object of(Struct row) {
      return hasDefault ? row.getWithoutDefault(field.name()) : row.get(field);
    }
  }

  private ConnectRowMapping(
      TableSchema schema, Cell[] cells, UnavailableValue unavailable, RowLimit limit) {
    this.limit = limit;
    this.schema = schema;
    this.cells = cells;
    this.unavailable = unavailable;
  }

  /**
   * The mapping of a table.
   *
   * @param table the table
   * @param row schema of its rows
   * @param key schema of its key; null if the table has none
   * @param version version for the table's schema
   * @param unavailable stands for values that were not sent
   * @return the mapping
   * @throws ValueRefusedException if a column's schema is not known
   */
  static ConnectRowMapping of(
      TableId table, Schema row, @Nullable Schema key, int version, UnavailableValue unavailable) {
    return of(table, row, key, version, unavailable, RowLimit.ofHeap());
  }

  /** The same for rows of at most this size. */
  static ConnectRowMapping of(
      TableId table,
      Schema row,
      @Nullable Schema key,
      int version,
      UnavailableValue unavailable,
      RowLimit limit) {
    List<String> keyColumns =
        key == null ? List.of() : key.fields().stream().map(Field::name).toList();
    Set<String> keys = new HashSet<>(keyColumns);
    List<Column> columns = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    for (Field field : row.fields()) {
      ConnectColumns.Mapped mapped =
          ConnectColumns.of(field.schema())
              .orElseThrow(
                  () ->
                      new ValueRefusedException(
                          "Table "
                              + table
                              + ", column '"
                              + field.name()
                              + "': values of "
                              + field.schema().name()
                              + " are not supported. Leave the column out with excludeColumns."));
      columns.add(
          new Column(field.name(), mapped.type(), field.schema().isOptional(), Optional.empty()));
      cells.add(
          new Cell(
              field,
              field.schema().defaultValue() != null,
              keys.contains(field.name()),
              mapped.reader()));
    }
    return new ConnectRowMapping(
        new TableSchema(table, columns, keyColumns, version),
        cells.toArray(Cell[]::new),
        unavailable,
        limit);
  }

  TableSchema schema() {
    return schema;
  }

  /**
   * The same mapping for rows that hold fewer columns, or columns of another instance of the
   * schema.
   *
   * @param shape columns of this mapping by name
   * @return writes rows of that shape
   */
  ConnectRowMapping onto(TableSchema shape) {
    Cell[] chosen = new Cell[shape.columns().size()];
    for (int i = 0; i < chosen.length; i++) {
      String name = shape.columns().get(i).name();
      chosen[i] = cells[schema.indexOf(name).orElseThrow()];
    }
    return new ConnectRowMapping(shape, chosen, unavailable, limit);
  }

  /**
   * Sets the cells of a whole row.
   *
   * @param row the row
   * @param to a builder of this mapping's schema; the caller ends the row
   * @throws ValueRefusedException naming the column and the row's key if a value cannot be carried;
   *     the caller abandons the row
   */
  void write(Struct row, ColumnBatchBuilder to) {
    for (int i = 0; i < cells.length; i++) {
      write(row, to, i);
    }
  }

  /** Sets the key columns of a row and leaves the others NULL. */
  void writeKey(Struct row, ColumnBatchBuilder to) {
    for (int i = 0; i < cells.length; i++) {
      if (cells[i].key) {
        write(row, to, i);
      }
    }
  }

  private void write(Struct row, ColumnBatchBuilder to, int column) {
    Cell cell = cells[column];
    Object value = cell.of(row);
    if (value == null) {
      return;
    }
    if (unavailable.is(value)) {
      to.setUndelivered(column);
      return;
    }
    try {
      cell.reader.read(value, to, column);
      if (limit.isExceededBy(to)) {
        throw new ValueRefusedException(limit.reason(to.rowBytes()));
      }
    } catch (ValueRefusedException e) {
      throw new ValueRefusedException(
          "Table "
              + schema.table()
              + ", column '"
              + cell.field.name()
              + "'"
              + keyText(row)
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private String keyText(Struct row) {
    StringBuilder text = new StringBuilder();
    for (Cell cell : cells) {
      if (cell.key) {
        text.append(text.isEmpty() ? ", row " : ", ").append(cell.field.name()).append('=');
        text.append(Shown.of(String.valueOf(cell.of(row))));
      }
    }
    return text.toString();
  }

  /** Whether rows of these schemas are read by this mapping. */
  boolean fits(Schema row, @Nullable Schema key) {
    List<Field> fields = row.fields();
    if (fields.size() != cells.length) {
      return false;
    }
    for (int i = 0; i < cells.length; i++) {
      if (!cells[i].field.equals(fields.get(i))) {
        return false;
      }
    }
    List<String> names = key == null ? List.of() : key.fields().stream().map(Field::name).toList();
    return names.equals(schema.keyColumns());
  }
}
