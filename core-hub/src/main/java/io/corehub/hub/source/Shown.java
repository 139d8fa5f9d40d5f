package io.corehub.hub.source;

import java.util.Locale;

/** Text from outside as it may stand in a message or a log: one line, bounded, nothing hidden. */
public final class Shown {

  private static final int MAX_LENGTH = 200;

  private Shown() {}

  /**
   * The text with control and direction characters written as escapes, cut after 200 characters.
   *
   * @param text any text
   * @return text that stays on one line
   */
  public static String of(String text) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (shown.length() >= MAX_LENGTH) {
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
