package io.corehub.storage;

import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.Settings;
import io.corehub.runtime.rows.TypeRules;
import java.util.List;

/** The settings that say what becomes of what does not fit. Immutable. */
public final class PolicySettings {

  private static final String RULES = "When something does not fit";

  /** Values without an exact counterpart in the files. */
  public static final Setting<String> UNREPRESENTABLE_VALUES =
      Setting.choice(
              "unrepresentableValues",
              "Values that the files or the target cannot hold",
              "Dates and timestamps that are infinite or outside the years 0001 to 9999, 24:00, and"
                  + " text with half a surrogate pair. 'stop' stops the table and names the row,"
                  + " 'null' writes NULL, 'replace' writes the nearest value that can be held.",
              "stop",
              List.of("stop", "null", "replace"))
          .inGroup(RULES);

  /** What the confirmed position does when a table stops. */
  public static final Setting<String> STOPPED_TABLE_POLICY =
      Setting.choice(
              "stoppedTablePolicy",
              "When a table stops",
              "'hold' keeps the confirmed position until the table goes on or is removed; 'release'"
                  + " lets the other tables move on, and the stopped one needs a new snapshot.",
              "hold",
              List.of("hold", "release"))
          .inGroup(RULES);

  private PolicySettings() {}

  /**
   * What becomes of values without an exact counterpart.
   *
   * @param settings settings that hold those of this class
   * @return the policy
   */
  public static TypeRules.Unrepresentable unrepresentable(Settings settings) {
    return TypeRules.Unrepresentable.named(settings.get(UNREPRESENTABLE_VALUES));
  }

  /**
   * Whether the confirmed position waits for a stopped table.
   *
   * @param settings settings that hold those of this class
   * @return false if the other tables move on without it
   */
  public static boolean holdStopped(Settings settings) {
    return settings.get(STOPPED_TABLE_POLICY).equals("hold");
  }
}
