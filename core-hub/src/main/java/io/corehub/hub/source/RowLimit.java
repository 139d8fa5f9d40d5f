package io.corehub.hub.source;

import io.corehub.agent.table.ColumnBatchBuilder;

/**
 * How large a row may be, all its columns together: on its way it is held several times over, and
 * an array holds 2 GB at most. Immutable.
 *
 * @param bytes most bytes of its texts and byte strings
 */
public record RowLimit(long bytes) {

  /** Most bytes of a row, whatever the heap. */
  public static final long MOST_BYTES = 1L << 30;

  /** On its way a row is held as characters, as text and as bytes, some of it twice. */
  private static final int HEAP_PER_ROW = 11;

  private static final long LEAST_BYTES = 1 << 20;

  /**
   * The limit that the heap of this process sets.
   *
   * @return the limit
   */
  public static RowLimit ofHeap() {
    long fitting = Runtime.getRuntime().maxMemory() / HEAP_PER_ROW;
    return new RowLimit(Math.max(LEAST_BYTES, Math.min(MOST_BYTES, fitting)));
  }

  /**
   * Whether the row under way is too large.
   *
   * @param row holds its cells
   * @return true if so
   */
  public boolean isExceededBy(ColumnBatchBuilder row) {
    return row.rowBytes() > bytes;
  }

  /**
   * Why a row cannot be taken, and what to change.
   *
   * @param found bytes of its columns so far
   * @return ends a sentence that names table, row and column
   */
  public String reason(long found) {
    return "with it the columns of the row hold "
        + found
        + " bytes, and at most "
        + bytes
        + " can be taken with a heap of "
        + (Runtime.getRuntime().maxMemory() >> 20)
        + " MB. Start again with a heap of twelve times the row's size (HUB_JAVA_OPTS=-Xmx…), at"
        + " most 1 GB for a row, or take values out of the source";
  }
}
