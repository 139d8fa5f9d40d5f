package io.corehub.onelake.internal;

import java.util.regex.Pattern;

/**
 * Makes text of a server or a user safe for one log line: no control, bidirectional or
 * line-separating characters, nothing that looks like a token, a bounded length. Immutable.
 */
public final class LogText {
  private static final int MAX_LENGTH = 300;
  private static final int MAX_SCANNED = 4096;
  private static final Pattern SECRETS =
      Pattern.compile(
          "(?i)(bearer\\s+|\\bsig=|client_secret=|client_assertion=|access_token\\W{1,4})[^\\s&\"',;}]+");

  private LogText() {}

  /** The text on one line, at most 300 characters of it. */
  public static String safe(String text) {
    String scanned = text.length() > MAX_SCANNED ? text.substring(0, MAX_SCANNED) : text;
    String masked = SECRETS.matcher(scanned).replaceAll("$1***");
    StringBuilder out = new StringBuilder(Math.min(masked.length(), MAX_LENGTH));
    int i = 0;
    while (i < masked.length()) {
      if (out.length() >= MAX_LENGTH) {
        return out.append('…').toString();
      }
      int c = masked.codePointAt(i);
      i += Character.charCount(c);
      if (printable(c)) {
        out.appendCodePoint(c);
      } else if (c == '\n' || c == '\r' || c == '\t') {
        out.append(' ');
      } else {
        out.append(String.format("\\u%04x", c));
      }
    }
    return text.length() > MAX_SCANNED ? out.append('…').toString() : out.toString();
  }

  /** A whole message of ours, which may hold names of the source: on one line, not shortened. */
  public static String line(String message) {
    if (message.codePoints().allMatch(LogText::printable)) {
      return message;
    }
    StringBuilder line = new StringBuilder(message.length() + 16);
    message
        .codePoints()
        .forEach(
            c -> {
              if (printable(c)) {
                line.appendCodePoint(c);
              } else {
                line.append(String.format("\\u%04x", c));
              }
            });
    return line.toString();
  }

  private static boolean printable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
