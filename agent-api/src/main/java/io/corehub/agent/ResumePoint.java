package io.corehub.agent;

import java.util.Objects;
import java.util.Optional;

/**
 * What the hub remembers of an agent's last run. Immutable.
 *
 * @param confirmed position last confirmed; empty at the first start, and when the hub lost its
 *     state
 * @param state state last handed over; {@link AgentState#NONE} in the same cases
 * @param repeats whether the hub hands over again what it has confirmed when a table's {@link
 *     TableProgress} says that it is not on the target any more
 */
public record ResumePoint(Optional<SourcePosition> confirmed, AgentState state, boolean repeats) {

  /** A first start. */
  public static final ResumePoint NONE = new ResumePoint(Optional.empty(), AgentState.NONE);

  /**
   * Of a hub that hands over nothing that it has confirmed.
   *
   * @param confirmed position last confirmed
   * @param state state last handed over
   */
  public ResumePoint(Optional<SourcePosition> confirmed, AgentState state) {
    this(confirmed, state, false);
  }

  /** Checks the parts. */
  public ResumePoint {
    Objects.requireNonNull(confirmed, "confirmed");
    Objects.requireNonNull(state, "state");
  }
}
