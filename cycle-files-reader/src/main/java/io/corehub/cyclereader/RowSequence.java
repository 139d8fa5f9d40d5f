package io.corehub.cyclereader;

import java.util.Optional;

/**
 * A sequence as rows and summary files hold it. Immutable.
 *
 * @param text 32 or 52 digits; of two of the same length the greater text comes later
 */
record RowSequence(String text) implements Comparable<RowSequence> {

  private static final int DIGITS = 32;
  private static final int PREFIX = 20;
  private static final int ORDER = 20;

  /** Reads a sequence; empty if it is none. */
  static Optional<RowSequence> parse(String text) {
    boolean wide = text.length() == DIGITS || text.length() == DIGITS + PREFIX;
    for (int i = 0; wide && i < text.length(); i++) {
      wide = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return wide ? Optional.of(new RowSequence(text)) : Optional.empty();
  }

  boolean prefixed() {
    return text.length() > DIGITS;
  }

  /** Which load of the table; of a sequence with prefix. */
  int incarnation() {
    return Integer.parseInt(text, 0, 9, 10);
  }

  /** Which shape of the table; of a sequence with prefix. */
  int schemaVersion() {
    return Integer.parseInt(text, 9, 18, 10);
  }

  /** Where the table stands; of a sequence with prefix. */
  int phase() {
    return Integer.parseInt(text, 18, 20, 10);
  }

  /** The 20 digits of the commit's order. */
  String order() {
    int from = text.length() - DIGITS;
    return text.substring(from, from + ORDER);
  }

  /** The number of the row in its transaction. */
  long row() {
    return Long.parseLong(text, text.length() - DIGITS + ORDER, text.length(), 10);
  }

  /** Without the prefix. */
  RowSequence position() {
    return prefixed() ? new RowSequence(text.substring(PREFIX)) : this;
  }

  @Override
  public int compareTo(RowSequence other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
