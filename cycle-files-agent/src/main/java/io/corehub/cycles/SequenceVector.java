package io.corehub.cycles;

import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Writes the sequences of rows one behind the other. Confined to one caller at a time. */
final class SequenceVector {

  private final int width;
  private final byte[] data;
  private final byte[] prefix;
  private int at;

  /**
   * An empty column.
   *
   * @param prefix of every row; empty in an incremental job
   * @param size number of rows
   */
  SequenceVector(Optional<SequencePrefix> prefix, int size) {
    this.prefix =
        prefix.map(p -> p.toString().getBytes(StandardCharsets.US_ASCII)).orElse(new byte[0]);
    this.width = this.prefix.length + Sequence.DIGITS;
    this.data = new byte[Math.multiplyExact(width, size)];
  }

  /**
   * Writes the next rows', which follow each other in one transaction.
   *
   * @param order order of their commit, unsigned
   * @param firstRow number of the first in the transaction
   * @param rows how many there are
   */
  void add(long order, long firstRow, int rows) {
    if (rows == 0) {
      return;
    }
    Sequence.check(order, firstRow + rows - 1);
    byte[] next = new byte[width];
    System.arraycopy(prefix, 0, next, 0, prefix.length);
    Sequence.write(order, firstRow, next, prefix.length);
    for (int i = 0; i < rows; i++) {
      System.arraycopy(next, 0, data, at, width);
      at += width;
      int digit = width - 1;
      while (next[digit] == '9') {
        next[digit--] = '0';
      }
      next[digit]++;
    }
  }

  /** The column; every row must have been written. */
  ColumnVector vector() {
    int size = at / width;
    int[] offsets = new int[size + 1];
    for (int row = 1; row <= size; row++) {
      offsets[row] = row * width;
    }
    return new ColumnVector.OfBytes(data, offsets, size, Nulls.NONE);
  }
}
