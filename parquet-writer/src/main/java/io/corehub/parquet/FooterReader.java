package io.corehub.parquet;

/**
 * Reads the footer of a file of any writer from the file's last bytes. Thread-safe, without state.
 *
 * <p>The bytes may be hostile: time and memory are bounded by the number of bytes given.
 */
public final class FooterReader {

  /** Longest footer that is read. */
  public static final int MAX_FOOTER_BYTES = 64 << 20;

  private FooterReader() {}

  /**
   * Reads the footer if it lies wholly in the bytes given.
   *
   * @param tail the last bytes of the file, at least 8 of them, or the whole file
   * @param fileLength length of the file
   * @return the footer, or how many bytes are needed
   * @throws MalformedFooterException if this is not the end of a Parquet file, or its footer is
   *     encrypted or longer than {@link #MAX_FOOTER_BYTES}
   */
  public static FooterReading read(byte[] tail, long fileLength) throws MalformedFooterException {
    if (tail.length < 8 || tail.length > fileLength) {
      throw new MalformedFooterException(
          tail.length + " bytes cannot be the tail of a Parquet file of " + fileLength + " bytes");
    }
    throw new UnsupportedOperationException();
  }
}
