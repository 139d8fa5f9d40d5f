package io.corehub.storage;

import io.corehub.parquet.ByteSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file under construction, cut into upload blocks. Confined to one caller at a time;
 * a sealed one is immutable.
 */
public final class FileBytes implements ByteSink {

  /** Takes blocks as they fill. */
  public interface FullBlocks {
    /**
     * A block is full and will not change.
     *
     * @param position its place in the file
     * @param bytes array that holds it
     * @param length its length
     */
    void full(long position, byte[] bytes, int length);
  }

  private static final int FIRST_BYTES = 16 << 10;

  /**
   * A part of the file.
   *
   * @param position its place
   * @param bytes array that holds it
   * @param length its length
   */
  @SuppressWarnings("ArrayRecordComponent") // handed over without a copy
  public record Block(long position, byte[] bytes, int length) {}

  private final int blockBytes;
  private final @Nullable FullBlocks streaming;
  private final List<Block> kept = new ArrayList<>();
  private byte[] open = new byte[FIRST_BYTES];
  private int openLength;
  private long openPosition;
  private boolean complete;
  private boolean discarded;

  /**
   * Keeps all blocks.
   *
   * @param blockBytes size of a block
   */
  public FileBytes(int blockBytes) {
    this(blockBytes, null);
  }

  /**
   * Gives blocks away as they fill; only the last, partial one is kept.
   *
   * @param blockBytes size of a block
   * @param streaming takes full blocks; null keeps them
   */
  public FileBytes(int blockBytes, @Nullable FullBlocks streaming) {
    this.blockBytes = blockBytes;
    this.streaming = streaming;
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    int at = from;
    int left = length;
    while (left > 0) {
      if (openLength == blockBytes) {
        cut();
      }
      int part = Math.min(left, blockBytes - openLength);
      makeRoom(part);
      System.arraycopy(bytes, at, open, openLength, part);
      openLength += part;
      at += part;
      left -= part;
    }
  }

  private void makeRoom(int part) {
    int needed = openLength + part;
    if (needed > open.length) {
      open = Arrays.copyOf(open, (int) Math.min(blockBytes, Math.max(needed, open.length * 2L)));
    }
  }

  private void cut() {
    if (streaming == null) {
      kept.add(new Block(openPosition, open, openLength));
    } else {
      streaming.full(openPosition, open, openLength);
    }
    openPosition += openLength;
    open = new byte[Math.min(blockBytes, Math.max(FIRST_BYTES, open.length))];
    openLength = 0;
  }

  @Override
  public void complete() {
    if (openLength > 0) {
      kept.add(new Block(openPosition, open, openLength));
    }
    complete = true;
  }

  @Override
  public void discard() {
    kept.clear();
    open = new byte[0];
    openLength = 0;
    discarded = true;
  }

  /**
   * Whether all bytes of a valid file were written.
   *
   * @return true if so
   */
  public boolean isComplete() {
    return complete && !discarded;
  }

  /**
   * Blocks that are kept, in order.
   *
   * @return blocks
   */
  public List<Block> blocks() {
    return kept;
  }

  /**
   * Length of the file so far.
   *
   * @return bytes
   */
  public long length() {
    return openPosition + openLength;
  }

  /**
   * Memory of what is kept.
   *
   * @return bytes
   */
  public long held() {
    long held = complete ? 0 : open.length;
    for (Block block : kept) {
      held += block.bytes.length;
    }
    return held;
  }

  /** Forgets everything: the outcome of the file is known. */
  public void free() {
    kept.clear();
    open = new byte[0];
  }
}
