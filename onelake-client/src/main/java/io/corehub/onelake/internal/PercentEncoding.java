package io.corehub.onelake.internal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * RFC 3986 percent-encoding of path segments: UTF-8, everything but the unreserved characters
 * encoded. Stateless.
 */
public final class PercentEncoding {
  private static final String HEX = "0123456789ABCDEF";

  private PercentEncoding() {}

  /** One segment, encoded; a slash in it as well. */
  public static String segment(String decoded) {
    StringBuilder out = new StringBuilder(decoded.length() + 16);
    for (byte b : decoded.getBytes(StandardCharsets.UTF_8)) {
      int c = b & 0xff;
      if (unreserved(c)) {
        out.append((char) c);
      } else {
        out.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
    return out.toString();
  }

  /** A path with its slashes kept and everything between them encoded. */
  public static String path(String decoded) {
    StringBuilder out = new StringBuilder(decoded.length() + 16);
    int from = 0;
    for (int slash = decoded.indexOf('/'); slash >= 0; slash = decoded.indexOf('/', from)) {
      out.append(segment(decoded.substring(from, slash))).append('/');
      from = slash + 1;
    }
    return out.append(segment(decoded.substring(from))).toString();
  }

  /**
   * The decoded text, or empty when an escape is broken or the bytes are no UTF-8. A plus sign
   * stays one.
   */
  public static Optional<String> decode(String encoded) {
    if (encoded.indexOf('%') < 0) {
      return Optional.of(encoded);
    }
    byte[] bytes = encoded.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '%') {
        out.write(bytes[i]);
      } else {
        int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
        int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
        if (high < 0 || low < 0) {
          return Optional.empty();
        }
        out.write(high << 4 | low);
        i += 2;
      }
    }
    try {
      return Optional.of(
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(out.toByteArray()))
              .toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static boolean unreserved(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }
}
