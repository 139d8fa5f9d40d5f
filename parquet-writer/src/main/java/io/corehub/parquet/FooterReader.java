package io.corehub.parquet;

import io.corehub.parquet.internal.FooterParser;
import java.nio.charset.StandardCharsets;

/**
 * Reads the footer of a file of any writer from the file's last bytes. Thread-safe, without state.
 *
 * <p>The bytes may be hostile: time and memory are bounded by the number of bytes given.
 */
public final class FooterReader {

  /** Longest footer that is read. */
  public static final int MAX_FOOTER_BYTES = 32 << 20;

  /** Length of the footer, as a number, and magic. */
  private static final int TRAILER_BYTES = 8;

  private static final int MAGIC_BYTES = 4;
  private static final String MAGIC = "PAR1";
  private static final String ENCRYPTED_MAGIC = "PARE";

  private FooterReader() {}

  /**
   * Reads the footer if it lies wholly in the bytes given.
   *
   * @param tail the last bytes of the file, or the whole file
   * @param fileLength length of the file
   * @return the footer, or how many bytes are needed
   * @throws MalformedFooterException if this is not the end of a Parquet file, or its footer is
   *     encrypted or longer than {@link #MAX_FOOTER_BYTES}
   */
  public static FooterReading read(byte[] tail, long fileLength) throws MalformedFooterException {
    if (fileLength < MAGIC_BYTES + TRAILER_BYTES) {
      throw new MalformedFooterException(
          "A file of " + fileLength + " bytes is too short to be a Parquet file");
    }
    if (tail.length > fileLength) {
      throw new MalformedFooterException(
          tail.length + " bytes were read of a file of " + fileLength);
    }
    if (tail.length < TRAILER_BYTES) {
      return new FooterReading.Incomplete(TRAILER_BYTES);
    }
    checkMagic(tail, tail.length - MAGIC_BYTES, "ends");
    if (tail.length == fileLength) {
      checkMagic(tail, 0, "begins");
    }
    int footerBytes = footerBytes(tail);
    if (footerBytes < 1
        || footerBytes > MAX_FOOTER_BYTES
        || footerBytes > fileLength - MAGIC_BYTES - TRAILER_BYTES) {
      throw new MalformedFooterException(
          "A footer of "
              + Integer.toUnsignedString(footerBytes)
              + " bytes does not fit in a file of "
              + fileLength
              + " bytes, or is longer than the "
              + MAX_FOOTER_BYTES
              + " that are read");
    }
    int needed = footerBytes + TRAILER_BYTES;
    if (needed > tail.length) {
      return new FooterReading.Incomplete(needed);
    }
    return new FooterReading.Complete(
        FooterParser.parse(tail, tail.length - needed, tail.length - TRAILER_BYTES, fileLength));
  }

  private static int footerBytes(byte[] tail) {
    int at = tail.length - TRAILER_BYTES;
    return (tail[at] & 0xFF)
        | (tail[at + 1] & 0xFF) << 8
        | (tail[at + 2] & 0xFF) << 16
        | (tail[at + 3] & 0xFF) << 24;
  }

  private static void checkMagic(byte[] bytes, int at, String verb)
      throws MalformedFooterException {
    String magic = new String(bytes, at, MAGIC_BYTES, StandardCharsets.ISO_8859_1);
    if (magic.equals(ENCRYPTED_MAGIC)) {
      throw new MalformedFooterException("The Parquet file is encrypted, which is not supported");
    }
    if (!magic.equals(MAGIC)) {
      throw new MalformedFooterException(
          "The file " + verb + " with other bytes than " + MAGIC + ": it is not a Parquet file");
    }
  }
}
