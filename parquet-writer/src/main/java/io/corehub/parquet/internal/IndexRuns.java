package io.corehub.parquet.internal;

/** Dictionary indexes in the hybrid of run-length and bit-packed runs. */
final class IndexRuns {

  private static final int GROUP = 8;

  private IndexRuns() {}

  /** Most bytes that {@link #write} produces. */
  static int room(int count, int bitWidth) {
    // Run headers cost at most six bytes for every run of at least eight equal values.
    return 32 + (int) (((long) count * bitWidth + 7) / 8) + (count / GROUP + 1) * 12;
  }

  /**
   * Writes the bit width and the runs from index 0 of the target on.
   *
   * @return bytes written
   */
  static int write(int[] indexes, int from, int to, int bitWidth, byte[] target) {
    target[0] = (byte) bitWidth;
    int position = 1;
    int packedFrom = from;
    int at = from;
    // Packed values come in whole groups, so a run can only begin where a group would.
    while (at + GROUP <= to) {
      int runEnd = runEnd(indexes, at, to);
      if (runEnd - at >= GROUP) {
        position = writePacked(indexes, packedFrom, at, bitWidth, target, position);
        position = writeRun(indexes[at], runEnd - at, bitWidth, target, position);
        packedFrom = runEnd;
        at = runEnd;
      } else {
        at += GROUP;
      }
    }
    return writePacked(indexes, packedFrom, to, bitWidth, target, position);
  }

  private static int runEnd(int[] indexes, int from, int to) {
    int value = indexes[from];
    int end = from + 1;
    while (end < to && indexes[end] == value) {
      end++;
    }
    return end;
  }

  private static int writeRun(int value, int count, int bitWidth, byte[] target, int at) {
    int position = Bytes.putVarint(target, at, count << 1);
    for (int shift = 0; shift < bitWidth; shift += 8) {
      target[position++] = (byte) (value >>> shift);
    }
    return position;
  }

  private static int writePacked(
      int[] indexes, int from, int to, int bitWidth, byte[] target, int at) {
    if (from == to) {
      return at;
    }
    int groups = (to - from + GROUP - 1) / GROUP;
    int position = Bytes.putVarint(target, at, groups << 1 | 1);
    int end = position + groups * bitWidth;
    long pending = 0;
    int bits = 0;
    for (int i = from; i < to; i++) {
      pending |= (long) indexes[i] << bits;
      bits += bitWidth;
      if (bits >= 32) {
        Bytes.putIntLittle(target, position, (int) pending);
        position += 4;
        pending >>>= 32;
        bits -= 32;
      }
    }
    // The rest, and zeros up to a whole group and no further.
    while (position < end) {
      target[position++] = (byte) pending;
      pending >>>= 8;
    }
    return position;
  }
}
