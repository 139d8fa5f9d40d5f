package io.corehub.parquet.internal;

import java.io.IOException;
import java.util.Arrays;
import org.apache.parquet.format.Encoding;

/** Dictionary indexes of one column of a row group. */
final class IndexPages {

  private static final int ROWS_PER_PAGE = 128 << 10;

  private int[] indexes = new int[64];
  private int size;

  int size() {
    return size;
  }

  int index(int at) {
    return indexes[at];
  }

  long bytes() {
    return 4L * size;
  }

  void reset() {
    size = 0;
  }

  /** Room for more indexes, which go to {@link #size()} onwards. */
  int[] reserve(int count) {
    if (size + count > indexes.length) {
      indexes = Arrays.copyOf(indexes, Bytes.grown(indexes.length, size + count));
    }
    return indexes;
  }

  void advance(int count) {
    size += count;
  }

  void write(ChunkWriter out, Presence presence, int bitWidth, Scratch scratch) throws IOException {
    int value = 0;
    for (int row = 0; row < presence.rows(); row += ROWS_PER_PAGE) {
      int rowEnd = Math.min(presence.rows(), row + ROWS_PER_PAGE);
      int valueEnd = value + presence.countPresent(row, rowEnd);
      byte[] levels = scratch.levels(Presence.levelRoom(rowEnd - row));
      int levelBytes = presence.writeLevels(row, rowEnd, levels);
      byte[] runs = scratch.values(IndexRuns.room(valueEnd - value, bitWidth));
      int runBytes = IndexRuns.write(indexes, value, valueEnd, bitWidth, runs);
      out.dataPage(levels, levelBytes, runs, runBytes, rowEnd - row, Encoding.RLE_DICTIONARY);
      value = valueEnd;
    }
  }
}
