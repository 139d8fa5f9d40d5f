package io.corehub.cycles;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.parquet.ParquetColumn;
import io.corehub.parquet.ParquetSchema;
import io.corehub.parquet.ParquetType;
import io.corehub.runtime.rows.FileColumn;
import io.corehub.runtime.text.IgnoringCase;
import io.corehub.runtime.text.Text;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The columns of a table's data files, all of one schema version: metadata columns, the table's
 * columns in source order, then their old values in the same order. Immutable.
 */
final class TableShape {

  private static final int HASH_BYTES = 12;
  private static final String KEY_PART = ".";

  private final TableSchema table;
  private final ColumnChoices choices;
  private final DataFormat format;
  private final List<FileColumn> columns;
  private final int[] oldIndexes;
  private final List<ShapeColumn> all;
  private final String hash;

  private TableShape(
      TableSchema table, ColumnChoices choices, DataFormat format, List<FileColumn> columns) {
    this.table = table;
    this.choices = choices;
    this.format = format;
    this.columns = List.copyOf(columns);
    this.oldIndexes = oldIndexes(table, choices);
    this.all = List.copyOf(all(table, choices, columns, oldIndexes));
    this.hash = hash(all, table, format);
  }

  /**
   * The shape of a table as it is now.
   *
   * @param table the table
   * @param choices which columns there are, and how values are written
   * @param format how data files are written
   * @throws TableStoppedException if a column has no name or type of its own in the files
   */
  static TableShape of(TableSchema table, ColumnChoices choices, DataFormat format) {
    if (table.columns().isEmpty()) {
      throw new TableStoppedException(
          table.table(),
          ErrorCode.TYPE_REFUSED,
          "Table " + table.table() + " has no columns. Select at least one, or leave it out.");
    }
    List<FileColumn> columns = new ArrayList<>();
    for (Column column : table.columns()) {
      columns.add(
          format != DataFormat.PARQUET && needsText(column)
              ? FileColumn.as(table, column, ParquetType.STRING, choices.types())
              : FileColumn.of(table, column, choices.types()));
    }
    TableShape shape = new TableShape(table, choices, format, columns);
    shape.requireOwnNames();
    return shape;
  }

  /** Decimals without bound, which text can hold and Parquet cannot. */
  private static boolean needsText(Column column) {
    ColumnType type = column.type();
    return column.targetType().isEmpty()
        && type.kind() == ColumnType.Kind.BIG_DECIMAL
        && (type.decimalWithoutPrecision() || type.precision() > ParquetType.MAX_DECIMAL_PRECISION);
  }

  private static int[] oldIndexes(TableSchema table, ColumnChoices choices) {
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      if (choices.beforeImages() || table.keyColumns().contains(table.columns().get(i).name())) {
        indexes.add(i);
      }
    }
    return indexes.stream().mapToInt(Integer::intValue).toArray();
  }

  private static List<ShapeColumn> all(
      TableSchema table, ColumnChoices choices, List<FileColumn> columns, int[] oldIndexes) {
    List<ShapeColumn> all = new ArrayList<>();
    all.add(ShapeColumn.metadata(choices.operationTypeName(), ShapeColumn.Role.OPERATION_TYPE));
    all.add(ShapeColumn.metadata(choices.sequenceName(), ShapeColumn.Role.SORTABLE_SEQUENCE));
    if (choices.operationTime()) {
      all.add(ShapeColumn.metadata(choices.operationTimeName(), ShapeColumn.Role.OPERATION_TIME));
    }
    if (choices.operationOwner()) {
      all.add(ShapeColumn.metadata(choices.operationOwnerName(), ShapeColumn.Role.OPERATION_OWNER));
    }
    if (choices.transactionId()) {
      all.add(ShapeColumn.metadata(choices.transactionIdName(), ShapeColumn.Role.TRANSACTION_ID));
    }
    for (int i = 0; i < columns.size(); i++) {
      all.add(ShapeColumn.data(columns.get(i), table.columns().get(i)));
    }
    for (int index : oldIndexes) {
      all.add(ShapeColumn.old(columns.get(index), table.columns().get(index), choices.oldSuffix()));
    }
    return all;
  }

  private void requireOwnNames() {
    Map<String, ShapeColumn> seen = new HashMap<>();
    for (ShapeColumn column : all) {
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(column.name())) {
        throw nameRefused(
            "column '" + Text.shown(column.name()) + "' holds half a surrogate pair", "");
      }
      ShapeColumn other = seen.putIfAbsent(IgnoringCase.of(column.name()), column);
      if (other != null) {
        throw nameRefused(
            "in its files " + other.described() + " and " + column.described() + " share a name",
            other.role() == ShapeColumn.Role.DATA && column.role() == ShapeColumn.Role.DATA
                ? ""
                : ", or change metadataColumnPrefix or beforeImageSuffix");
      }
    }
  }

  private TableStoppedException nameRefused(String why, String alternative) {
    TableId id = table.table();
    return new TableStoppedException(
        id,
        ErrorCode.NAME_REFUSED,
        "Table "
            + id
            + ": "
            + why
            + ". Rename the column in the source"
            + (alternative.isEmpty() ? ", or leave it out" : ", leave it out" + alternative)
            + ".");
  }

  private static String hash(List<ShapeColumn> all, TableSchema table, DataFormat format) {
    StringBuilder text = new StringBuilder(format == DataFormat.PARQUET ? "parquet" : "csv");
    for (ShapeColumn column : all) {
      text.append('\n').append(column.fingerprint());
    }
    return digest(text.toString()) + KEY_PART + digest(String.join("\n", table.keyColumns()));
  }

  private static String digest(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  /** The table. */
  TableSchema table() {
    return table;
  }

  /** Which columns there are beside the table's. */
  ColumnChoices choices() {
    return choices;
  }

  /** How the files are written. */
  DataFormat format() {
    return format;
  }

  /** The table's columns as the files hold them, in source order. */
  List<FileColumn> columns() {
    return columns;
  }

  /** Indexes into {@link #columns()} of those that have a column for their old value. */
  int[] withOldValue() {
    return oldIndexes.clone();
  }

  /** All columns of the files, in their order. */
  List<ShapeColumn> all() {
    return all;
  }

  /**
   * A fingerprint of everything that makes a file of this shape differ from another: names, types,
   * metadata columns, key. Equal hashes mean one schema version; it is the same for every run and
   * release.
   */
  String hash() {
    return hash;
  }

  /**
   * Whether the table had this key when it had another shape. A change of the key is no drift: the
   * table must be loaded anew.
   *
   * @param otherHash hash of that shape
   */
  boolean sameKeyAs(String otherHash) {
    return hash.substring(hash.indexOf(KEY_PART))
        .equals(otherHash.substring(Math.max(0, otherHash.indexOf(KEY_PART))));
  }

  /** The schema of a Parquet file of this shape. */
  ParquetSchema parquet() {
    List<ParquetColumn> parquet = new ArrayList<>();
    for (ShapeColumn column : all) {
      boolean required =
          column.role() == ShapeColumn.Role.OPERATION_TYPE
              || column.role() == ShapeColumn.Role.SORTABLE_SEQUENCE;
      parquet.add(new ParquetColumn(column.name(), column.type(), required));
    }
    return new ParquetSchema(parquet);
  }
}
