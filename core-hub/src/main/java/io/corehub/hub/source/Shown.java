package io.corehub.hub.source;

import java.util.Locale;

/** Text from outside as it may stand in a message or a log: one line, bounded, nothing hidden. */
public final class Shown {

  private static final int MAX_LENGTH = 200;

  private static final int MAX_MESSAGE = 4_000;

  private Shown() {}

  /**
   * The text with control and direction characters written as escapes, cut after 200 characters.
   *
   * @param text any text
   * @return text that stays on one line
   */
  public static String of(String text) {
    return of(text, MAX_LENGTH);
  }

  /**
   * A whole message for people, whose advice stands at its end: the same, but only what no message
   * needs is cut off.
   *
   * @param message a message that may hold names and values of the source
   * @return text that stays on one line
   */
  public static String message(String message) {
    return of(message, MAX_MESSAGE);
  }

  /**
   * A whole message, not cut; its lines are joined by {@code " | "}.
   *
   * @param message any text
   * @return text that stays on one line
   */
  public static String line(String message) {
    return of(message.strip().replaceAll("[\\r\\n]+", " | "), Integer.MAX_VALUE);
  }

  private static String of(String text, int most) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (shown.length() >= most) {
        return shown.append("… (").append(text.length()).append(" characters)").toString();
      }
      if (hidden(c)) {
        shown.append(String.format(Locale.ROOT, "\\u%04x", c));
      } else {
        shown.appendCodePoint(c);
      }
    }
    return shown.toString();
  }

  private static boolean hidden(int c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.SURROGATE
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.UNASSIGNED
        || type == Character.PRIVATE_USE;
  }
}
