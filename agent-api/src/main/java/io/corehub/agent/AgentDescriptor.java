package io.corehub.agent;

import io.corehub.agent.settings.SettingsSchema;
import java.util.Objects;
import java.util.Set;

/**
 * What a host must know of an agent before it creates one. Immutable.
 *
 * @param id name in configuration files, such as {@code fabric-open-mirroring}
 * @param displayName name for people
 * @param description one sentence
 * @param settings settings of the agent as a whole
 * @param tableSettings settings each table may have of its own
 * @param beforeImage how much of old rows the agent asks for
 * @param actions what the agent can do on demand
 */
public record AgentDescriptor(
    String id,
    String displayName,
    String description,
    SettingsSchema settings,
    SettingsSchema tableSettings,
    BeforeImage beforeImage,
    Set<AgentAction> actions) {

  /**
   * Of an agent that does nothing on demand.
   *
   * @param id name in configuration files
   * @param displayName name for people
   * @param description one sentence
   * @param settings settings of the agent as a whole
   * @param tableSettings settings each table may have of its own
   * @param beforeImage how much of old rows the agent asks for
   */
  public AgentDescriptor(
      String id,
      String displayName,
      String description,
      SettingsSchema settings,
      SettingsSchema tableSettings,
      BeforeImage beforeImage) {
    this(id, displayName, description, settings, tableSettings, beforeImage, Set.of());
  }

  /** Checks the parts. */
  public AgentDescriptor {
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(tableSettings, "tableSettings");
    Objects.requireNonNull(beforeImage, "beforeImage");
    actions = Set.copyOf(actions);
  }
}
