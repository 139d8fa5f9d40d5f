package io.corehub.agent.table;

import io.corehub.agent.table.ColumnType.Storage;
import java.util.Arrays;

/**
 * The values of one column for a run of rows. Arrays are owned by the vector from construction on:
 * nobody writes to them again. A row that is NULL has an unspecified value in the array. Safe for
 * reading by any number of threads.
 */
public sealed interface ColumnVector {

  /**
   * How the values are held.
   *
   * @return the storage
   */
  Storage storage();

  /**
   * Number of rows.
   *
   * @return rows, NULLs included
   */
  int size();

  /**
   * Which rows are NULL.
   *
   * @return never null
   */
  Nulls nulls();

  /**
   * Memory held by the arrays.
   *
   * @return bytes
   */
  long bytes();

  /**
   * A new vector of chosen rows.
   *
   * @param rows row indexes in the wanted order; may repeat
   * @param count how many entries of {@code rows} count
   * @return a vector of {@code count} rows
   */
  ColumnVector select(int[] rows, int count);

  /**
   * Booleans.
   *
   * @param values at least {@code size} values
   * @param size rows
   * @param nulls NULL rows
   */
  @SuppressWarnings("ArrayRecordComponent") // vectors exist to hand arrays over without a copy
  record OfBoolean(boolean[] values, int size, Nulls nulls) implements ColumnVector {
    /** Checks the length. */
    public OfBoolean {
      checkLength(values.length, size);
    }

    @Override
    public Storage storage() {
      return Storage.BOOLEAN;
    }

    @Override
    public long bytes() {
      return values.length + nulls.bytes();
    }

    @Override
    public OfBoolean select(int[] rows, int count) {
      boolean[] chosen = new boolean[count];
      for (int i = 0; i < count; i++) {
        chosen[i] = values[rows[i]];
      }
      return new OfBoolean(chosen, count, nulls.select(rows, count));
    }
  }

  /**
   * 32-bit integers.
   *
   * @param values at least {@code size} values
   * @param size rows
   * @param nulls NULL rows
   */
  @SuppressWarnings("ArrayRecordComponent") // as above
  record OfInt(int[] values, int size, Nulls nulls) implements ColumnVector {
    /** Checks the length. */
    public OfInt {
      checkLength(values.length, size);
    }

    @Override
    public Storage storage() {
      return Storage.INT;
    }

    @Override
    public long bytes() {
      return 4L * values.length + nulls.bytes();
    }

    @Override
    public OfInt select(int[] rows, int count) {
      int[] chosen = new int[count];
      for (int i = 0; i < count; i++) {
        chosen[i] = values[rows[i]];
      }
      return new OfInt(chosen, count, nulls.select(rows, count));
    }
  }

  /**
   * 64-bit integers.
   *
   * @param values at least {@code size} values
   * @param size rows
   * @param nulls NULL rows
   */
  @SuppressWarnings("ArrayRecordComponent") // as above
  record OfLong(long[] values, int size, Nulls nulls) implements ColumnVector {
    /** Checks the length. */
    public OfLong {
      checkLength(values.length, size);
    }

    @Override
    public Storage storage() {
      return Storage.LONG;
    }

    @Override
    public long bytes() {
      return 8L * values.length + nulls.bytes();
    }

    @Override
    public OfLong select(int[] rows, int count) {
      long[] chosen = new long[count];
      for (int i = 0; i < count; i++) {
        chosen[i] = values[rows[i]];
      }
      return new OfLong(chosen, count, nulls.select(rows, count));
    }
  }

  /**
   * 32-bit floating point numbers.
   *
   * @param values at least {@code size} values
   * @param size rows
   * @param nulls NULL rows
   */
  @SuppressWarnings("ArrayRecordComponent") // as above
  record OfFloat(float[] values, int size, Nulls nulls) implements ColumnVector {
    /** Checks the length. */
    public OfFloat {
      checkLength(values.length, size);
    }

    @Override
    public Storage storage() {
      return Storage.FLOAT;
    }

    @Override
    public long bytes() {
      return 4L * values.length + nulls.bytes();
    }

    @Override
    public OfFloat select(int[] rows, int count) {
      float[] chosen = new float[count];
      for (int i = 0; i < count; i++) {
        chosen[i] = values[rows[i]];
      }
      return new OfFloat(chosen, count, nulls.select(rows, count));
    }
  }

  /**
   * 64-bit floating point numbers.
   *
   * @param values at least {@code size} values
   * @param size rows
   * @param nulls NULL rows
   */
  @SuppressWarnings("ArrayRecordComponent") // as above
  record OfDouble(double[] values, int size, Nulls nulls) implements ColumnVector {
    /** Checks the length. */
    public OfDouble {
      checkLength(values.length, size);
    }

    @Override
    public Storage storage() {
      return Storage.DOUBLE;
    }

    @Override
    public long bytes() {
      return 8L * values.length + nulls.bytes();
    }

    @Override
    public OfDouble select(int[] rows, int count) {
      double[] chosen = new double[count];
      for (int i = 0; i < count; i++) {
        chosen[i] = values[rows[i]];
      }
      return new OfDouble(chosen, count, nulls.select(rows, count));
    }
  }

  /**
   * Byte strings, one after the other. Row {@code r} is {@code data[offsets[r]]} up to {@code
   * data[offsets[r + 1]]}; a NULL row is empty.
   *
   * @param data the bytes of all rows
   * @param offsets at least {@code size + 1} ascending offsets
   * @param size rows
   * @param nulls NULL rows
   */
  @SuppressWarnings("ArrayRecordComponent") // as above
  record OfBytes(byte[] data, int[] offsets, int size, Nulls nulls) implements ColumnVector {
    /** Checks the lengths. */
    public OfBytes {
      checkLength(offsets.length - 1, size);
      if (offsets[size] > data.length) {
        throw new IllegalArgumentException(
            "Offsets reach beyond " + data.length + " bytes of data");
      }
    }

    @Override
    public Storage storage() {
      return Storage.BYTES;
    }

    @Override
    public long bytes() {
      return data.length + 4L * offsets.length + nulls.bytes();
    }

    /**
     * Length of a row's value.
     *
     * @param row row index
     * @return bytes
     */
    public int length(int row) {
      return offsets[row + 1] - offsets[row];
    }

    /**
     * A copy of a row's value, for messages and tests.
     *
     * @param row row index
     * @return fresh bytes
     */
    public byte[] copyOf(int row) {
      return Arrays.copyOfRange(data, offsets[row], offsets[row + 1]);
    }

    @Override
    public OfBytes select(int[] rows, int count) {
      int[] chosenOffsets = new int[count + 1];
      long total = 0;
      for (int i = 0; i < count; i++) {
        total += length(rows[i]);
        chosenOffsets[i + 1] = Math.toIntExact(total);
      }
      byte[] chosen = new byte[(int) total];
      for (int i = 0; i < count; i++) {
        System.arraycopy(data, offsets[rows[i]], chosen, chosenOffsets[i], length(rows[i]));
      }
      return new OfBytes(chosen, chosenOffsets, count, nulls.select(rows, count));
    }
  }

  private static void checkLength(int length, int needed) {
    if (needed < 0 || length < needed) {
      throw new IllegalArgumentException(length + " values cannot serve " + needed + " rows");
    }
  }
}
