package io.corehub.parquet.internal;

import io.corehub.parquet.ParquetColumn;
import java.io.IOException;

/** Values that are byte strings, of any length or of one fixed length. */
abstract sealed class ByteStringEncoder extends ColumnEncoder
    permits TextEncoder, WideDecimalEncoder {

  /** A longer value ends the attempt at a dictionary before it is copied there. */
  private static final int LONGEST_ENTRY = 64 << 10;

  private final int prefixBytes;
  private final BytesDictionary dictionary;
  private final IndexPages indexes = new IndexPages();
  private boolean indexing;
  private int nextCheck = DictionaryChoice.FIRST_CHECK;
  private long indexedPlainBytes;

  ByteStringEncoder(ParquetColumn column, EncodingLimits limits, Scratch scratch, int prefixBytes) {
    super(column, limits, scratch);
    this.prefixBytes = prefixBytes;
    this.dictionary = new BytesDictionary(prefixBytes);
    this.indexing = limits.dictionaries();
  }

  /** Takes part in the bounds: called at least once for each distinct value. */
  abstract void observe(byte[] data, int from, int length);

  /** Adds a value; {@code row} is its row in the row group. */
  final void put(byte[] data, int from, int length, int row) {
    if (indexing && length <= LONGEST_ENTRY) {
      int index = dictionary.index(data, from, length);
      indexes.reserve(1)[indexes.size()] = index;
      indexes.advance(1);
      indexedPlainBytes += prefixBytes + length;
    } else {
      if (indexing) {
        giveUpDictionary();
      }
      plain(data, from, length, row);
    }
  }

  /**
   * Adds values that lie one behind the other, if there is a dictionary and all may enter it.
   *
   * @param rows the rows that hold a value, counted from {@code from}
   * @return false if nothing was added
   */
  final boolean putInDictionary(byte[] data, int[] offsets, int from, int[] rows, int count) {
    if (!indexing || longest(offsets, from, rows, count) > LONGEST_ENTRY) {
      return false;
    }
    dictionary.indexes(data, offsets, from, rows, count, indexes.reserve(count), indexes.size());
    indexes.advance(count);
    if (count > 0) {
      int first = offsets[from + rows[0]];
      indexedPlainBytes += offsets[from + rows[count - 1] + 1] - first + (long) prefixBytes * count;
    }
    return true;
  }

  private static int longest(int[] offsets, int from, int[] rows, int count) {
    int longest = 0;
    for (int i = 0; i < count; i++) {
      int row = from + rows[i];
      longest = Math.max(longest, offsets[row + 1] - offsets[row]);
    }
    return longest;
  }

  /** Decides after a block of values whether the dictionary still pays. */
  final void endBlock() {
    if (indexing
        && (dictionary.size() >= nextCheck || dictionary.bytes() > limits.dictionaryBytes())) {
      nextCheck = 2 * dictionary.size();
      if (!worthGoingOn()) {
        giveUpDictionary();
      }
    }
  }

  private boolean worthGoingOn() {
    long expected = (long) limits.expectedRows() * indexes.size() / presence.rows();
    return dictionary.bytes() <= limits.dictionaryBytes()
        && DictionaryChoice.worth(
            dictionary.size(),
            indexes.size(),
            expected,
            (double) dictionary.bytes() / dictionary.size(),
            (double) indexedPlainBytes / indexes.size(),
            limits.dictionaryBytes());
  }

  /** Turns the indexes so far into PLAIN values. */
  private void giveUpDictionary() {
    indexing = false;
    int value = 0;
    for (int row = 0; value < indexes.size(); row += 64) {
      long bits = presence.window(row, Math.min(64, presence.rows() - row));
      for (; bits != 0 && value < indexes.size(); bits &= bits - 1) {
        int index = indexes.index(value++);
        int start = dictionary.start(index);
        plain(
            dictionary.pool(),
            start,
            dictionary.end(index) - start,
            row + Long.numberOfTrailingZeros(bits));
      }
    }
    forgetDictionary();
  }

  /**
   * Adds values that lie one behind the other, if there is no dictionary to ask and the open page
   * has room for all of them. They do not take part in the bounds here.
   *
   * @return false if nothing was added
   */
  final boolean putWithoutDictionary(byte[] data, int[] offsets, int from, int count) {
    long needed = (long) offsets[from + count] - offsets[from] + (long) prefixBytes * count;
    if (indexing || count == 0 || pages.length() + needed > limits.pageBytes()) {
      return false;
    }
    byte[] target = pages.reserve((int) needed);
    int at = pages.length();
    int start = offsets[from];
    for (int row = from; row < from + count; row++) {
      int end = offsets[row + 1];
      if (prefixBytes == Integer.BYTES) {
        Bytes.putIntLittle(target, at, end - start);
      }
      System.arraycopy(data, start, target, at + prefixBytes, end - start);
      at += prefixBytes + end - start;
      start = end;
    }
    pages.advance((int) needed);
    return true;
  }

  private void plain(byte[] data, int from, int length, int row) {
    observe(data, from, length);
    int needed = prefixBytes + length;
    if (pages.wouldOverflow(needed)) {
      pages.cut(row);
    }
    byte[] target = pages.reserve(needed);
    int at = pages.length();
    if (prefixBytes == Integer.BYTES) {
      Bytes.putIntLittle(target, at, length);
    }
    System.arraycopy(data, from, target, at + prefixBytes, length);
    pages.advance(needed);
  }

  @Override
  final long bufferedBytes() {
    return pages.bytes() + presence.bytes() + indexes.bytes() + dictionary.bytes();
  }

  @Override
  final void writePages(ChunkWriter out) throws IOException {
    int bitWidth = DictionaryChoice.bitWidth(dictionary.size());
    long indexed = dictionary.bytes() + ((long) indexes.size() * bitWidth + 7) / 8;
    if (indexing && indexed >= indexedPlainBytes) {
      giveUpDictionary();
    }
    if (!indexing) {
      writePlainPages(out);
      return;
    }
    for (int i = 0; i < dictionary.size(); i++) {
      int start = dictionary.start(i);
      observe(dictionary.pool(), start, dictionary.end(i) - start);
    }
    out.dictionaryPage(dictionary.pool(), dictionary.bytes(), dictionary.size());
    indexes.write(out, presence, bitWidth, scratch);
  }

  private void forgetDictionary() {
    dictionary.reset();
    indexes.reset();
    indexedPlainBytes = 0;
  }

  @Override
  void reset() {
    forgetDictionary();
    indexing = limits.dictionaries();
    nextCheck = DictionaryChoice.FIRST_CHECK;
  }
}
