package io.corehub.verify;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a Parquet file holds, as far as the rules ask. Immutable.
 *
 * @param columns columns in order, the marker not among them
 * @param marker the marker's column, if there is one
 * @param markerLast whether it is the last column
 * @param rows number of rows
 * @param nulls for each flat column that is NULL somewhere: where
 * @param markers what the marker says
 * @param codec a compression that Fabric does not read; then no row was looked at
 * @param chain the footer's entry {@code cdc.chain}
 */
record FileFacts(
    List<FileColumn> columns,
    Optional<MarkerColumn> marker,
    boolean markerLast,
    long rows,
    Map<String, Places> nulls,
    Markers markers,
    Optional<String> codec,
    Optional<String> chain) {

  static final String MARKER = "__rowMarker__";

  FileFacts {
    columns = List.copyOf(columns);
    nulls = Map.copyOf(nulls);
  }

  /**
   * The type of the marker's column.
   *
   * @param int32 whether it is a plain 32-bit integer
   * @param type as Parquet writes it
   */
  record MarkerColumn(boolean int32, String type) {}

  /**
   * Rows that have something in common.
   *
   * @param count how many
   * @param first the first one, counted from 1
   */
  record Places(long count, long first) {}

  /**
   * What the marker's column says.
   *
   * @param unknown rows whose value is none of 0, 1, 2 and 4
   * @param unknownValue the first such value
   * @param needKey rows that only a table with a key can take
   */
  record Markers(Optional<Places> unknown, int unknownValue, Optional<Places> needKey) {
    static final Markers NONE = new Markers(Optional.empty(), 0, Optional.empty());
  }

  /** The column of a name. */
  Optional<FileColumn> column(String name) {
    return columns.stream().filter(column -> column.name().equals(name)).findFirst();
  }
}
