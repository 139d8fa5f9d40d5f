package io.corehub.emulator.internal.store;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;

/** An open committed file. Thread-safe. */
public interface ReadableFile extends Closeable {

  /** In bytes. */
  long length();

  /** Reads up to {@code length} bytes; at least one, or -1 at the end. */
  int read(long position, byte[] into, int offset, int length) throws IOException;

  /**
   * Reads exactly {@code length} bytes.
   *
   * @throws EOFException when the file ends before
   */
  default void readFully(long position, byte[] into, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int read = read(position + done, into, offset + done, length - done);
      if (read < 0) {
        throw new EOFException("file ends at byte " + (position + done));
      }
      done += read;
    }
  }
}
