package io.corehub.agent;

import java.util.Objects;
import java.util.Optional;

/**
 * What the hub remembers of an agent's last run. Immutable.
 *
 * @param confirmed position last confirmed; empty at the first start, and when the hub lost its
 *     state
 * @param state state last handed over; {@link AgentState#NONE} in the same cases
 */
public record ResumePoint(Optional<SourcePosition> confirmed, AgentState state) {

  /** A first start. */
  public static final ResumePoint NONE = new ResumePoint(Optional.empty(), AgentState.NONE);

  /** Checks the parts. */
  public ResumePoint {
    Objects.requireNonNull(confirmed, "confirmed");
    Objects.requireNonNull(state, "state");
  }
}
