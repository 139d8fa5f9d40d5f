package io.corehub.hub.stream;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One line of a file: in memory, or in a private file when it is long. Can be parsed any number of
 * times until the next line is read.
 */
final class Line {

  private static final int TAIL = 16;

  private final long number;
  private final byte[] bytes;
  private final int from;
  private final int length;
  private final @Nullable Path spooled;

  private Line(long number, byte[] bytes, int from, int length, @Nullable Path spooled) {
    this.number = number;
    this.bytes = bytes;
    this.from = from;
    this.length = length;
    this.spooled = spooled;
  }

  static Line inMemory(long number, byte[] bytes, int from, int length) {
    return new Line(number, bytes, from, length, null);
  }

  /** A line in a file, of which {@code tail} holds the last bytes. */
  static Line spooled(long number, Path file, byte[] tail) {
    return new Line(number, tail, 0, tail.length, file);
  }

  /** Number of the line in its file; the first is 1. */
  long number() {
    return number;
  }

  /** Whether the line is too long to be kept in memory. */
  boolean isLong() {
    return spooled != null;
  }

  boolean isBlank() {
    for (int i = from; i < from + length; i++) {
      if (!blank(bytes[i])) {
        return false;
      }
    }
    return spooled == null;
  }

  /** Whether it begins as no text in UTF-8 does, but as one in UTF-16 or UTF-32. */
  boolean isWideText() {
    for (int i = from; i < from + Math.min(length, 2) && spooled == null; i++) {
      if (bytes[i] == 0 || bytes[i] == (byte) 0xFE || bytes[i] == (byte) 0xFF) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether an array is the last thing in the object of this line, so that nothing of weight can
   * follow it.
   */
  boolean endsWithArray() {
    int i = from + length - 1;
    int stop = Math.max(from, i - TAIL);
    while (i > stop && blank(bytes[i])) {
      i--;
    }
    if (i <= stop || bytes[i] != '}') {
      return false;
    }
    i--;
    while (i > stop && blank(bytes[i])) {
      i--;
    }
    return bytes[i] == ']';
  }

  JsonParser parser(JsonFactory json) throws IOException {
    return spooled == null
        ? json.createParser(bytes, from, length)
        : json.createParser(spooled.toFile());
  }

  private static boolean blank(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }
}
