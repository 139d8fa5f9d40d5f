package io.corehub.parquet.internal;

/** Working memory that the encoders of one file share: they run one after the other. */
final class Scratch {

  /** Most rows that an encoder takes at once. */
  static final int BLOCK_ROWS = 1024;

  private static final int KEPT_BYTES = 4 << 20;

  /** Values of a block; one spare for the branchless removal of NULLs. */
  final long[] numbers = new long[BLOCK_ROWS + 1];

  /** Rows of a block that hold a value. */
  final int[] rows = new int[BLOCK_ROWS + 1];

  private byte[] levels = {};
  private byte[] values = {};

  byte[] levels(int bytes) {
    levels = room(levels, bytes);
    return levels;
  }

  byte[] values(int bytes) {
    values = room(values, bytes);
    return values;
  }

  private static byte[] room(byte[] current, int bytes) {
    return current.length < bytes || current.length > Math.max(bytes, KEPT_BYTES)
        ? new byte[Math.max(bytes, 1024)]
        : current;
  }
}
