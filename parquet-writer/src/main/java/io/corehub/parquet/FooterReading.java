package io.corehub.parquet;

/** What came of reading the end of a file. */
public sealed interface FooterReading {

  /**
   * The footer was inside the bytes given.
   *
   * @param footer the footer
   */
  record Complete(ParquetFooter footer) implements FooterReading {}

  /**
   * The footer is longer than the bytes given.
   *
   * @param tailBytes how many bytes from the end of the file are needed
   */
  record Incomplete(int tailBytes) implements FooterReading {}
}
