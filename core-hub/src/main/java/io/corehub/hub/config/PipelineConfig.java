package io.corehub.hub.config;

import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.settings.Settings;
import io.corehub.hub.source.SourceProvider;
import java.util.List;

/**
 * One pipeline of a configuration file. Immutable.
 *
 * @param name name for people
 * @param id stable name that stands in the files of the target
 * @param source kind of source
 * @param sourceSettings its settings
 * @param agent kind of agent
 * @param agentSettings its settings
 * @param tables which tables and columns are wanted, and their settings
 * @param observers what may watch it
 */
public record PipelineConfig(
    String name,
    String id,
    SourceProvider source,
    Settings sourceSettings,
    TargetAgentProvider agent,
    Settings agentSettings,
    TableSelection tables,
    List<ObserverConfig> observers) {

  /** Copies the list. */
  public PipelineConfig {
    observers = List.copyOf(observers);
  }
}
