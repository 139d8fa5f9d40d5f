package io.corehub.parquet;

/**
 * How a file is written. Immutable.
 *
 * @param compression compression of pages
 * @param rowGroups where row groups end
 */
public record WriterOptions(Compression compression, RowGroupPolicy rowGroups) {

  /** ZSTD at level 3, row groups of at least 10,000 rows. */
  public static final WriterOptions DEFAULTS =
      new WriterOptions(Compression.zstd(3), RowGroupPolicy.joining(10_000));
}
