package io.corehub.runtime.rows;

import io.corehub.agent.table.ColumnType.Storage;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;

/** Makes column vectors out of others. Pure. */
public final class Vectors {

  private Vectors() {}

  /** A vector of NULLs. */
  public static ColumnVector allNull(Storage storage, int size) {
    Nulls nulls = Nulls.ofPresentBits(new long[words(size)], size);
    return switch (storage) {
      case BOOLEAN -> new ColumnVector.OfBoolean(new boolean[size], size, nulls);
      case INT -> new ColumnVector.OfInt(new int[size], size, nulls);
      case LONG -> new ColumnVector.OfLong(new long[size], size, nulls);
      case FLOAT -> new ColumnVector.OfFloat(new float[size], size, nulls);
      case DOUBLE -> new ColumnVector.OfDouble(new double[size], size, nulls);
      case BYTES -> new ColumnVector.OfBytes(new byte[0], new int[size + 1], size, nulls);
    };
  }

  /** The same values with more NULLs; arrays are shared where they can be. */
  public static ColumnVector withNulls(ColumnVector vector, Nulls nulls) {
    int size = vector.size();
    if (vector instanceof ColumnVector.OfBoolean booleans) {
      return new ColumnVector.OfBoolean(booleans.values(), size, nulls);
    }
    if (vector instanceof ColumnVector.OfInt ints) {
      return new ColumnVector.OfInt(ints.values(), size, nulls);
    }
    if (vector instanceof ColumnVector.OfLong longs) {
      return new ColumnVector.OfLong(longs.values(), size, nulls);
    }
    if (vector instanceof ColumnVector.OfFloat floats) {
      return new ColumnVector.OfFloat(floats.values(), size, nulls);
    }
    if (vector instanceof ColumnVector.OfDouble doubles) {
      return new ColumnVector.OfDouble(doubles.values(), size, nulls);
    }
    return withoutNullBytes((ColumnVector.OfBytes) vector, nulls);
  }

  /** NULL rows of a bytes vector are empty, so their bytes must go. */
  private static ColumnVector withoutNullBytes(ColumnVector.OfBytes vector, Nulls nulls) {
    int size = vector.size();
    int[] from = vector.offsets();
    int[] offsets = new int[size + 1];
    for (int row = 0; row < size; row++) {
      offsets[row + 1] = offsets[row] + (nulls.isNull(row) ? 0 : from[row + 1] - from[row]);
    }
    byte[] data = new byte[offsets[size]];
    for (int row = 0; row < size; row++) {
      System.arraycopy(
          vector.data(), from[row], data, offsets[row], offsets[row + 1] - offsets[row]);
    }
    return new ColumnVector.OfBytes(data, offsets, size, nulls);
  }

  /** A fresh copy of the presence bits of a vector. */
  public static long[] presentBits(ColumnVector vector) {
    long[] bits = new long[words(vector.size())];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = vector.nulls().word(i);
    }
    return bits;
  }

  public static void clear(long[] bits, int row) {
    bits[row >>> 6] &= ~(1L << row);
  }

  public static void set(long[] bits, int row) {
    bits[row >>> 6] |= 1L << row;
  }

  public static int words(int size) {
    return (size + 63) >>> 6;
  }
}
