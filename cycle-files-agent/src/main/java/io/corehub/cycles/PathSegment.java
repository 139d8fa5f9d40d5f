package io.corehub.cycles;

import java.nio.charset.StandardCharsets;

/**
 * Names of tables and schemas as segments of a path. The function is pure and injective: what may
 * not stand in a segment, and {@code %} itself, becomes {@code %} and two hexadecimal digits for
 * each byte of its UTF-8 form; everything else stays as it is.
 *
 * <p>Encoded are {@code / \ : * ? " < > | %}, control characters, half surrogate pairs, a leading
 * {@code _} or {@code .} (readers pass over such files) and a trailing {@code .} or space.
 */
final class PathSegment {

  private static final String NEVER = "/\\:*?\"<>|%";

  private PathSegment() {}

  /**
   * A name as a whole segment.
   *
   * @param name not empty
   */
  static String of(String name) {
    return withSafeEnds(inside(name));
  }

  /** A name as a part of a segment: its first and last characters are not special. */
  static String inside(String name) {
    StringBuilder segment = new StringBuilder(name.length());
    name.codePoints()
        .forEach(
            c -> {
              if (allowed(c)) {
                segment.appendCodePoint(c);
              } else {
                encode(c, segment);
              }
            });
    return segment.toString();
  }

  /** A segment whose parts are encoded already, with its first and last characters encoded too. */
  static String withSafeEnds(String segment) {
    StringBuilder safe = new StringBuilder(segment);
    int last = safe.length() - 1;
    if (last >= 0 && (safe.charAt(last) == '.' || safe.charAt(last) == ' ')) {
      char end = safe.charAt(last);
      safe.setLength(last);
      encode(end, safe);
    }
    if (safe.length() > 0 && (safe.charAt(0) == '_' || safe.charAt(0) == '.')) {
      StringBuilder first = new StringBuilder();
      encode(safe.charAt(0), first);
      safe.replace(0, 1, first.toString());
    }
    return safe.toString();
  }

  /** Whether a character may stand inside a segment as it is. */
  static boolean allowed(int c) {
    return NEVER.indexOf(c) < 0 && !Character.isISOControl(c) && !halfOfPair(c);
  }

  private static boolean halfOfPair(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
  }

  private static void encode(int c, StringBuilder to) {
    byte[] bytes =
        halfOfPair(c)
            ? new byte[] {
              (byte) (0xE0 | (c >> 12)),
              (byte) (0x80 | ((c >> 6) & 0x3F)),
              (byte) (0x80 | (c & 0x3F))
            }
            : Character.toString(c).getBytes(StandardCharsets.UTF_8);
    for (byte b : bytes) {
      to.append(String.format("%%%02X", b));
    }
  }
}
