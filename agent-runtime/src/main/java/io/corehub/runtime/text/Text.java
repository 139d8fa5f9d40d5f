package io.corehub.runtime.text;

/** Makes text of the source safe for messages and log lines. */
public final class Text {

  private static final int LONGEST = 120;

  private Text() {}

  /** The text on one line, without control characters, shortened. */
  public static String shown(String text) {
    return shown(text, LONGEST);
  }

  /** The same, shortened to about as many characters as are given. */
  public static String shown(String text, int longest) {
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < text.length() && shown.length() < longest; ) {
      int c = text.codePointAt(i);
      int type = Character.getType(c);
      boolean hidden =
          Character.isISOControl(c)
              || type == Character.FORMAT
              || type == Character.LINE_SEPARATOR
              || type == Character.PARAGRAPH_SEPARATOR
              || type == Character.SURROGATE;
      if (hidden) {
        shown.append(String.format("\\u%04x", c));
      } else {
        shown.appendCodePoint(c);
      }
      i += Character.charCount(c);
    }
    return text.length() > longest ? shown + "…" : shown.toString();
  }
}
