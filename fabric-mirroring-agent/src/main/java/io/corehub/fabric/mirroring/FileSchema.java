package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableShape;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.InvalidValueException;
import io.corehub.parquet.ParquetColumn;
import io.corehub.parquet.ParquetSchema;
import io.corehub.parquet.ParquetType;
import io.corehub.runtime.rows.CellRule;
import io.corehub.runtime.rows.FileColumn;
import io.corehub.runtime.rows.RefusedValueException;
import io.corehub.runtime.rows.TypeRules;
import io.corehub.runtime.rows.Vectors;
import io.corehub.runtime.text.IgnoringCase;
import io.corehub.runtime.text.Text;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The columns of a table's files, and how the table's current columns become them. Columns only
 * ever join: a column that the source dropped keeps its place and is NULL from then on; a new one
 * comes last. A column never changes its type. Immutable.
 */
final class FileSchema {

  static final String MARKER = "__rowMarker__";

  private final TableSchema table;
  private final Map<String, ParquetType> columns;
  private final List<Source> sources;
  private final ParquetSchema plain;
  private final ParquetSchema marked;

  /** Where a column of the files gets its values from. */
  private record Source(OptionalInt index, FileColumn column) {}

  private FileSchema(TableSchema table, Map<String, ParquetType> columns, List<Source> sources) {
    this.table = table;
    this.columns = Collections.unmodifiableMap(columns);
    this.sources = sources;
    this.plain = parquet(columns, false);
    this.marked = parquet(columns, true);
  }

  /** The schema of a file with these columns, and with the marker if it is one of changes. */
  static ParquetSchema parquet(Map<String, ParquetType> columns, boolean withMarker) {
    List<ParquetColumn> all = new ArrayList<>();
    columns.forEach((name, type) -> all.add(new ParquetColumn(name, type)));
    if (withMarker) {
      all.add(new ParquetColumn(MARKER, ParquetType.INT32));
    }
    return new ParquetSchema(all);
  }

  /**
   * The schema of the next file.
   *
   * @param table the table as it is now
   * @param before columns of the files so far, without the marker; empty for a first file
   * @param rules how types without a counterpart are written
   * @throws TableStoppedException if the files cannot follow the table
   */
  static FileSchema of(TableSchema table, Map<String, ParquetType> before, TypeRules rules) {
    checkNames(table, before);
    Map<String, ParquetType> columns = new LinkedHashMap<>(before);
    Map<String, Source> sources = new HashMap<>();
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      FileColumn file = FileColumn.of(table, column, rules);
      ParquetType known = columns.putIfAbsent(column.name(), file.type());
      if (known != null && !known.equals(file.type())) {
        throw new TableStoppedException(
            table.table(),
            ErrorCode.TYPE_REFUSED,
            "Table "
                + table.table()
                + ", column '"
                + Text.shown(column.name())
                + "' changed its type from "
                + known
                + " to "
                + file.type()
                + " in the files, which Fabric does not follow. "
                + Advice.RECREATE);
      }
      sources.put(column.name(), new Source(OptionalInt.of(i), file));
    }
    List<Source> inOrder = new ArrayList<>();
    columns.forEach(
        (name, type) -> inOrder.add(sources.getOrDefault(name, withoutValues(name, type))));
    return new FileSchema(table, columns, List.copyOf(inOrder));
  }

  /** The columns of the files, of which none gets values before a table is followed. */
  static FileSchema ofFiles(TableSchema table, Map<String, ParquetType> columns) {
    List<Source> sources = new ArrayList<>();
    columns.forEach((name, type) -> sources.add(withoutValues(name, type)));
    return new FileSchema(table, columns, sources);
  }

  /**
   * Refuses a table whose key is not that of its files. A table without key may get one; the order
   * of key columns says nothing.
   *
   * @param before key columns of the files; empty if they have none
   * @throws TableStoppedException if the key changed or is gone
   */
  static void requireKey(List<String> before, TableSchema now) {
    if (before.isEmpty() || new HashSet<>(before).equals(new HashSet<>(now.keyColumns()))) {
      return;
    }
    throw new TableStoppedException(
        now.table(),
        ErrorCode.KEY_CHANGED,
        "Table "
            + now.table()
            + (now.keyed()
                ? " changed its primary key from " + before + " to " + now.keyColumns()
                : " has no primary key any more, and its files have the key " + before)
            + ", which Fabric does not let change. "
            + Advice.RECREATE);
  }

  private static Source withoutValues(String name, ParquetType type) {
    return new Source(OptionalInt.empty(), new FileColumn(name, type, CellRule.UNCHANGED));
  }

  private static void checkNames(TableSchema table, Map<String, ParquetType> before) {
    if (table.columns().isEmpty()) {
      throw new TableStoppedException(
          table.table(),
          ErrorCode.TYPE_REFUSED,
          "Table " + table.table() + " has no columns. Select at least one, or leave it out.");
    }
    Map<String, String> seen = new HashMap<>();
    before.keySet().forEach(name -> seen.put(IgnoringCase.of(name), name));
    Set<String> gone = new HashSet<>(before.keySet());
    table.columns().forEach(column -> gone.remove(column.name()));
    for (Column column : table.columns()) {
      String name = column.name();
      String twin = seen.putIfAbsent(IgnoringCase.of(name), name);
      if (IgnoringCase.of(name).equals(IgnoringCase.of(MARKER))) {
        throw nameRefused(
            table.table(), "column '" + Text.shown(name) + "' has the name of the row marker");
      }
      if (twin != null && gone.contains(twin)) {
        throw new TableStoppedException(
            table.table(),
            ErrorCode.NAME_REFUSED,
            "Table "
                + table.table()
                + ": column '"
                + Text.shown(twin)
                + "' of the files is now called '"
                + Text.shown(name)
                + "', which differs only by case, and Fabric takes them for one. "
                + Advice.RECREATE);
      }
      if (twin != null && !twin.equals(name)) {
        throw nameRefused(
            table.table(),
            "columns '"
                + Text.shown(twin)
                + "' and '"
                + Text.shown(name)
                + "' differ only by case, and Fabric takes them for one");
      }
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
        throw nameRefused(
            table.table(), "column '" + Text.shown(name) + "' holds half a surrogate pair");
      }
    }
  }

  private static TableStoppedException nameRefused(TableId table, String why) {
    return new TableStoppedException(
        table,
        ErrorCode.NAME_REFUSED,
        "Table " + table + ": " + why + ". Rename the column in the source, or leave it out.");
  }

  /** The folder of a table, or why it cannot have one. */
  static String folderOf(TableId table) {
    try {
      return FolderName.of(table);
    } catch (InvalidValueException e) {
      throw new TableStoppedException(
          table,
          ErrorCode.NAME_REFUSED,
          "Table " + Text.shown(table.toString()) + ": " + e.getMessage(),
          e);
    }
  }

  TableSchema table() {
    return table;
  }

  /** Columns of the files with their types, without the marker. */
  Map<String, ParquetType> columns() {
    return columns;
  }

  /**
   * The columns as a reader of the table finds them, without the marker.
   *
   * @param location URL of the table's folder
   */
  TableShape shape(String location) {
    List<TableShape.TargetColumn> all = new ArrayList<>();
    int place = 0;
    for (Map.Entry<String, ParquetType> column : columns.entrySet()) {
      OptionalInt index = sources.get(place++).index;
      Optional<String> from =
          index.isPresent()
              ? Optional.of(table.columns().get(index.getAsInt()).name())
              : Optional.empty();
      all.add(
          new TableShape.TargetColumn(column.getKey(), FabricTypes.of(column.getValue()), from));
    }
    return new TableShape(table, location, all);
  }

  /** The schema of a file of snapshot rows, or with the marker of one of changes. */
  ParquetSchema parquet(boolean withMarker) {
    return withMarker ? marked : plain;
  }

  /** A short text that differs when the columns differ. */
  String fingerprint() {
    return fingerprint(columns);
  }

  static String fingerprint(Map<String, ParquetType> columns) {
    CRC32C sum = new CRC32C();
    sum.update(columns.toString().getBytes(StandardCharsets.UTF_8));
    return String.format("%d-%08x", columns.size(), sum.getValue());
  }

  /** Reads a column of the table as rows of a batch hold it. */
  interface SourceColumns {
    /**
     * The values of a column.
     *
     * @param index index into the table's columns
     */
    ColumnVector at(int index);
  }

  /**
   * Vectors of the files' columns.
   *
   * @param in the table's columns
   * @param size rows of each vector
   * @param from first row to turn
   * @param to row behind the last
   * @param replacements told of values replaced by policy
   * @return one vector for each column, with the same row indexes
   * @throws RefusedValueException if a value cannot be written
   */
  List<ColumnVector> vectors(
      SourceColumns in, int size, int from, int to, CellRule.Replacements replacements) {
    List<ColumnVector> out = new ArrayList<>(sources.size() + 1);
    for (Source source : sources) {
      if (source.index.isEmpty()) {
        out.add(Vectors.allNull(FileColumn.storage(source.column.type()), size));
      } else {
        out.add(source.column.rule().apply(in.at(source.index.getAsInt()), from, to, replacements));
      }
    }
    return out;
  }

  /**
   * Refuses rows without a whole key.
   *
   * @throws RefusedValueException naming the key column
   */
  void checkKeys(List<ColumnVector> vectors, int from, int to) {
    for (String key : table.keyColumns()) {
      ColumnVector column = vectors.get(place(key));
      for (int row = from; column.nulls().any() && row < to; row++) {
        if (column.nulls().isNull(row)) {
          throw new RefusedValueException(
              row,
              "key column '"
                  + Text.shown(key)
                  + "' is NULL. A row of a primary key needs a value; correct it in the source.");
        }
      }
    }
  }

  private int place(String name) {
    int place = 0;
    for (String column : columns.keySet()) {
      if (column.equals(name)) {
        return place;
      }
      place++;
    }
    throw new IllegalArgumentException("No column " + name);
  }
}
