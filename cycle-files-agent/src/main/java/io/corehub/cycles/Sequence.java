package io.corehub.cycles;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Where a row stands among all rows of its table: text of 32 digits in an incremental job, 52 in a
 * combined one, whose order as text is the order of the rows. Immutable.
 *
 * @param prefix the first 20 digits of a combined job; empty in an incremental one
 * @param order order of the row's commit, an unsigned 64-bit number: 20 digits
 * @param row number of the row among the written rows of its transaction, from 1, over all tables;
 *     0 stands for the commit itself: 12 digits
 */
record Sequence(Optional<SequencePrefix> prefix, long order, long row) {

  /** Digits without prefix. */
  static final int DIGITS = 32;

  /** Digits with prefix. */
  static final int PREFIXED_DIGITS = DIGITS + SequencePrefix.DIGITS;

  /** Most rows of one transaction. */
  static final long MOST_ROWS = 999_999_999_999L;

  private static final int ROW_DIGITS = 12;
  private static final int ORDER_DIGITS = DIGITS - ROW_DIGITS;
  private static final long TEN_DIGITS = 10_000_000_000L;

  /** Checks the row number. */
  Sequence {
    check(order, row);
  }

  /** Refuses a row number that has no room. */
  static void check(long order, long row) {
    if (row < 0 || row > MOST_ROWS) {
      throw new IllegalArgumentException(
          "Row "
              + row
              + " of the transaction at "
              + Long.toUnsignedString(order)
              + ": a sequence has room for "
              + MOST_ROWS
              + " rows of one transaction");
    }
  }

  /** A sequence without prefix: of a row of an incremental job, or of a whole job. */
  static Sequence of(long order, long row) {
    return new Sequence(Optional.empty(), order, row);
  }

  /**
   * Reads a sequence.
   *
   * @param text 32 or 52 digits
   * @throws IllegalArgumentException saying what is wrong with it
   */
  static Sequence parse(String text) {
    boolean prefixed = text.length() == PREFIXED_DIGITS;
    if (!(prefixed || text.length() == DIGITS)
        || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is no sequence: it needs "
              + DIGITS
              + " or "
              + PREFIXED_DIGITS
              + " digits");
    }
    int at = prefixed ? SequencePrefix.DIGITS : 0;
    Optional<SequencePrefix> prefix =
        prefixed
            ? Optional.of(
                new SequencePrefix(
                    Integer.parseInt(text, 0, 9, 10),
                    Integer.parseInt(text, 9, 18, 10),
                    Phase.ofCode(Integer.parseInt(text, 18, 20, 10))))
            : Optional.empty();
    try {
      return new Sequence(
          prefix,
          Long.parseUnsignedLong(text, at, at + ORDER_DIGITS, 10),
          Long.parseLong(text, at + ORDER_DIGITS, text.length(), 10));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is no sequence: its order is beyond 64 bits", e);
    }
  }

  /**
   * Writes the 32 digits of a row.
   *
   * @param order order of its commit, unsigned
   * @param row its number
   * @param to takes the digits
   * @param at where they begin
   */
  static void write(long order, long row, byte[] to, int at) {
    check(order, row);
    long high = Long.divideUnsigned(order, TEN_DIGITS);
    long low = order - high * TEN_DIGITS;
    digits(high, 10, to, at);
    digits(low, 10, to, at + 10);
    digits(row, ROW_DIGITS, to, at + ORDER_DIGITS);
  }

  private static void digits(long number, int count, byte[] to, int at) {
    long rest = number;
    for (int i = at + count - 1; i >= at; i--) {
      long tenth = rest / 10;
      to[i] = (byte) ('0' + (rest - tenth * 10));
      rest = tenth;
    }
  }

  /** The text. */
  @Override
  public String toString() {
    byte[] digits = new byte[DIGITS];
    write(order, row, digits, 0);
    return prefix.map(SequencePrefix::toString).orElse("")
        + new String(digits, StandardCharsets.US_ASCII);
  }
}
