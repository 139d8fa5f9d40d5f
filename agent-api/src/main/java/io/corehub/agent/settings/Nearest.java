package io.corehub.agent.settings;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that a mistyped one was probably meant to be. */
public final class Nearest {

  private Nearest() {}

  /**
   * The nearest known name.
   *
   * @param name a name nobody knows
   * @param known known names
   * @return the known name with the fewest differences, if no more than a third of its letters
   *     differ
   */
  public static Optional<String> of(String name, Collection<String> known) {
    String best = "";
    int fewest = Integer.MAX_VALUE;
    for (String candidate : known) {
      int differences =
          differences(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
      if (differences < fewest) {
        fewest = differences;
        best = candidate;
      }
    }
    return fewest <= Math.max(1, best.length() / 3) ? Optional.of(best) : Optional.empty();
  }

  /** Levenshtein distance; names are short, so two rows of numbers will do. */
  private static int differences(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
