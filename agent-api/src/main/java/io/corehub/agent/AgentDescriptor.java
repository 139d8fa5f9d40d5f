package io.corehub.agent;

import io.corehub.agent.settings.SettingsSchema;
import java.util.Objects;

/**
 * What a host must know of an agent before it creates one. Immutable.
 *
 * @param id name in configuration files, such as {@code fabric-open-mirroring}
 * @param displayName name for people
 * @param description one sentence
 * @param settings settings of the agent as a whole
 * @param tableSettings settings each table may have of its own
 * @param beforeImage how much of old rows the agent asks for
 */
public record AgentDescriptor(
    String id,
    String displayName,
    String description,
    SettingsSchema settings,
    SettingsSchema tableSettings,
    BeforeImage beforeImage) {

  /** Checks the parts. */
  public AgentDescriptor {
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(tableSettings, "tableSettings");
    Objects.requireNonNull(beforeImage, "beforeImage");
  }
}
