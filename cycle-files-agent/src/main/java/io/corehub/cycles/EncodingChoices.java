package io.corehub.cycles;

import io.corehub.parquet.Compression;
import io.corehub.parquet.RowGroupPolicy;
import io.corehub.parquet.WriterOptions;

/**
 * How the bytes of data files are written, beyond their format. Immutable.
 *
 * @param csvHeader whether CSV files begin with the names of the columns
 * @param parquet how Parquet files are written
 */
record EncodingChoices(boolean csvHeader, WriterOptions parquet) {

  private static final int LEAST_ROWS = 10_000;

  /** The defaults. */
  static final EncodingChoices USUAL = of(true, Compression.SNAPPY);

  /** The choices of the settings. */
  static EncodingChoices of(boolean csvHeader, Compression parquet) {
    return new EncodingChoices(
        csvHeader, new WriterOptions(parquet, RowGroupPolicy.joining(LEAST_ROWS)));
  }
}
