package io.corehub.parquet;

/**
 * Where a row group ends. Immutable.
 *
 * <p>A group ends at {@code mostRows} rows; before that, once it holds {@code leastRows} rows and
 * {@code targetBytes} of encoded data; and whatever its rows, once it holds {@code limitBytes},
 * which bounds the memory of the writer.
 *
 * @param leastRows rows below which only {@code limitBytes} ends a group, at least 1
 * @param mostRows rows that end a group, at least {@code leastRows}
 * @param targetBytes encoded bytes, before compression, that end a group of at least {@code
 *     leastRows}
 * @param limitBytes encoded bytes, before compression, that end any group
 */
public record RowGroupPolicy(int leastRows, int mostRows, long targetBytes, long limitBytes) {

  private static final int JOINED_ROWS = 100_000;
  private static final long JOINED_BYTES = 16L << 20;
  private static final long LIMIT_BYTES = 64L << 20;

  /** Checks the bounds. */
  public RowGroupPolicy {
    if (leastRows < 1 || mostRows < leastRows || targetBytes < 1 || limitBytes < targetBytes) {
      throw new IllegalArgumentException(
          String.format(
              "Row groups of %d to %d rows, %d to %d bytes: bounds must be positive and ascending",
              leastRows, mostRows, targetBytes, limitBytes));
    }
  }

  /**
   * Groups of at least a number of rows, joined up to 100,000 rows or 16 MiB of encoded data.
   *
   * @param leastRows least rows of a group; only the last group of a file and groups of 64 MiB of
   *     encoded data have fewer
   * @return the policy
   */
  public static RowGroupPolicy joining(int leastRows) {
    return new RowGroupPolicy(
        leastRows, Math.max(leastRows, JOINED_ROWS), JOINED_BYTES, LIMIT_BYTES);
  }

  /**
   * Groups of exactly a number of rows.
   *
   * @param rows rows of a group; only the last group of a file and groups of 64 MiB of encoded data
   *     have fewer
   * @return the policy
   */
  public static RowGroupPolicy exactly(int rows) {
    return new RowGroupPolicy(rows, rows, LIMIT_BYTES, LIMIT_BYTES);
  }
}
