package io.corehub.emulator.internal.server;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts what is read of a request's body. Confined to one caller at a time. */
final class CountedBody extends FilterInputStream {
  private long count;

  CountedBody(InputStream in) {
    super(in);
  }

  long count() {
    return count;
  }

  @Override
  public int read() throws IOException {
    int value = super.read();
    if (value >= 0) {
      count++;
    }
    return value;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = in.read(into, offset, length);
    if (read > 0) {
      count += read;
    }
    return read;
  }

  /** Reads and forgets the rest, so that the client sees the answer instead of a broken pipe. */
  void drain() throws IOException {
    byte[] buffer = new byte[16 * 1024];
    int read = read(buffer, 0, buffer.length);
    while (read >= 0) {
      read = read(buffer, 0, buffer.length);
    }
  }
}
