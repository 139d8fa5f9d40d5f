package io.corehub.agent.table;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The columns of a table in source order, and its primary key. Immutable and thread-safe.
 *
 * <p>Within one run of a hub, equal versions of a table mean the same instance; a change of the
 * table makes a new instance with a higher version.
 */
public final class TableSchema {

  private final TableId table;
  private final List<Column> columns;
  private final List<String> keyColumns;
  private final int version;
  private final Map<String, Integer> indexes;

  /**
   * Creates a schema.
   *
   * @param table the table
   * @param columns its columns in source order, names unique
   * @param keyColumns names of the primary key's columns in key order; empty for a keyless table
   * @param version number that grows with each change of the table during one run
   * @throws IllegalArgumentException if a name occurs twice or a key column is not a column
   */
  public TableSchema(TableId table, List<Column> columns, List<String> keyColumns, int version) {
    this.table = Objects.requireNonNull(table, "table");
    this.columns = List.copyOf(columns);
    this.keyColumns = List.copyOf(keyColumns);
    this.version = version;
    this.indexes = new HashMap<>();
    for (int i = 0; i < this.columns.size(); i++) {
      if (indexes.put(this.columns.get(i).name(), i) != null) {
        throw new IllegalArgumentException(
            "Table " + table + ": column '" + this.columns.get(i).name() + "' occurs twice.");
      }
    }
    Set<String> seen = new HashSet<>();
    for (String key : this.keyColumns) {
      if (!indexes.containsKey(key)) {
        throw new IllegalArgumentException(
            "Table " + table + ": primary key column '" + key + "' is not a column of the table.");
      }
      if (!seen.add(key)) {
        throw new IllegalArgumentException(
            "Table " + table + ": primary key column '" + key + "' occurs twice.");
      }
    }
  }

  /**
   * The table.
   *
   * @return its identity
   */
  public TableId table() {
    return table;
  }

  /**
   * The columns in source order.
   *
   * @return an immutable list
   */
  public List<Column> columns() {
    return columns;
  }

  /**
   * The primary key.
   *
   * @return column names in key order; empty for a keyless table
   */
  public List<String> keyColumns() {
    return keyColumns;
  }

  /**
   * The version of the schema within one run of the hub.
   *
   * @return the version
   */
  public int version() {
    return version;
  }

  /**
   * Whether the table has a primary key.
   *
   * @return true if there is at least one key column
   */
  public boolean keyed() {
    return !keyColumns.isEmpty();
  }

  /**
   * Where a column stands.
   *
   * @param columnName exact name
   * @return its index in {@link #columns()}, or empty if there is none of that name
   */
  public OptionalInt indexOf(String columnName) {
    Integer index = indexes.get(columnName);
    return index == null ? OptionalInt.empty() : OptionalInt.of(index);
  }

  /**
   * Where the key columns stand.
   *
   * @return indexes into {@link #columns()} in key order, a fresh array
   */
  public int[] keyIndexes() {
    return keyColumns.stream().mapToInt(indexes::get).toArray();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof TableSchema that
            && version == that.version
            && table.equals(that.table)
            && columns.equals(that.columns)
            && keyColumns.equals(that.keyColumns));
  }

  @Override
  public int hashCode() {
    return Objects.hash(table, columns, keyColumns, version);
  }

  @Override
  public String toString() {
    return table + " v" + version + " " + columns + " key " + keyColumns;
  }
}
