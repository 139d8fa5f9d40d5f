package io.corehub.parquet.internal;

import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import io.corehub.parquet.ParquetColumn;
import io.corehub.parquet.ParquetType;
import java.io.IOException;
import org.apache.parquet.format.Statistics;

/**
 * Everything that fits in a long: integers, dates, times, decimals of up to 18 digits, and floating
 * point numbers as their raw bits.
 */
final class NumberEncoder extends ColumnEncoder {

  private final boolean decimal;
  private final int width;
  private final long greatestDecimal;
  private final NumberBounds bounds;
  private final LongDictionary dictionary = new LongDictionary();
  private final IndexPages indexes = new IndexPages();
  private boolean indexing;
  private int nextCheck = DictionaryChoice.FIRST_CHECK;

  NumberEncoder(ParquetColumn column, EncodingLimits limits, Scratch scratch) {
    super(column, limits, scratch);
    ParquetType type = column.type();
    decimal = type.kind() == ParquetType.Kind.DECIMAL;
    width = PhysicalTypes.width(type);
    greatestDecimal = decimal ? PhysicalTypes.greatestUnscaled(type.precision()) : 0;
    bounds = new NumberBounds(type);
    indexing = limits.dictionaries();
  }

  @Override
  void append(ColumnVector vector, int from, int count) {
    int values = presence.append(vector.nulls(), from, count);
    if (values == 0) {
      return;
    }
    long[] block = scratch.numbers;
    load(vector, from, count, values < count, block);
    bounds.add(block, values);
    if (decimal && (bounds.min() < -greatestDecimal || bounds.max() > greatestDecimal)) {
      throw tooManyDigits(vector.nulls(), from, count, block);
    }
    if (indexing) {
      dictionary.indexes(block, values, indexes.reserve(values), indexes.size());
      indexes.advance(values);
      if (dictionary.size() >= nextCheck || dictionaryBytes() > limits.dictionaryBytes()) {
        nextCheck = 2 * dictionary.size();
        if (!worthGoingOn()) {
          giveUpDictionary();
        }
      }
    } else {
      plain(block, values, presence.rows());
    }
  }

  private void load(ColumnVector vector, int from, int count, boolean anyNull, long[] into) {
    switch (column.type().kind()) {
      case INT32, DATE -> {
        if (!(vector instanceof ColumnVector.OfInt ints)) {
          throw misfit(vector);
        }
        int[] values = ints.values();
        for (int i = 0; i < count; i++) {
          into[i] = values[from + i];
        }
      }
      case FLOAT -> {
        if (!(vector instanceof ColumnVector.OfFloat floats)) {
          throw misfit(vector);
        }
        float[] values = floats.values();
        for (int i = 0; i < count; i++) {
          into[i] = Float.floatToRawIntBits(values[from + i]);
        }
      }
      case DOUBLE -> {
        if (!(vector instanceof ColumnVector.OfDouble doubles)) {
          throw misfit(vector);
        }
        double[] values = doubles.values();
        for (int i = 0; i < count; i++) {
          into[i] = Double.doubleToRawLongBits(values[from + i]);
        }
      }
      case DECIMAL -> loadDecimals(vector, from, count, into);
      default -> loadLongs(vector, from, count, into);
    }
    if (anyNull) {
      removeNulls(vector.nulls(), from, count, into);
    }
  }

  private void loadLongs(ColumnVector vector, int from, int count, long[] into) {
    if (!(vector instanceof ColumnVector.OfLong longs)) {
      throw misfit(vector);
    }
    System.arraycopy(longs.values(), from, into, 0, count);
  }

  private void loadDecimals(ColumnVector vector, int from, int count, long[] into) {
    if (!(vector instanceof ColumnVector.OfBytes bytes)) {
      loadLongs(vector, from, count, into);
      return;
    }
    for (int i = 0; i < count; i++) {
      if (!vector.nulls().isNull(from + i)) {
        int length = bytes.length(from + i);
        if (length == 0 || length > width) {
          throw refusal(
              from + i, length + " bytes cannot be the unscaled value of a " + column.type());
        }
        int at = bytes.offsets()[from + i];
        into[i] = Bytes.prefix(bytes.data(), at, length) >> (64 - 8 * length);
      }
    }
  }

  private static void removeNulls(Nulls nulls, int from, int count, long[] block) {
    int kept = 0;
    for (int done = 0; done < count; done += 64) {
      int rows = Math.min(64, count - done);
      long bits = Presence.window(nulls, from + done, rows);
      for (int i = 0; i < rows; i++) {
        block[kept] = block[done + i];
        kept += (int) (bits >>> i) & 1;
      }
    }
  }

  private IllegalArgumentException tooManyDigits(Nulls nulls, int from, int count, long[] block) {
    int value = 0;
    for (int row = from; row < from + count; row++) {
      if (!nulls.isNull(row)) {
        long unscaled = block[value++];
        if (unscaled < -greatestDecimal || unscaled > greatestDecimal) {
          return refusal(
              row, "the unscaled value " + unscaled + " has too many digits for " + column.type());
        }
      }
    }
    throw new IllegalStateException("No value of '" + column.name() + "' exceeds its type");
  }

  private boolean worthGoingOn() {
    long expected = (long) limits.expectedRows() * indexes.size() / presence.rows();
    return dictionaryBytes() <= limits.dictionaryBytes()
        && DictionaryChoice.worth(
            dictionary.size(), indexes.size(), expected, width, width, limits.dictionaryBytes());
  }

  private long dictionaryBytes() {
    return (long) dictionary.size() * width;
  }

  /** Turns the indexes so far into PLAIN values. */
  private void giveUpDictionary() {
    indexing = false;
    long[] block = scratch.numbers;
    int value = 0;
    for (int row = 0; row < presence.rows(); row += Scratch.BLOCK_ROWS) {
      int rowEnd = Math.min(presence.rows(), row + Scratch.BLOCK_ROWS);
      int count = presence.countPresent(row, rowEnd);
      for (int i = 0; i < count; i++) {
        block[i] = dictionary.value(indexes.index(value + i));
      }
      value += count;
      plain(block, count, rowEnd);
    }
    dictionary.reset();
    indexes.reset();
  }

  private void plain(long[] block, int count, int rowEnd) {
    byte[] target = pages.reserve(count * width + Long.BYTES);
    write(block, count, target, pages.length());
    pages.advance(count * width);
    if (pages.isFull()) {
      pages.cut(rowEnd);
    }
  }

  /** May write up to eight bytes behind the last value. */
  private void write(long[] block, int count, byte[] target, int from) {
    int at = from;
    if (decimal) {
      int shift = 64 - 8 * width;
      for (int i = 0; i < count; i++) {
        Bytes.putLongBig(target, at, block[i] << shift);
        at += width;
      }
    } else if (width == Integer.BYTES) {
      for (int i = 0; i < count; i++) {
        Bytes.putIntLittle(target, at, (int) block[i]);
        at += Integer.BYTES;
      }
    } else {
      for (int i = 0; i < count; i++) {
        Bytes.putLongLittle(target, at, block[i]);
        at += Long.BYTES;
      }
    }
  }

  @Override
  long bufferedBytes() {
    return pages.bytes() + presence.bytes() + indexes.bytes() + dictionaryBytes();
  }

  @Override
  void writePages(ChunkWriter out) throws IOException {
    int bitWidth = DictionaryChoice.bitWidth(dictionary.size());
    long indexed = dictionaryBytes() + ((long) indexes.size() * bitWidth + 7) / 8;
    if (indexing && indexed >= (long) indexes.size() * width) {
      giveUpDictionary();
    }
    if (!indexing) {
      writePlainPages(out);
      return;
    }
    out.dictionaryPage(entries(), dictionary.size() * width, dictionary.size());
    indexes.write(out, presence, bitWidth, scratch);
  }

  private byte[] entries() {
    byte[] target = scratch.values(dictionary.size() * width + Long.BYTES);
    long[] block = scratch.numbers;
    for (int from = 0; from < dictionary.size(); from += Scratch.BLOCK_ROWS) {
      int count = Math.min(Scratch.BLOCK_ROWS, dictionary.size() - from);
      for (int i = 0; i < count; i++) {
        block[i] = dictionary.value(from + i);
      }
      write(block, count, target, from * width);
    }
    return target;
  }

  @Override
  Statistics statistics() {
    return bounds.statistics(width, decimal);
  }

  @Override
  void reset() {
    bounds.reset();
    dictionary.reset();
    indexes.reset();
    indexing = limits.dictionaries();
    nextCheck = DictionaryChoice.FIRST_CHECK;
  }
}
