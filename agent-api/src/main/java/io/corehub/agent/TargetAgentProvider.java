package io.corehub.agent;

import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.verify.TargetFiles;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Describes and creates a kind of agent. Found by {@link java.util.ServiceLoader}. Does no I/O.
 * Thread-safe.
 */
public interface TargetAgentProvider {

  /**
   * The description.
   *
   * @return always the same
   */
  AgentDescriptor descriptor();

  /**
   * Checks the agent's settings, each for itself and all together.
   *
   * @param values text by setting name
   * @return every problem; empty if all is well
   */
  default List<SettingProblem> validate(Map<String, String> values) {
    return descriptor().settings().validate(values);
  }

  /**
   * Creates an agent. It does nothing before {@link TargetAgent#open}.
   *
   * @param settings valid settings of {@link AgentDescriptor#settings()}
   * @param context what the host lends
   * @return the agent
   */
  TargetAgent create(Settings settings, AgentContext context);

  /**
   * The files of a target, with the credentials of an agent of these settings. Does not speak to
   * the target yet.
   *
   * @param settings valid settings of {@link AgentDescriptor#settings()}
   * @param location address of the target, as people paste it
   * @return the files, to be closed by the caller; empty when the settings are not those of this
   *     target, or the agent has no files to show
   */
  default Optional<TargetFiles> files(Settings settings, String location) {
    return Optional.empty();
  }
}
