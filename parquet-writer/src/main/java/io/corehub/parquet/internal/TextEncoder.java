package io.corehub.parquet.internal;

import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import io.corehub.parquet.ParquetColumn;
import io.corehub.parquet.ParquetType;
import org.apache.parquet.format.Statistics;

/** Strings and binaries. */
final class TextEncoder extends ByteStringEncoder {

  /** A page holds a value whole, and a page's size is a 32-bit number. */
  private static final int LONGEST_VALUE = 1 << 30;

  private final BytesBounds bounds;

  TextEncoder(ParquetColumn column, EncodingLimits limits, Scratch scratch) {
    super(column, limits, scratch, Integer.BYTES);
    bounds = new BytesBounds(column.type().kind() == ParquetType.Kind.STRING);
  }

  @Override
  void append(ColumnVector vector, int from, int count) {
    if (!(vector instanceof ColumnVector.OfBytes bytes)) {
      throw misfit(vector);
    }
    int base = presence.rows();
    int values = presence.append(vector.nulls(), from, count);
    if (values == count && putWithoutDictionary(bytes.data(), bytes.offsets(), from, count)) {
      bounds.addAll(bytes.data(), bytes.offsets(), from, count);
      return;
    }
    int[] rows = scratch.rows;
    presentRows(vector.nulls(), from, count, rows);
    if (!putInDictionary(bytes.data(), bytes.offsets(), from, rows, values)) {
      for (int i = 0; i < values; i++) {
        put(bytes, from + rows[i], base + rows[i]);
      }
    }
    endBlock();
  }

  private void put(ColumnVector.OfBytes bytes, int vectorRow, int groupRow) {
    int start = bytes.offsets()[vectorRow];
    int length = bytes.offsets()[vectorRow + 1] - start;
    if (length > LONGEST_VALUE) {
      throw refusal(
          vectorRow,
          "a value of " + length + " bytes; at most " + LONGEST_VALUE + " can be written");
    }
    put(bytes.data(), start, length, groupRow);
  }

  /** Writes the rows that hold a value, counted from {@code from}. */
  static void presentRows(Nulls nulls, int from, int count, int[] into) {
    int kept = 0;
    for (int done = 0; done < count; done += 64) {
      int rows = Math.min(64, count - done);
      long bits = Presence.window(nulls, from + done, rows);
      for (int i = 0; i < rows; i++) {
        into[kept] = done + i;
        kept += (int) (bits >>> i) & 1;
      }
    }
  }

  @Override
  void observe(byte[] data, int from, int length) {
    bounds.add(data, from, length);
  }

  @Override
  Statistics statistics() {
    return bounds.statistics();
  }

  @Override
  void reset() {
    super.reset();
    bounds.reset();
  }
}
