package io.corehub.runtime.text;

import java.util.Locale;

/** Names as something that ignores the case of letters takes them. Pure. */
public final class IgnoringCase {

  private IgnoringCase() {}

  /**
   * A text that is equal for two names that differ only by case, letter by letter (dotted and
   * dotless i included) or as words (ß and SS).
   */
  public static String of(String name) {
    StringBuilder letters = new StringBuilder(name.length());
    name.codePoints()
        .map(c -> Character.toLowerCase(Character.toUpperCase(c)))
        .forEach(letters::appendCodePoint);
    return letters.toString().toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }
}
