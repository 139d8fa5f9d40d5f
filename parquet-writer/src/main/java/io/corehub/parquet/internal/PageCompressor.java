package io.corehub.parquet.internal;

import io.corehub.parquet.Compression;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.xerial.snappy.Snappy;

/**
 * Compresses one page after the other. A page is given as its levels and its values; the result
 * stays valid until the next call. Confined to one caller at a time.
 */
abstract sealed class PageCompressor implements AutoCloseable
    permits PageCompressor.None, PageCompressor.SnappyPages, PageCompressor.GzipPages, ZstdPages {

  /** Buffers above this size are given up after the page that needed them. */
  static final int KEPT_BYTES = 4 << 20;

  static PageCompressor of(Compression compression) {
    return switch (compression.codec()) {
      case UNCOMPRESSED -> new None();
      case SNAPPY -> new SnappyPages();
      case GZIP -> new GzipPages();
      case ZSTD -> new ZstdPages(compression.level());
    };
  }

  byte[] output = {};

  /** The bytes of the last page. */
  final byte[] output() {
    return output;
  }

  /**
   * Compresses a page.
   *
   * @return how many bytes of {@link #output()} are the result
   */
  abstract int compress(byte[] levels, int levelBytes, byte[] values, int valueBytes)
      throws IOException;

  @Override
  public void close() {}

  final void reserve(long bytes) {
    if (output.length < bytes || output.length > KEPT_BYTES) {
      output = new byte[Math.toIntExact(Math.max(bytes, 1024))];
    }
  }

  /** Levels and values in one array, which is used again. */
  static byte[] join(byte[] into, byte[] levels, int levelBytes, byte[] values, int valueBytes) {
    int total = Math.addExact(levelBytes, valueBytes);
    byte[] joined =
        into.length < total || into.length > KEPT_BYTES ? new byte[Math.max(total, 1024)] : into;
    System.arraycopy(levels, 0, joined, 0, levelBytes);
    System.arraycopy(values, 0, joined, levelBytes, valueBytes);
    return joined;
  }

  static final class None extends PageCompressor {
    @Override
    int compress(byte[] levels, int levelBytes, byte[] values, int valueBytes) {
      output = join(output, levels, levelBytes, values, valueBytes);
      return levelBytes + valueBytes;
    }
  }

  static final class SnappyPages extends PageCompressor {
    private byte[] input = {};

    @Override
    int compress(byte[] levels, int levelBytes, byte[] values, int valueBytes) throws IOException {
      input = join(input, levels, levelBytes, values, valueBytes);
      int length = levelBytes + valueBytes;
      reserve(32L + length + length / 6);
      return Snappy.compress(input, 0, length, output, 0);
    }
  }

  static final class GzipPages extends PageCompressor {
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final int TRAILER_BYTES = 8;

    private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    private final CRC32 crc = new CRC32();
    private int length;

    @Override
    int compress(byte[] levels, int levelBytes, byte[] values, int valueBytes) {
      deflater.reset();
      crc.reset();
      reserve(HEADER.length + TRAILER_BYTES + 64L);
      System.arraycopy(HEADER, 0, output, 0, HEADER.length);
      length = HEADER.length;
      crc.update(levels, 0, levelBytes);
      deflater.setInput(levels, 0, levelBytes);
      drain();
      crc.update(values, 0, valueBytes);
      deflater.setInput(values, 0, valueBytes);
      deflater.finish();
      drain();
      room(TRAILER_BYTES);
      Bytes.putIntLittle(output, length, (int) crc.getValue());
      Bytes.putIntLittle(output, length + 4, levelBytes + valueBytes);
      return length + TRAILER_BYTES;
    }

    private void drain() {
      int written;
      do {
        room(512);
        written = deflater.deflate(output, length, output.length - length);
        length += written;
      } while (written > 0);
    }

    private void room(int bytes) {
      if (output.length - length < bytes) {
        output = Arrays.copyOf(output, Bytes.grown(output.length, length + bytes));
      }
    }

    @Override
    public void close() {
      deflater.end();
    }
  }
}
