package io.corehub.fabric.mirroring;

import java.util.Locale;
import java.util.Set;

/**
 * A status in Fabric's own words. The words are an open set: those that are not known stay as they
 * are and alarm nobody. Immutable; all texts are safe for a log line.
 *
 * @param word the status, such as {@code Replicating}; empty if Fabric says none
 * @param errorCode Fabric's code of the error; empty for none
 * @param errorMessage what Fabric says of the error; empty for none
 */
record FabricStatus(String word, String errorCode, String errorMessage) {

  /** Nothing is said. */
  static final FabricStatus SILENT = new FabricStatus("", "", "");

  private static final Set<String> FAILED = Set.of("failed", "failtable", "error");
  private static final Set<String> HALTED =
      Set.of("stopped", "stopping", "stoptable", "paused", "pausing");
  private static final Set<String> NOT_STARTED =
      Set.of("initialized", "notstarted", "created", "definitionmissing");

  private static final Set<String> DROPPED = Set.of("dropped", "removed", "deleted");

  /** Whether it is listed although it is gone. */
  boolean dropped() {
    return DROPPED.contains(plain());
  }

  /** Whether it stands still until a person acts, because of an error. */
  boolean failed() {
    return FAILED.contains(plain()) || (hasError() && !plain().contains("warning"));
  }

  /** Whether somebody stopped or paused it. */
  boolean halted() {
    return HALTED.contains(plain());
  }

  /** Whether it exists and was never started. */
  boolean notStarted() {
    return NOT_STARTED.contains(plain());
  }

  /** Whether it is about to run. */
  boolean starting() {
    return plain().equals("initializing") || plain().equals("starting");
  }

  boolean hasError() {
    return !errorCode.isEmpty() || !errorMessage.isEmpty();
  }

  /** Code and message as one text; empty for none. */
  String error() {
    if (errorCode.isEmpty() || errorMessage.isEmpty()) {
      return errorCode + errorMessage;
    }
    return errorCode + ": " + errorMessage;
  }

  private String plain() {
    return word.toLowerCase(Locale.ROOT).replace(" ", "").replace("_", "");
  }
}
