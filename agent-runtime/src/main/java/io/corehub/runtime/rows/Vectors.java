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

  /**
   * Chosen rows, some of them NULL.
   *
   * @param vector where the values come from
   * @param rows row indexes in the wanted order; a negative one makes a NULL
   * @param count how many entries of {@code rows} count
   * @return a vector of {@code count} rows
   */
  public static ColumnVector selectOrNull(ColumnVector vector, int[] rows, int count) {
    int signs = 0;
    for (int i = 0; i < count; i++) {
      signs |= rows[i];
    }
    if (signs >= 0) {
      return vector.select(rows, count);
    }
    long[] present = new long[words(count)];
    for (int i = 0; i < count; i++) {
      if (rows[i] >= 0 && !vector.nulls().isNull(rows[i])) {
        set(present, i);
      }
    }
    Nulls nulls = Nulls.ofPresentBits(present, count);
    if (vector instanceof ColumnVector.OfBytes bytes) {
      return selectBytes(bytes, rows, count, nulls);
    }
    int[] safe = new int[count];
    for (int i = 0; i < count; i++) {
      safe[i] = Math.max(0, rows[i]);
    }
    return withNulls(vector.select(safe, count), nulls);
  }

  private static ColumnVector selectBytes(
      ColumnVector.OfBytes vector, int[] rows, int count, Nulls nulls) {
    int[] offsets = new int[count + 1];
    long total = 0;
    for (int i = 0; i < count; i++) {
      total += nulls.isNull(i) ? 0 : vector.length(rows[i]);
      offsets[i + 1] = Math.toIntExact(total);
    }
    byte[] data = new byte[offsets[count]];
    for (int i = 0; i < count; i++) {
      if (!nulls.isNull(i)) {
        System.arraycopy(
            vector.data(), vector.offsets()[rows[i]], data, offsets[i], vector.length(rows[i]));
      }
    }
    return new ColumnVector.OfBytes(data, offsets, count, nulls);
  }
}
