package io.corehub.fabric.mirroring;

/**
 * How values without an exact counterpart are written. Immutable.
 *
 * @param timeAsText whether times of day are written as text
 * @param localTimestamp how timestamps without offset are written
 * @param unrepresentable what becomes of values that cannot be held
 */
record TypeRules(
    boolean timeAsText, LocalTimestamp localTimestamp, Unrepresentable unrepresentable) {

  /** How timestamps without offset are written. */
  enum LocalTimestamp {
    /** As a timestamp that is not adjusted to UTC. */
    LOCAL,
    /** As a timestamp in UTC. */
    UTC,
    /** As text. */
    TEXT;

    static LocalTimestamp named(String choice) {
      return switch (choice) {
        case "timestamp" -> LOCAL;
        case "utc-timestamp" -> UTC;
        case "string" -> TEXT;
        default -> throw new IllegalArgumentException("localTimestampAs " + choice);
      };
    }
  }

  /** What becomes of values that cannot be held. */
  enum Unrepresentable {
    /** The table stops. */
    STOP,
    /** NULL is written. */
    NULL,
    /** The nearest value that can be held is written. */
    REPLACE;

    static Unrepresentable named(String choice) {
      return switch (choice) {
        case "stop" -> STOP;
        case "null" -> NULL;
        case "replace" -> REPLACE;
        default -> throw new IllegalArgumentException("unrepresentableValues " + choice);
      };
    }
  }

  /** The defaults. */
  static final TypeRules DEFAULTS =
      new TypeRules(false, LocalTimestamp.LOCAL, Unrepresentable.STOP);
}
