package io.corehub.benchmarks;

import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** A file whose bytes are copied to a ring of memory and counted. */
final class MemoryFile extends PositionOutputStream implements OutputFile {

  private static final byte[] MEMORY = new byte[1 << 20];

  private long position;

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public void write(int b) {
    MEMORY[(int) (position++ % MEMORY.length)] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    for (int done = 0; done < length; ) {
      int at = (int) (position % MEMORY.length);
      int piece = Math.min(length - done, MEMORY.length - at);
      System.arraycopy(bytes, from + done, MEMORY, at, piece);
      done += piece;
      position += piece;
    }
  }

  @Override
  public PositionOutputStream create(long blockSizeHint) {
    return this;
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSizeHint) {
    return this;
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return 0;
  }
}
