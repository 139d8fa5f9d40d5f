package io.corehub.agent.table;

/**
 * Cells of updates that the source did not deliver: their value is the one the row had before, and
 * must never be taken for NULL. Immutable: the caller gives its arrays away.
 */
public final class Undelivered {

  /** Every cell was delivered. */
  public static final Undelivered NONE = new Undelivered(new long[0][]);

  private final long[][] bits;

  private Undelivered(long[][] bits) {
    this.bits = bits;
  }

  /** Wraps bits: one array for each column, or null for a column without marks. */
  static Undelivered of(long[][] bits) {
    return new Undelivered(bits);
  }

  /**
   * Whether there may be any mark.
   *
   * @return false only for {@link #NONE}
   */
  public boolean any() {
    return bits.length > 0;
  }

  /**
   * Whether a cell was not delivered.
   *
   * @param column column index
   * @param row row index
   * @return true if its value is the one before
   */
  public boolean is(int column, int row) {
    if (bits.length == 0) {
      return false;
    }
    long[] words = bits[column];
    return words != null && row >>> 6 < words.length && (words[row >>> 6] >>> row & 1) == 1;
  }
}
