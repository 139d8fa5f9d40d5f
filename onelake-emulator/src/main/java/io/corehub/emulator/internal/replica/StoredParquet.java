package io.corehub.emulator.internal.replica;

import io.corehub.emulator.internal.store.ReadableFile;
import java.io.IOException;
import java.io.InputStream;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/** A file of the store, in the shape that parquet-java reads. */
final class StoredParquet implements InputFile {
  private final ReadableFile file;

  StoredParquet(ReadableFile file) {
    this.file = file;
  }

  @Override
  public long getLength() {
    return file.length();
  }

  @Override
  public SeekableInputStream newStream() {
    Positioned in = new Positioned(file);
    return new DelegatingSeekableInputStream(in) {
      @Override
      public long getPos() {
        return in.position;
      }

      @Override
      public void seek(long position) {
        in.position = position;
      }
    };
  }

  private static final class Positioned extends InputStream {
    private final ReadableFile file;
    private long position;

    Positioned(ReadableFile file) {
      this.file = file;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      int read = file.read(position, into, offset, length);
      if (read > 0) {
        position += read;
      }
      return read;
    }
  }
}
