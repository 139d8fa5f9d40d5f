package io.corehub.verify;

import java.io.IOException;
import java.io.InputStream;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/**
 * A file that is read by ranges, in the shape that parquet-java reads. Its streams are confined to
 * one caller at a time.
 */
public final class RangedInput implements InputFile {

  /** Reads a range. */
  public interface Ranges {
    /**
     * Reads up to {@code length} bytes at a position of the file.
     *
     * @return how many were read, -1 at the end
     */
    int read(long position, byte[] into, int offset, int length) throws IOException;
  }

  private final long length;
  private final Ranges ranges;

  /**
   * A file of {@code length} bytes.
   *
   * @param length in bytes
   * @param ranges reads it
   */
  public RangedInput(long length, Ranges ranges) {
    this.length = length;
    this.ranges = ranges;
  }

  @Override
  public long getLength() {
    return length;
  }

  @Override
  public SeekableInputStream newStream() {
    Positioned in = new Positioned(ranges);
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
    private final Ranges ranges;
    private long position;

    Positioned(Ranges ranges) {
      this.ranges = ranges;
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
      int read = ranges.read(position, into, offset, length);
      if (read > 0) {
        position += read;
      }
      return read;
    }
  }
}
