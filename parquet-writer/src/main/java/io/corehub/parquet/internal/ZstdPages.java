package io.corehub.parquet.internal;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Zstandard. Small pages are compressed between heap arrays. Larger ones go through direct buffers,
 * because a native call on an array holds up the garbage collector until it returns; pages too
 * large for that pass through the same buffers piece by piece.
 */
final class ZstdPages extends PageCompressor {

  private static final int HEAP_PAGE_BYTES = 32 << 10;
  private static final int DIRECT_PAGE_BYTES = 2 << 20;

  private final ZstdCompressCtx context;
  private byte[] input = {};
  private @Nullable ByteBuffer directInput;
  private @Nullable ByteBuffer directOutput;

  ZstdPages(int level) {
    context = new ZstdCompressCtx().setLevel(level);
  }

  @Override
  int compress(byte[] levels, int levelBytes, byte[] values, int valueBytes) throws IOException {
    int length = Math.addExact(levelBytes, valueBytes);
    if (length <= HEAP_PAGE_BYTES) {
      input = join(input, levels, levelBytes, values, valueBytes);
      reserve(Zstd.compressBound(length));
      return context.compressByteArray(output, 0, output.length, input, 0, length);
    }
    return length <= DIRECT_PAGE_BYTES
        ? compressWhole(levels, levelBytes, values, valueBytes)
        : compressInPieces(levels, levelBytes, values, valueBytes);
  }

  private int compressWhole(byte[] levels, int levelBytes, byte[] values, int valueBytes) {
    int length = levelBytes + valueBytes;
    ByteBuffer source = direct(directInput, length);
    directInput = source;
    ByteBuffer target = direct(directOutput, Math.toIntExact(Zstd.compressBound(length)));
    directOutput = target;
    source.put(levels, 0, levelBytes).put(values, 0, valueBytes);
    int compressed =
        context.compressDirectByteBuffer(target, 0, target.capacity(), source, 0, length);
    reserve(compressed);
    target.get(0, output, 0, compressed);
    return compressed;
  }

  private int compressInPieces(byte[] levels, int levelBytes, byte[] values, int valueBytes)
      throws IOException {
    ByteBuffer source = direct(directInput, DIRECT_PAGE_BYTES);
    directInput = source;
    ByteBuffer target = direct(directOutput, DIRECT_PAGE_BYTES);
    directOutput = target;
    reserve(DIRECT_PAGE_BYTES);
    // The first piece holds the levels, which are far smaller than a piece.
    source.put(levels, 0, levelBytes);
    context.setPledgedSrcSize((long) levelBytes + valueBytes);
    int length = 0;
    int taken = 0;
    boolean ended = false;
    while (!ended) {
      int piece = Math.min(source.remaining(), valueBytes - taken);
      source.put(values, taken, piece).flip();
      taken += piece;
      EndDirective directive = taken == valueBytes ? EndDirective.END : EndDirective.CONTINUE;
      boolean flushed;
      do {
        flushed = context.compressDirectByteBufferStream(target, source, directive);
        length = append(length, target.flip());
        target.clear();
      } while (source.hasRemaining() || (directive == EndDirective.END && !flushed));
      ended = directive == EndDirective.END;
      source.clear();
    }
    return length;
  }

  private int append(int length, ByteBuffer piece) {
    int needed = Math.addExact(length, piece.remaining());
    if (needed > output.length) {
      output = Arrays.copyOf(output, Bytes.grown(output.length, needed));
    }
    piece.get(output, length, piece.remaining());
    return needed;
  }

  private static ByteBuffer direct(@Nullable ByteBuffer buffer, int bytes) {
    if (buffer != null && buffer.capacity() >= bytes) {
      return buffer.clear();
    }
    // Powers of two, so that pages of slowly growing size do not each allocate.
    return ByteBuffer.allocateDirect(Integer.highestOneBit(Math.max(bytes, 64 << 10) - 1) << 1);
  }

  @Override
  public void close() {
    context.close();
  }
}
