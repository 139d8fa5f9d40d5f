package io.corehub.cycles;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Bytes on their way into a CSV file. What writes more than {@link #SPARE} bytes at once asks for
 * room first. Confined to one caller at a time.
 */
final class CsvBuffer {

  /** Bytes that may be put after a call of {@link #spare} without asking. */
  static final int SPARE = 128;

  private static final int SIZE = 64 << 10;
  private static final int PIECE = 8 << 10;
  private static final byte QUOTE = '"';
  private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  /** The two digits of each number below 100, the first in the lower byte. */
  private static final short[] PAIRS = pairs();

  private static final long[] POWERS = powers();

  private final byte[] bytes = new byte[SIZE];
  private final OutputStream to;
  private int at;

  CsvBuffer(OutputStream to) {
    this.to = to;
  }

  /** Bytes that have not left yet. */
  int length() {
    return at;
  }

  /** Makes sure that {@link #SPARE} bytes fit. */
  void spare() throws IOException {
    if (SIZE - at < SPARE) {
      flush();
    }
  }

  void flush() throws IOException {
    to.write(bytes, 0, at);
    at = 0;
  }

  void put(int b) {
    bytes[at++] = (byte) b;
  }

  /** Two digits. */
  void two(int number) {
    SHORTS.set(bytes, at, PAIRS[number]);
    at += 2;
  }

  /** A number of at least so many digits, without sign. */
  void digits(long number, int least) {
    int end = at + Math.max(least, digitCount(number));
    int from = end;
    long rest = number;
    while (from - at >= 2) {
      long hundredth = rest / 100;
      from -= 2;
      SHORTS.set(bytes, from, PAIRS[(int) (rest - hundredth * 100)]);
      rest = hundredth;
    }
    if (from > at) {
      bytes[at] = (byte) ('0' + rest);
    }
    at = end;
  }

  private static int digitCount(long number) {
    // 1233 / 4096 is about the logarithm of 2 to the base of 10: at most one too few.
    int about = ((Long.SIZE - Long.numberOfLeadingZeros(number | 1)) * 1233) >>> 12;
    return number >= POWERS[about] ? about + 1 : about;
  }

  private static short[] pairs() {
    short[] pairs = new short[100];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = (short) (('0' + i % 10) << 8 | ('0' + i / 10));
    }
    return pairs;
  }

  /** Powers of ten; the first is 0, so that 0 has a digit. */
  private static long[] powers() {
    long[] powers = new long[19];
    long power = 1;
    for (int i = 1; i < powers.length; i++) {
      power *= 10;
      powers[i] = power;
    }
    return powers;
  }

  /** A whole number. */
  void number(long number) {
    if (number == Long.MIN_VALUE) {
      ascii("-9223372036854775808");
    } else if (number < 0) {
      put('-');
      digits(-number, 1);
    } else {
      digits(number, 1);
    }
  }

  /** Characters below 128, at most {@link #SPARE} of them. */
  @SuppressWarnings("deprecation") // the one way to copy them without a new array
  void ascii(String text) {
    text.getBytes(0, text.length(), bytes, at);
    at += text.length();
  }

  /** Bytes as they are, however many. */
  void raw(byte[] source, int from, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int piece = Math.min(PIECE, length - done);
      room(piece);
      System.arraycopy(source, from + done, bytes, at, piece);
      at += piece;
      done += piece;
    }
  }

  /** The same with each double quote doubled. */
  void escaped(byte[] source, int from, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int piece = Math.min(PIECE, length - done);
      room(2 * piece);
      int begin = from + done;
      int end = begin + piece;
      int next = begin;
      while (next < end) {
        next = copyPlain(source, next, end);
        if (next < end) {
          bytes[at++] = QUOTE;
          bytes[at++] = QUOTE;
          next++;
        }
      }
      done += piece;
    }
    spare();
  }

  /** Copies bytes up to the first double quote, and returns its index, or the end. */
  private int copyPlain(byte[] source, int from, int end) {
    int next = from;
    int target = at;
    while (next <= end - Long.BYTES) {
      long eight = (long) LONGS.get(source, next);
      LONGS.set(bytes, target, eight);
      // The lowest byte that is zero marks the first quote; what is marked above may be wrong.
      long apart = eight ^ (EACH_BYTE * QUOTE);
      long zeros = (apart - EACH_BYTE) & ~apart & (EACH_BYTE << 7);
      if (zeros != 0) {
        int plain = Long.numberOfTrailingZeros(zeros) >>> 3;
        at = target + plain;
        return next + plain;
      }
      next += Long.BYTES;
      target += Long.BYTES;
    }
    while (next < end && source[next] != QUOTE) {
      bytes[target++] = source[next++];
    }
    at = target;
    return next;
  }

  private void room(int length) throws IOException {
    if (SIZE - at < length + SPARE) {
      flush();
    }
  }
}
