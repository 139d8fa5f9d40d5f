package io.corehub.hub.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A valid configuration file. Immutable.
 *
 * @param file where it was read from
 * @param name name of the hub
 * @param stateDirectory absolute path of what the hub remembers
 * @param web where the web server listens; empty for no server
 * @param pipelines pipelines in the order of the file, at least one
 */
public record HubConfig(
    Path file,
    String name,
    Path stateDirectory,
    Optional<WebConfig> web,
    List<PipelineConfig> pipelines) {

  /** Copies the list. */
  public HubConfig {
    pipelines = List.copyOf(pipelines);
  }
}
