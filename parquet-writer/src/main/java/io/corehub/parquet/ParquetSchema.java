package io.corehub.parquet;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of a file, in order. Immutable.
 *
 * @param columns at least one; no name twice
 */
public record ParquetSchema(List<ParquetColumn> columns) {

  /** Checks that there are columns and that their names differ. */
  public ParquetSchema {
    columns = List.copyOf(columns);
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("A Parquet schema needs at least one column");
    }
    Set<String> names = new HashSet<>();
    for (ParquetColumn column : columns) {
      if (!names.add(column.name())) {
        throw new IllegalArgumentException("Two columns are called '" + column.name() + "'");
      }
    }
  }
}
