package io.corehub.fabric.mirroring;

import io.corehub.agent.RowChanges;
import io.corehub.agent.table.ColumnVector;
import java.util.List;

/**
 * A checksum of changes in their order, to prove that a replay of a commit delivers again what was
 * published of it. Confined to one caller at a time.
 */
final class RowHash {

  private static final long PRIME = 0x9E3779B97F4A7C15L;

  private long state = 0x243F6A8885A308D3L;

  /** Takes in rows of a run of changes. */
  void add(RowChanges changes, int from, int to) {
    List<ColumnVector> columns = changes.rows().columns();
    for (int row = from; row < to; row++) {
      mix(changes.kind(row).code());
      for (ColumnVector column : columns) {
        add(column, row);
      }
    }
  }

  /** A checksum of some columns of one row. */
  static long of(List<ColumnVector> columns, int row) {
    RowHash hash = new RowHash();
    columns.forEach(column -> hash.add(column, row));
    return hash.state;
  }

  void add(ColumnVector column, int row) {
    if (column.nulls().isNull(row)) {
      mix(0x5555);
    } else if (column instanceof ColumnVector.OfInt ints) {
      mix(ints.values()[row]);
    } else if (column instanceof ColumnVector.OfLong longs) {
      mix(longs.values()[row]);
    } else if (column instanceof ColumnVector.OfBytes bytes) {
      addBytes(bytes, row);
    } else if (column instanceof ColumnVector.OfBoolean booleans) {
      mix(booleans.values()[row] ? 1 : 2);
    } else if (column instanceof ColumnVector.OfDouble doubles) {
      mix(Double.doubleToLongBits(doubles.values()[row]));
    } else if (column instanceof ColumnVector.OfFloat floats) {
      mix(Float.floatToIntBits(floats.values()[row]));
    }
  }

  private void addBytes(ColumnVector.OfBytes bytes, int row) {
    mix(bytes.length(row));
    byte[] data = bytes.data();
    int end = bytes.offsets()[row + 1];
    long word = 0;
    int held = 0;
    for (int i = bytes.offsets()[row]; i < end; i++) {
      word = word << 8 | (data[i] & 0xFF);
      if (++held == 8) {
        mix(word);
        word = 0;
        held = 0;
      }
    }
    mix(word);
  }

  private void mix(long value) {
    long x = (state ^ value) * PRIME;
    x ^= x >>> 32;
    x *= 0xD6E8FEB86659FD93L;
    state = Long.rotateLeft(x, 27) + PRIME;
  }

  /** The checksum so far, in hexadecimal digits. */
  String text() {
    return String.format("%016x", state);
  }
}
