package io.corehub.cycles;

import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Writes the sequences of rows one behind the other. Confined to one caller at a time. */
final class SequenceVector {

  private final int width;
  private final int prefixDigits;
  private final byte[] data;
  private final byte[] prefix;
  private int at;
  private long lastOrder;
  private long lastRow;

  /**
   * An empty column.
   *
   * @param prefix of every row; empty in an incremental job
   * @param size number of rows
   */
  SequenceVector(Optional<SequencePrefix> prefix, int size) {
    this.prefix =
        prefix.map(p -> p.toString().getBytes(StandardCharsets.US_ASCII)).orElse(new byte[0]);
    this.prefixDigits = this.prefix.length;
    this.width = prefixDigits + Sequence.DIGITS;
    this.data = new byte[Math.multiplyExact(width, size)];
  }

  /**
   * Writes the next row's.
   *
   * @param order order of its commit, unsigned
   * @param row its number in the transaction
   */
  void add(long order, long row) {
    if (at > 0 && order == lastOrder && row == lastRow + 1 && row < Sequence.MOST_ROWS) {
      System.arraycopy(data, at - width, data, at, width);
      int digit = at + width - 1;
      while (data[digit] == '9') {
        data[digit--] = '0';
      }
      data[digit]++;
    } else {
      System.arraycopy(prefix, 0, data, at, prefixDigits);
      Sequence.write(order, row, data, at + prefixDigits);
      lastOrder = order;
    }
    lastRow = row;
    at += width;
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
