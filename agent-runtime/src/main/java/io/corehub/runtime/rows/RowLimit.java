package io.corehub.runtime.rows;

import io.corehub.agent.table.ColumnVector;
import java.util.List;

/**
 * How large a row may be, all its columns together. While it is encoded a row is held as it came,
 * as pages, compressed, and as the block that is uploaded, with room to grow. Immutable.
 *
 * @param bytes most bytes of its texts and byte strings
 * @param heapBytes greatest size of the heap
 */
public record RowLimit(long bytes, long heapBytes) {

  private static final long MOST_BYTES = 1L << 30;
  private static final int HEAP_PER_ROW = 8;

  /**
   * The limit that a heap sets.
   *
   * @param heapBytes greatest size of the heap
   * @return an eighth of it, at most 1 GB
   */
  public static RowLimit ofHeap(long heapBytes) {
    return new RowLimit(Math.min(MOST_BYTES, heapBytes / HEAP_PER_ROW), heapBytes);
  }

  /**
   * Refuses a row that is too large.
   *
   * @param columns its columns
   * @param from first row
   * @param to row behind the last
   * @throws RefusedValueException with the first such row
   */
  public void check(List<? extends ColumnVector> columns, int from, int to) {
    if (bytes(columns, from, to) <= bytes) {
      return;
    }
    for (int row = from; row < to; row++) {
      long found = bytes(columns, row, row + 1);
      if (found > bytes) {
        throw new RefusedValueException(row, refusal(found));
      }
    }
  }

  private String refusal(long found) {
    return "the columns of the row hold "
        + found
        + " bytes together, and at most "
        + bytes
        + " can be written with a heap of "
        + (heapBytes >> 20)
        + " MB. Start again with a heap of twelve times the row's size (-Xmx), at most 1 GB for a"
        + " row, or take values out of the source.";
  }

  private static long bytes(List<? extends ColumnVector> columns, int from, int to) {
    long sum = 0;
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i) instanceof ColumnVector.OfBytes values) {
        sum += values.offsets()[to] - values.offsets()[from];
      }
    }
    return sum;
  }
}
