package io.corehub.agent.observe;

import io.corehub.agent.settings.Secret;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What an observer is told of the pipeline it watches. Immutable.
 *
 * @param host name of the host
 * @param pipeline name of the pipeline
 * @param source where the tables come from
 * @param targetSettings the agent's settings by name, without secrets
 * @param secrets every secret of source and agent, so that none of them is ever passed on
 * @param memory a file the observer may keep what it must remember in; it need not exist yet
 * @param clock wall clock
 */
public record ObservedPipeline(
    String host,
    String pipeline,
    SourceOrigin source,
    Map<String, String> targetSettings,
    List<Secret> secrets,
    Path memory,
    InstantSource clock) {

  /** Checks and copies the parts. */
  public ObservedPipeline {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(pipeline, "pipeline");
    Objects.requireNonNull(source, "source");
    targetSettings = Map.copyOf(targetSettings);
    secrets = List.copyOf(secrets);
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(clock, "clock");
  }
}
