package io.corehub.runtime.text;

/** Makes text of the source safe for messages and log lines. */
public final class Text {

  private static final int LONGEST = 120;

  private Text() {}

  /** The text on one line, without control characters, shortened. */
  public static String shown(String text) {
    return shown(text, LONGEST);
  }

  /** A whole message on one line, without control characters; not shortened. */
  public static String line(String message) {
    return message.codePoints().anyMatch(Text::hidden)
        ? shown(message, Integer.MAX_VALUE)
        : message;
  }

  /** The same, shortened to about as many characters as are given. */
  public static String shown(String text, int longest) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < text.length() && shown.length() < longest; ) {
      int c = text.codePointAt(i);
      if (hidden(c)) {
        shown.append(String.format("\\u%04x", c));
      } else {
        shown.appendCodePoint(c);
      }
      i += Character.charCount(c);
    }
    return text.length() > longest ? shown + "…" : shown.toString();
  }

  private static boolean hidden(int c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.SURROGATE;
  }
}
