package io.corehub.emulator.internal.server;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Lets so many bytes through and then breaks. Confined to one caller at a time. */
final class CutOutput extends FilterOutputStream {
  private long left;

  CutOutput(OutputStream out, long bytes) {
    super(out);
    this.left = bytes;
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    int part = (int) Math.min(left, length);
    out.write(from, offset, part);
    left -= part;
    if (part < length) {
      out.flush();
      throw new IOException("cut by a fault rule");
    }
  }
}
