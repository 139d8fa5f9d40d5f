package io.corehub.hub.state;

import io.corehub.agent.AgentState;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SourcePosition;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

/**
 * What is remembered of one pipeline. Immutable.
 *
 * @param epoch number of its last start; 0 if it never started
 * @param confirmed position last confirmed
 * @param agent what its agent wants back
 */
public record PipelineState(long epoch, Optional<SourcePosition> confirmed, AgentState agent) {

  /** Nothing is remembered. */
  public static final PipelineState NONE = new PipelineState(0, Optional.empty(), AgentState.NONE);

  /** Checks the parts. */
  public PipelineState {
    Objects.requireNonNull(confirmed, "confirmed");
    Objects.requireNonNull(agent, "agent");
  }

  /**
   * The state of a new start.
   *
   * @param clock wall clock
   * @return the same with a greater epoch; it also grows when the state was lost, so that an older
   *     writer never looks like the newer one
   */
  public PipelineState started(InstantSource clock) {
    return new PipelineState(Math.max(epoch + 1, clock.millis()), confirmed, agent);
  }

  /**
   * What the agent is told at open.
   *
   * @param repeats whether the source can be read again from its start
   * @return position and state
   */
  public ResumePoint resumePoint(boolean repeats) {
    return new ResumePoint(confirmed, agent, repeats);
  }
}
