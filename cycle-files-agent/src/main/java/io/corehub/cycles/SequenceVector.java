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
    System.arraycopy(prefix, 0, data, at, prefix.length);
    Sequence.write(order, firstRow, data, at + prefix.length);
    at += width;
    for (int i = 1; i < rows; i++) {
      System.arraycopy(data, at - width, data, at, width);
      int digit = at + width - 1;
      while (data[digit] == '9') {
        data[digit--] = '0';
      }
      data[digit]++;
      at += width;
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
