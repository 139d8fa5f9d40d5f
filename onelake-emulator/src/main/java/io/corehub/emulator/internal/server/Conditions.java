package io.corehub.emulator.internal.server;

import io.corehub.emulator.internal.store.Entry;
import java.util.Map;
import java.util.Optional;

/** The ETag conditions of a request on what stands at a path. */
final class Conditions {
  private Conditions() {}

  /** Whether the request demands that nothing stands at the path. */
  static boolean mustBeAbsent(Map<String, String> headers) {
    return "*".equals(headers.get("if-none-match"));
  }

  /** Refuses a create or rename whose condition on the destination does not hold. */
  static void requireForReplacing(Map<String, String> headers, Optional<Entry> present)
      throws RefusedException {
    if (present.isPresent() && mustBeAbsent(headers)) {
      throw RefusedException.pathAlreadyExists();
    }
    require(headers, present);
  }

  /** Refuses a request whose condition does not hold. */
  static void require(Map<String, String> headers, Optional<Entry> present)
      throws RefusedException {
    if (!hold(headers.get("if-match"), headers.get("if-none-match"), present)) {
      throw new RefusedException(
          412,
          "ConditionNotMet",
          "The condition specified using HTTP conditional header(s) is not met.");
    }
  }

  /** Refuses a rename whose condition on the source does not hold. */
  static void requireOfSource(Map<String, String> headers, Optional<Entry> source)
      throws RefusedException {
    if (!hold(
        headers.get("x-ms-source-if-match"), headers.get("x-ms-source-if-none-match"), source)) {
      throw new RefusedException(
          412,
          "SourceConditionNotMet",
          "The source condition specified using HTTP conditional header(s) is not met.");
    }
  }

  private static boolean hold(
      @org.jspecify.annotations.Nullable String match,
      @org.jspecify.annotations.Nullable String noneMatch,
      Optional<Entry> present) {
    if (match != null && !present.map(entry -> matches(match, entry)).orElse(false)) {
      return false;
    }
    return noneMatch == null || !present.map(entry -> matches(noneMatch, entry)).orElse(false);
  }

  private static boolean matches(String condition, Entry entry) {
    for (String part : condition.split(",", -1)) {
      String tag = part.trim().replace("\"", "");
      if (tag.equals("*") || tag.equals(entry.etag())) {
        return true;
      }
    }
    return false;
  }
}
