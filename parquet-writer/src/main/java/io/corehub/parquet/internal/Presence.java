package io.corehub.parquet.internal;

import io.corehub.agent.table.Nulls;
import io.corehub.parquet.ParquetColumn;
import java.util.Arrays;

/** Which rows of a row group hold a value in one column: its definition levels. */
final class Presence {

  private final ParquetColumn column;
  private long[] words = {};
  private boolean anyNull;
  private int rows;
  private int present;

  Presence(ParquetColumn column) {
    this.column = column;
  }

  int rows() {
    return rows;
  }

  int present() {
    return present;
  }

  int nullCount() {
    return rows - present;
  }

  long bytes() {
    return anyNull ? rows >>> 3 : 0;
  }

  void reset() {
    anyNull = false;
    rows = 0;
    present = 0;
  }

  /** Appends rows and returns how many of them hold a value. */
  int append(Nulls nulls, int from, int count) {
    int values = nulls.any() ? countPresent(nulls, from, count) : count;
    if (values < count && column.required()) {
      throw new IllegalArgumentException(
          "Column '" + column.name() + "' is required, and a row of it is NULL");
    }
    if (values < count && !anyNull) {
      words = Arrays.copyOf(words, Math.max(words.length, (rows + count + 63) >>> 6));
      fillOnes();
      anyNull = true;
    }
    if (anyNull) {
      int needed = (rows + count + 63) >>> 6;
      if (needed > words.length) {
        words = Arrays.copyOf(words, Bytes.grown(words.length, needed));
      }
      for (int done = 0; done < count; done += 64) {
        int bits = Math.min(64, count - done);
        appendBits(window(nulls, from + done, bits), rows + done, bits);
      }
    }
    rows += count;
    present += values;
    return values;
  }

  private void fillOnes() {
    int whole = rows >>> 6;
    Arrays.fill(words, 0, whole, -1L);
    if ((rows & 63) != 0) {
      words[whole] = (1L << rows) - 1;
    }
  }

  private void appendBits(long bits, int at, int count) {
    int word = at >>> 6;
    int shift = at & 63;
    if (shift == 0) {
      words[word] = bits;
    } else {
      words[word] |= bits << shift;
      if (shift + count > 64) {
        words[word + 1] = bits >>> (64 - shift);
      }
    }
  }

  private static int countPresent(Nulls nulls, int from, int count) {
    int values = 0;
    for (int done = 0; done < count; done += 64) {
      values += Long.bitCount(window(nulls, from + done, Math.min(64, count - done)));
    }
    return values;
  }

  /** Presence bits of {@code count} rows, at most 64, from {@code from} on; the rest is zero. */
  static long window(Nulls nulls, int from, int count) {
    int shift = from & 63;
    long bits = nulls.word(from >>> 6) >>> shift;
    if (shift + count > 64) {
      bits |= nulls.word((from >>> 6) + 1) << (64 - shift);
    }
    return count == 64 ? bits : bits & ((1L << count) - 1);
  }

  /** The same of this row group's rows. */
  long window(int from, int count) {
    if (!anyNull) {
      return count == 64 ? -1L : (1L << count) - 1;
    }
    int shift = from & 63;
    long bits = words[from >>> 6] >>> shift;
    if (shift + count > 64) {
      bits |= words[(from >>> 6) + 1] << (64 - shift);
    }
    return count == 64 ? bits : bits & ((1L << count) - 1);
  }

  int countPresent(int from, int to) {
    if (!anyNull) {
      return to - from;
    }
    int values = 0;
    for (int row = from; row < to; row += 64) {
      values += Long.bitCount(window(row, Math.min(64, to - row)));
    }
    return values;
  }

  /** Room that {@link #writeLevels} may need for a number of rows. */
  static int levelRoom(int rows) {
    return 4 + 5 + (rows >>> 3) + 16;
  }

  /**
   * Writes the definition levels of a page as v1 pages hold them: length, then one run. A required
   * column has none.
   *
   * @return bytes written from index 0 on
   */
  int writeLevels(int from, int to, byte[] target) {
    if (column.required()) {
      return 0;
    }
    int count = to - from;
    int values = countPresent(from, to);
    int position = 4;
    if (values == count || values == 0) {
      position = Bytes.putVarint(target, position, count << 1);
      target[position++] = (byte) (values == 0 ? 0 : 1);
    } else {
      int groups = (count + 7) >>> 3;
      position = Bytes.putVarint(target, position, groups << 1 | 1);
      for (int done = 0; done < count; done += 64) {
        long bits = window(from + done, Math.min(64, count - done));
        Bytes.putLongLittle(target, position + (done >>> 3), bits);
      }
      position += groups;
    }
    Bytes.putIntLittle(target, 0, position - 4);
    return position;
  }
}
