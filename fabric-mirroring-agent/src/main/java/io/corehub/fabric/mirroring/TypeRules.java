package io.corehub.fabric.mirroring;

import io.corehub.agent.settings.Settings;

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

  /** The rules of a table that may have settings of its own. */
  TypeRules forTable(Settings table) {
    String time = table.get(MirroringSettings.TABLE_TIME_AS);
    String timestamp = table.get(MirroringSettings.TABLE_LOCAL_TIMESTAMP_AS);
    return new TypeRules(
        time.equals(MirroringSettings.AS_THE_AGENT) ? timeAsText : time.equals("string"),
        timestamp.equals(MirroringSettings.AS_THE_AGENT)
            ? localTimestamp
            : LocalTimestamp.named(timestamp),
        unrepresentable);
  }

  /** The defaults. */
  static final TypeRules DEFAULTS =
      new TypeRules(false, LocalTimestamp.LOCAL, Unrepresentable.STOP);
}
