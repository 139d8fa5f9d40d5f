package io.corehub.verify;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/**
 * The compressions that Fabric reads. A page that claims a size which cannot be true is refused
 * before memory is taken for it. Confined to one caller at a time.
 */
public final class Decompression implements CompressionCodecFactory {
  private static final Set<CompressionCodecName> KNOWN =
      EnumSet.of(
          CompressionCodecName.UNCOMPRESSED,
          CompressionCodecName.SNAPPY,
          CompressionCodecName.GZIP,
          CompressionCodecName.ZSTD);

  private long limit;

  /**
   * Whether pages of a codec can be read.
   *
   * @param codec the codec
   * @return true if they can
   */
  public static boolean knows(CompressionCodecName codec) {
    return KNOWN.contains(codec);
  }

  /** Creates it; no page may have any byte until {@link #limit} is called. */
  public Decompression() {}

  /**
   * Bounds the pages that are read from now on.
   *
   * @param bytes most bytes of a page before compression
   */
  public void limit(long bytes) {
    limit = bytes;
  }

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    throw new UnsupportedOperationException("Files are only read");
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    return new BytesInputDecompressor() {
      @Override
      public BytesInput decompress(BytesInput bytes, int size) throws IOException {
        if (size < 0 || size > limit) {
          throw new IOException("a page claims to have " + size + " bytes");
        }
        return BytesInput.from(decompressed(codec, bytes.toInputStream().readAllBytes(), size));
      }

      @Override
      public void decompress(ByteBuffer in, int length, ByteBuffer out, int size) {
        throw new UnsupportedOperationException("Pages are read into arrays");
      }

      @Override
      public void release() {}
    };
  }

  private static byte[] decompressed(CompressionCodecName codec, byte[] bytes, int size)
      throws IOException {
    if (bytes.length == 0 && size == 0) {
      return bytes; // Some writers leave out the frame when a page has no values.
    }
    return switch (codec) {
      case UNCOMPRESSED -> ofSize(bytes, size);
      case SNAPPY -> {
        if (Snappy.uncompressedLength(bytes) != size) {
          throw new IOException("a page has another size than it says");
        }
        yield Snappy.uncompress(bytes);
      }
      case GZIP -> gunzipped(bytes, size);
      case ZSTD -> {
        byte[] out = new byte[size];
        long count = Zstd.decompress(out, bytes);
        if (Zstd.isError(count)) {
          throw new IOException("a page does not decompress: " + Zstd.getErrorName(count));
        }
        yield ofLength(out, count);
      }
      default -> throw new IOException("the compression " + codec + " is not known");
    };
  }

  private static byte[] gunzipped(byte[] bytes, int size) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      byte[] out = in.readNBytes(size);
      if (in.read() >= 0) {
        throw new IOException("a page is larger than it says");
      }
      return ofSize(out, size);
    }
  }

  private static byte[] ofLength(byte[] bytes, long length) throws IOException {
    if (bytes.length != length) {
      throw new IOException("a page has " + length + " bytes instead of " + bytes.length);
    }
    return bytes;
  }

  private static byte[] ofSize(byte[] bytes, int size) throws IOException {
    if (bytes.length != size) {
      throw new IOException("a page has " + bytes.length + " bytes instead of " + size);
    }
    return bytes;
  }

  @Override
  public void release() {}
}
