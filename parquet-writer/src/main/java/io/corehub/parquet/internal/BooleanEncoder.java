package io.corehub.parquet.internal;

import io.corehub.agent.table.ColumnVector;
import io.corehub.parquet.ParquetColumn;
import java.io.IOException;
import org.apache.parquet.format.Statistics;

/** Booleans: one bit each, never a dictionary. */
final class BooleanEncoder extends ColumnEncoder {

  private int pageValues;
  private boolean anyTrue;
  private boolean anyFalse;

  BooleanEncoder(ParquetColumn column, EncodingLimits limits, Scratch scratch) {
    super(column, limits, scratch);
  }

  @Override
  void append(ColumnVector vector, int from, int count) {
    if (!(vector instanceof ColumnVector.OfBoolean booleans)) {
      throw misfit(vector);
    }
    boolean[] values = booleans.values();
    presence.append(vector.nulls(), from, count);
    for (int done = 0; done < count; done += 64) {
      int rows = Math.min(64, count - done);
      long bits = Presence.window(vector.nulls(), from + done, rows);
      long packed = 0;
      int packedCount = 0;
      for (int i = 0; i < rows; i++) {
        long present = bits >>> i & 1;
        packed |= (values[from + done + i] ? present : 0) << packedCount;
        packedCount += (int) present;
      }
      put(packed, packedCount);
    }
    if (pages.isFull()) {
      pages.cut(presence.rows());
      pageValues = 0;
    }
  }

  private void put(long bits, int count) {
    if (count == 0) {
      return;
    }
    anyTrue |= bits != 0;
    anyFalse |= Long.bitCount(bits) < count;
    int filled = pageValues & 7;
    byte[] target = pages.reserve(Long.BYTES + 1);
    int at = pages.length();
    if (filled > 0) {
      // The last byte of the page has room for 8 - filled more.
      target[at - 1] |= (byte) (bits << filled);
      Bytes.putLongLittle(target, at, bits >>> (8 - filled));
    } else {
      Bytes.putLongLittle(target, at, bits);
    }
    int bytesBefore = (pageValues + 7) >>> 3;
    pageValues += count;
    pages.advance(((pageValues + 7) >>> 3) - bytesBefore);
  }

  @Override
  long bufferedBytes() {
    return pages.bytes() + presence.bytes();
  }

  @Override
  void writePages(ChunkWriter out) throws IOException {
    writePlainPages(out);
  }

  @Override
  Statistics statistics() {
    Statistics statistics = new Statistics();
    if (anyTrue || anyFalse) {
      statistics.setMin_value(new byte[] {(byte) (anyFalse ? 0 : 1)});
      statistics.setMax_value(new byte[] {(byte) (anyTrue ? 1 : 0)});
      statistics.setIs_min_value_exact(true);
      statistics.setIs_max_value_exact(true);
    }
    return statistics;
  }

  @Override
  void reset() {
    pageValues = 0;
    anyTrue = false;
    anyFalse = false;
  }
}
