package io.corehub.cycles;

import java.io.IOException;
import java.io.OutputStream;

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
    int tens = number / 10;
    bytes[at] = (byte) ('0' + tens);
    bytes[at + 1] = (byte) ('0' + number - tens * 10);
    at += 2;
  }

  /** A number of at least so many digits, without sign. */
  void digits(long number, int least) {
    long rest = number;
    int count = 1;
    for (long bound = 10; count < 19 && rest >= bound; bound *= 10) {
      count++;
    }
    count = Math.max(count, least);
    for (int i = at + count - 1; i >= at; i--) {
      long tenth = rest / 10;
      bytes[i] = (byte) ('0' + (rest - tenth * 10));
      rest = tenth;
    }
    at += count;
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
      int target = at;
      byte[] into = bytes;
      for (int i = begin; i < end; i++) {
        byte b = source[i];
        into[target++] = b;
        if (b == QUOTE) {
          into[target++] = QUOTE;
        }
      }
      at = target;
      done += piece;
    }
    spare();
  }

  private void room(int length) throws IOException {
    if (SIZE - at < length + SPARE) {
      flush();
    }
  }
}
