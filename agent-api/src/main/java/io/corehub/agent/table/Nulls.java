package io.corehub.agent.table;

/**
 * Which rows of a vector hold no value. Immutable: the caller gives its array away.
 *
 * <p>A set bit means that the value is present; row {@code r} is bit {@code r & 63} of word {@code
 * r >> 6}.
 */
public final class Nulls {

  /** Every row holds a value. */
  public static final Nulls NONE = new Nulls(new long[0], 0);

  private final long[] present;
  private final int count;

  private Nulls(long[] present, int count) {
    this.present = present;
    this.count = count;
  }

  /**
   * Wraps presence bits.
   *
   * @param present words of bits, at least {@code (size + 63) / 64} of them; owned by the result
   * @param size number of rows; bits beyond it are ignored and cleared
   * @return {@link #NONE} when every row is present
   */
  public static Nulls ofPresentBits(long[] present, int size) {
    int words = (size + 63) >>> 6;
    if (present.length < words) {
      throw new IllegalArgumentException(
          present.length + " words cannot hold the bits of " + size + " rows");
    }
    int values = 0;
    for (int i = 0; i < words; i++) {
      if (i == words - 1 && (size & 63) != 0) {
        present[i] &= (1L << (size & 63)) - 1;
      }
      values += Long.bitCount(present[i]);
    }
    return values == size ? NONE : new Nulls(present, size - values);
  }

  /**
   * Whether any row is NULL.
   *
   * @return false only for {@link #NONE}
   */
  public boolean any() {
    return count > 0;
  }

  /**
   * How many rows are NULL.
   *
   * @return the number
   */
  public int count() {
    return count;
  }

  /**
   * Whether a row is NULL.
   *
   * @param row row index below the vector's size
   * @return true if it holds no value
   */
  public boolean isNull(int row) {
    return count > 0 && (present[row >>> 6] >>> row & 1) == 0;
  }

  /**
   * A word of presence bits, for bulk work.
   *
   * @param index word index
   * @return bits of rows {@code 64 * index} onwards; all ones where every row is present
   */
  public long word(int index) {
    return count == 0 ? -1L : present[index];
  }

  /** The NULLs of chosen rows, in their order. */
  Nulls select(int[] rows, int size) {
    if (count == 0) {
      return NONE;
    }
    long[] bits = new long[(size + 63) >>> 6];
    for (int from = 0; from < size; from += 64) {
      int to = Math.min(size, from + 64);
      long word = 0;
      for (int i = from; i < to; i++) {
        word |= (present[rows[i] >>> 6] >>> rows[i] & 1) << i;
      }
      bits[from >>> 6] = word;
    }
    return ofPresentBits(bits, size);
  }

  long bytes() {
    return 8L * present.length;
  }
}
