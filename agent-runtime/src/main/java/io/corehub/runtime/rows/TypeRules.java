package io.corehub.runtime.rows;

/**
 * How values without an exact counterpart are written. Immutable.
 *
 * @param timeAsText whether times of day are written as text
 * @param localTimestamp how timestamps without offset are written
 * @param unrepresentable what becomes of values that cannot be held
 */
public record TypeRules(
    boolean timeAsText, LocalTimestamp localTimestamp, Unrepresentable unrepresentable) {

  /** How timestamps without offset are written. */
  public enum LocalTimestamp {
    /** As a timestamp that is not adjusted to UTC. */
    LOCAL,
    /** As a timestamp in UTC. */
    UTC,
    /** As text. */
    TEXT;

    /**
     * The choice of a setting.
     *
     * @param choice {@code timestamp}, {@code utc-timestamp} or {@code string}
     * @return how they are written
     */
    public static LocalTimestamp named(String choice) {
      return switch (choice) {
        case "timestamp" -> LOCAL;
        case "utc-timestamp" -> UTC;
        case "string" -> TEXT;
        default -> throw new IllegalArgumentException("localTimestampAs " + choice);
      };
    }
  }

  /** What becomes of values that cannot be held. */
  public enum Unrepresentable {
    /** The table stops. */
    STOP,
    /** NULL is written. */
    NULL,
    /** The nearest value that can be held is written. */
    REPLACE;

    /**
     * The choice of a setting.
     *
     * @param choice {@code stop}, {@code null} or {@code replace}
     * @return what becomes of them
     */
    public static Unrepresentable named(String choice) {
      return switch (choice) {
        case "stop" -> STOP;
        case "null" -> NULL;
        case "replace" -> REPLACE;
        default -> throw new IllegalArgumentException("unrepresentableValues " + choice);
      };
    }
  }

  /** The defaults. */
  public static final TypeRules DEFAULTS =
      new TypeRules(false, LocalTimestamp.LOCAL, Unrepresentable.STOP);
}
