package io.corehub.agent;

import java.time.InstantSource;
import java.util.Objects;

/**
 * All that a host lends to an agent. Immutable.
 *
 * @param pipelineId stable name of the pipeline; it stands in the files and makes a folder ours
 * @param epoch number that grows with each start of the pipeline; 0 if the host cannot promise it
 * @param sourceType what the changes come from, such as {@code postgresql}; empty if unknown
 * @param sourceVersion version of the source; empty if unknown
 * @param listener where the news goes
 * @param clock wall clock
 * @param meters where figures go
 */
public record AgentContext(
    String pipelineId,
    long epoch,
    String sourceType,
    String sourceVersion,
    AgentListener listener,
    InstantSource clock,
    Meters meters) {

  /** Checks the parts. */
  public AgentContext {
    if (pipelineId.isEmpty()) {
      throw new IllegalArgumentException("A pipeline needs an id");
    }
    Objects.requireNonNull(listener, "listener");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(meters, "meters");
  }
}
