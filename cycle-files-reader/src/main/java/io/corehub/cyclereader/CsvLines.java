package io.corehub.cyclereader;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines of CSV as the layout writes it, one after the other: UTF-8, every value in double quotes,
 * double quotes in it doubled, NULL as nothing at all, LF behind each line. Strict: anything else
 * is an error. Holds one line. Confined to one caller at a time.
 */
final class CsvLines implements Closeable {

  private static final int LONGEST_VALUE = 1 << 30;

  private final InputStream in;
  private final String path;
  private final Value value = new Value();
  private long line;

  CsvLines(InputStream in, String path) {
    this.in = in;
    this.path = path;
  }

  /** Bytes of the value that is read. */
  private static final class Value extends ByteArrayOutputStream {
    @Nullable String text() {
      try {
        return StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .decode(ByteBuffer.wrap(buf, 0, count))
            .toString();
      } catch (CharacterCodingException e) {
        return null;
      }
    }
  }

  /** Number of the line that was read last, from 1; one value may hold several lines of text. */
  long line() {
    return line;
  }

  /**
   * The next line.
   *
   * @return its values, null for NULL; empty at the end of the file
   * @throws CycleFormatException if the file is no such text
   */
  @Nullable List<@Nullable String> next() throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    line++;
    List<@Nullable String> values = new ArrayList<>();
    int c = first;
    while (true) {
      boolean quoted = c == '"';
      if (quoted) {
        c = quoted();
      }
      values.add(quoted ? text() : null);
      if (c == '\n') {
        return values;
      }
      if (c != ',') {
        throw wrong(
            c < 0
                ? "the file ends inside a line"
                : "'" + (char) c + "' stands outside of double quotes");
      }
      c = in.read();
    }
  }

  /** Reads a value whose first quote was read; returns what stands behind its last. */
  private int quoted() throws IOException {
    value.reset();
    while (true) {
      int c = in.read();
      if (c < 0) {
        throw wrong("the file ends inside a value");
      }
      if (c == '"') {
        int next = in.read();
        if (next != '"') {
          return next;
        }
      }
      if (value.size() == LONGEST_VALUE) {
        throw wrong("a value is longer than " + LONGEST_VALUE + " bytes");
      }
      value.write(c);
    }
  }

  private String text() throws CycleFormatException {
    String text = value.text();
    if (text == null) {
      throw wrong("a value is not UTF-8");
    }
    return text;
  }

  private CycleFormatException wrong(String reason) {
    return new CycleFormatException(path, "line " + line + ": " + reason);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
