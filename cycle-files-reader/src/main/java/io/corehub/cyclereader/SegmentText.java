package io.corehub.cyclereader;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Names as segments of a path hold them: percent-encoded where they must be. Pure. */
public final class SegmentText {

  private static final String NEVER = "/\\:*?\"<>|%";

  private SegmentText() {}

  /**
   * A name as a segment.
   *
   * @param name the name, not empty
   * @return the segment
   */
  public static String of(String name) {
    StringBuilder segment = new StringBuilder();
    int[] characters = name.codePoints().toArray();
    for (int i = 0; i < characters.length; i++) {
      int c = characters[i];
      boolean first = i == 0 && (c == '_' || c == '.');
      boolean last = i == characters.length - 1 && (c == '.' || c == ' ');
      if (first || last || NEVER.indexOf(c) >= 0 || Character.isISOControl(c)) {
        for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
          segment.append(String.format(Locale.ROOT, "%%%02X", b));
        }
      } else {
        segment.appendCodePoint(c);
      }
    }
    return segment.toString();
  }
}
