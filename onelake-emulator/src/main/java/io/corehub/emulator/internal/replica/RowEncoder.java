package io.corehub.emulator.internal.replica;

import java.util.Arrays;

/**
 * Builds one row after another: the number of columns, a bit per column that is set when it is
 * present, then the values. Confined to one caller at a time.
 */
final class RowEncoder {
  private byte[] bytes = new byte[256];
  private int start;
  private int length;

  /** Begins a row of so many columns, all NULL. */
  void begin(int columns) {
    length = 0;
    ensure(Varints.MAX_BYTES + (columns + 7) / 8);
    length = Varints.write(bytes, 0, columns);
    start = length;
    Arrays.fill(bytes, start, start + (columns + 7) / 8, (byte) 0);
    length += (columns + 7) / 8;
  }

  void addBoolean(int column, boolean value) {
    present(column, 1);
    bytes[length++] = (byte) (value ? 1 : 0);
  }

  void addLong(int column, long value) {
    present(column, Varints.MAX_BYTES);
    length = Varints.write(bytes, length, Varints.zigzag(value));
  }

  void addFloat(int column, float value) {
    present(column, Float.BYTES);
    int bits = Float.floatToRawIntBits(value);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[length++] = (byte) (bits >>> shift);
    }
  }

  void addDouble(int column, double value) {
    present(column, Double.BYTES);
    long bits = Double.doubleToRawLongBits(value);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[length++] = (byte) (bits >>> shift);
    }
  }

  void addBytes(int column, byte[] value) {
    present(column, Varints.MAX_BYTES + value.length);
    length = Varints.write(bytes, length, value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
  }

  /** Stores the finished row. */
  long addTo(RowArena arena) {
    return arena.add(bytes, 0, length);
  }

  private void present(int column, int needed) {
    ensure(needed);
    bytes[start + column / 8] |= (byte) (1 << (column % 8));
  }

  private void ensure(int needed) {
    if (bytes.length - length < needed) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + needed));
    }
  }
}
