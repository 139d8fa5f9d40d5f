package io.corehub.emulator.internal.replica;

/** Unsigned numbers in seven-bit groups, least significant first. */
final class Varints {
  static final int MAX_BYTES = 10;

  private Varints() {}

  /** Writes a number and returns the position behind it. */
  static int write(byte[] into, int offset, long value) {
    long left = value;
    int at = offset;
    while ((left & ~0x7fL) != 0) {
      into[at++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    into[at++] = (byte) left;
    return at;
  }

  static long read(byte[] from, int offset) {
    long value = 0;
    int shift = 0;
    int at = offset;
    while (from[at] < 0) {
      value |= (long) (from[at++] & 0x7f) << shift;
      shift += 7;
    }
    return value | ((long) from[at] << shift);
  }

  /** How many bytes the number at the position takes. */
  static int skip(byte[] from, int offset) {
    int at = offset;
    while (from[at] < 0) {
      at++;
    }
    return at - offset + 1;
  }

  static int size(long value) {
    return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
  }

  static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  static long unzigzag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }
}
