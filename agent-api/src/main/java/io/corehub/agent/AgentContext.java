package io.corehub.agent;

import io.corehub.agent.table.TableId;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Predicate;

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
 * @param selected whether the host hands over changes of a table in this session. A table that
 *     stands in the target and is not selected lacks rows as soon as the confirmed position moves;
 *     once it is selected again, it is refused with {@link ErrorCode#NEEDS_SNAPSHOT}
 */
public record AgentContext(
    String pipelineId,
    long epoch,
    String sourceType,
    String sourceVersion,
    AgentListener listener,
    InstantSource clock,
    Meters meters,
    Predicate<TableId> selected) {

  /**
   * Of a host that leaves no table out.
   *
   * @param pipelineId stable name of the pipeline
   * @param epoch number that grows with each start of the pipeline; 0 if the host cannot promise it
   * @param sourceType what the changes come from; empty if unknown
   * @param sourceVersion version of the source; empty if unknown
   * @param listener where the news goes
   * @param clock wall clock
   * @param meters where figures go
   */
  public AgentContext(
      String pipelineId,
      long epoch,
      String sourceType,
      String sourceVersion,
      AgentListener listener,
      InstantSource clock,
      Meters meters) {
    this(pipelineId, epoch, sourceType, sourceVersion, listener, clock, meters, table -> true);
  }

  /** Checks the parts. */
  public AgentContext {
    if (pipelineId.isEmpty()) {
      throw new IllegalArgumentException("A pipeline needs an id");
    }
    Objects.requireNonNull(listener, "listener");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(meters, "meters");
    Objects.requireNonNull(selected, "selected");
  }
}
