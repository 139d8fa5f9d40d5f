package io.corehub.onelake.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One block of a PEM file (RFC 7468). Immutable as long as nobody writes to the array; no text form
 * shows the content.
 *
 * @param label the words behind {@code BEGIN}
 * @param content the decoded bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PemBlock(String label, byte[] content) {
  private static final Pattern BEGIN = Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,64})-----");

  /** Whether these are the bytes of a PEM file. */
  public static boolean isPem(byte[] bytes) {
    return BEGIN.matcher(text(bytes)).find();
  }

  /** The blocks in the order of the file; one without an end, or not in base64, is left out. */
  public static List<PemBlock> all(byte[] bytes) {
    String text = text(bytes);
    List<PemBlock> blocks = new ArrayList<>();
    Matcher begin = BEGIN.matcher(text);
    int at = 0;
    while (begin.find(at)) {
      String label = begin.group(1);
      int end = text.indexOf("-----END " + label + "-----", begin.end());
      if (end >= 0) {
        byte[] content = decoded(text.substring(begin.end(), end));
        if (content.length > 0) {
          blocks.add(new PemBlock(label, content));
        }
      }
      at = end >= 0 ? end : begin.end();
    }
    return blocks;
  }

  /** The bytes of a PEM file that holds this block alone. */
  public String text() {
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
        + "\n-----END "
        + label
        + "-----\n";
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      // Broken base64 holds nothing; what is missing then is named by the caller.
      return new byte[0];
    }
  }

  @Override
  public String toString() {
    return "PemBlock[" + label + "]";
  }
}
