package io.corehub.agent;

import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.Settings;
import java.util.List;
import java.util.Map;

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
}
