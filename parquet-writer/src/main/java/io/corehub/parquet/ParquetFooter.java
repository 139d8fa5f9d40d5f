package io.corehub.parquet;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the footer of a file says. Immutable.
 *
 * @param columns leaf columns in order
 * @param rowCount rows of the file
 * @param rowGroups row groups in order
 * @param keyValues key-value entries; of a key that stands twice, the last value
 * @param createdBy application that wrote the file
 */
public record ParquetFooter(
    List<Column> columns,
    long rowCount,
    List<RowGroup> rowGroups,
    Map<String, String> keyValues,
    Optional<String> createdBy) {

  /** Takes copies. */
  public ParquetFooter {
    columns = List.copyOf(columns);
    rowGroups = List.copyOf(rowGroups);
    keyValues = Map.copyOf(keyValues);
  }

  /**
   * A leaf column of a file of any writer.
   *
   * @param path name; names from the root joined by dots where columns nest
   * @param optional whether the column may hold NULLs
   * @param type the type if it is one of {@link ParquetType}, empty for every other
   * @param description the type in the format's words, such as {@code INT64 TIMESTAMP(MILLIS,UTC)}
   */
  public record Column(
      String path, boolean optional, Optional<ParquetType> type, String description) {}

  /**
   * A row group.
   *
   * @param rows rows
   * @param compressedBytes bytes of all column chunks in the file
   */
  public record RowGroup(long rows, long compressedBytes) {}
}
