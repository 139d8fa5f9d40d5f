package io.corehub.parquet.internal;

/**
 * Whether a dictionary pays for a column of a row group. Decided early from the first values: how
 * many values the column draws from is estimated from how many of those seen were distinct.
 */
final class DictionaryChoice {

  /** Distinct values after which the first estimate is made. */
  static final int FIRST_CHECK = 1024;

  /** A dictionary must save this share of the PLAIN bytes: compression narrows the gap. */
  private static final double WORTH = 0.75;

  private DictionaryChoice() {}

  /**
   * Predicts the size of a whole row group in both encodings.
   *
   * @param distinct distinct values seen
   * @param seen values seen
   * @param expected values expected in the row group
   * @param entryBytes mean bytes of a dictionary entry
   * @param plainBytes mean bytes of a PLAIN value
   * @param dictionaryLimit most bytes of a dictionary page
   * @return true to go on with the dictionary
   */
  static boolean worth(
      int distinct,
      long seen,
      long expected,
      double entryBytes,
      double plainBytes,
      long dictionaryLimit) {
    if (distinct >= seen) {
      return false;
    }
    double values = Math.max(seen, expected);
    double pool = pool(distinct, seen);
    double predicted = pool * -Math.expm1(-values / pool);
    double dictionary = predicted * entryBytes;
    double indexes = values * bitWidth((int) Math.min(Integer.MAX_VALUE, predicted)) / 8;
    return dictionary <= dictionaryLimit && dictionary + indexes < WORTH * values * plainBytes;
  }

  /** Size of the pool from which {@code seen} uniform draws give {@code distinct} values. */
  private static double pool(int distinct, long seen) {
    double low = distinct;
    double high = 1e12;
    for (int i = 0; i < 60; i++) {
      double middle = Math.sqrt(low * high);
      if (middle * -Math.expm1(-seen / middle) < distinct) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Bits of the indexes of a dictionary. */
  static int bitWidth(int entries) {
    return entries <= 1 ? 0 : 32 - Integer.numberOfLeadingZeros(entries - 1);
  }
}
