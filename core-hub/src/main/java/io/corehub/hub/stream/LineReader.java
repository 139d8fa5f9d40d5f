package io.corehub.hub.stream;

import io.corehub.hub.source.PrivateFiles;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file or named pipe line by line in bounded memory. Reading can be interrupted. Confined
 * to one caller.
 */
final class LineReader implements AutoCloseable {

  private static final int CHUNK = 1 << 16;
  private static final int TAIL = 64;

  private final FileInputStream input;
  private final Path spoolDirectory;
  private final int longLine;
  private byte[] buffer = new byte[CHUNK];
  private int start;
  private int scanned;
  private int end;
  private boolean ended;
  private long lines;
  private @Nullable Path spooled;

  /**
   * Opens a file; of a named pipe this waits for a writer.
   *
   * @param longLine bytes above which a line is kept in a file of {@code spoolDirectory}
   */
  LineReader(Path file, Path spoolDirectory, int longLine) throws IOException {
    this.input = new FileInputStream(file.toFile());
    this.spoolDirectory = spoolDirectory;
    this.longLine = longLine;
  }

  /** Whether the next line is there, or the end: reading it will not wait for a writer. */
  boolean ready() throws IOException {
    if (ended || indexOfNewline() >= 0) {
      return true;
    }
    return input.available() > 0;
  }

  /** The next line; null at the end. The line before is gone afterwards. */
  @Nullable Line next() throws IOException {
    dropSpooled();
    while (true) {
      int newline = indexOfNewline();
      if (newline >= 0) {
        Line line = Line.inMemory(++lines, buffer, start, newline - start);
        start = newline + 1;
        scanned = start;
        return line;
      }
      if (ended) {
        if (start == end) {
          return null;
        }
        Line line = Line.inMemory(++lines, buffer, start, end - start);
        start = end;
        scanned = end;
        return line;
      }
      if (end - start > longLine) {
        return spool();
      }
      fill();
    }
  }

  private int indexOfNewline() {
    for (int i = scanned; i < end; i++) {
      if (buffer[i] == '\n') {
        scanned = i;
        return i;
      }
    }
    scanned = end;
    return -1;
  }

  private void fill() throws IOException {
    if (start > 0 && (start == end || end == buffer.length)) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      scanned -= start;
      start = 0;
    }
    if (end == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    int read = input.getChannel().read(ByteBuffer.wrap(buffer, end, buffer.length - end));
    if (read < 0) {
      ended = true;
    } else {
      end += read;
    }
  }

  /** Copies the line under way to a private file, up to its end. */
  private Line spool() throws IOException {
    byte[] tail = new byte[0];
    try (OutputStream out = newSpool()) {
      while (true) {
        int newline = indexOfNewline();
        int until = newline >= 0 ? newline : end;
        put(out, until);
        tail = lastBytes(tail, until);
        start = newline >= 0 ? newline + 1 : end;
        scanned = start;
        if (newline >= 0 || ended) {
          if (start == end) {
            buffer = new byte[CHUNK];
            start = 0;
            end = 0;
            scanned = 0;
          }
          return Line.spooled(++lines, Objects.requireNonNull(spooled), tail);
        }
        fill();
      }
    }
  }

  private OutputStream newSpool() {
    try {
      Path file = PrivateFiles.newFile(spoolDirectory, "line-");
      spooled = file;
      return Files.newOutputStream(file);
    } catch (IOException e) {
      throw PrivateFiles.unwritten(spoolDirectory, e);
    }
  }

  private void put(OutputStream out, int until) {
    try {
      out.write(buffer, start, until - start);
    } catch (IOException e) {
      throw PrivateFiles.unwritten(spoolDirectory, e);
    }
  }

  private byte[] lastBytes(byte[] before, int until) {
    int fresh = Math.min(TAIL, until - start);
    int kept = Math.min(TAIL - fresh, before.length);
    byte[] tail = new byte[kept + fresh];
    System.arraycopy(before, before.length - kept, tail, 0, kept);
    System.arraycopy(buffer, until - fresh, tail, kept, fresh);
    return tail;
  }

  private void dropSpooled() throws IOException {
    if (spooled != null) {
      Files.deleteIfExists(spooled);
      spooled = null;
    }
  }

  @Override
  public void close() throws IOException {
    try (input) {
      dropSpooled();
    }
  }
}
