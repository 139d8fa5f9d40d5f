package io.corehub.parquet.internal;

/**
 * Sizes the encoders work to.
 *
 * @param pageBytes bytes of values after which a page ends
 * @param dictionaryBytes most bytes of a dictionary page; 0 for no dictionaries
 * @param expectedRows rows that a full row group is expected to hold
 */
public record EncodingLimits(int pageBytes, int dictionaryBytes, int expectedRows) {

  private static final int PAGE_BYTES = 1 << 20;
  private static final int DICTIONARY_BYTES = 1 << 20;

  /**
   * The usual sizes: pages and dictionaries of 1 MiB.
   *
   * @param expectedRows rows that a full row group is expected to hold
   * @return the limits
   */
  public static EncodingLimits usual(int expectedRows) {
    return new EncodingLimits(PAGE_BYTES, DICTIONARY_BYTES, expectedRows);
  }

  boolean dictionaries() {
    return dictionaryBytes > 0;
  }
}
