package io.corehub.agent;

import io.corehub.agent.table.TableId;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The news an agent sends to its host. Calls come one at a time, from threads of the agent; they
 * must return quickly and must not call back into the agent.
 */
public interface AgentListener extends ProgressListener {

  /**
   * Everything up to a position is on the target. The host stores position and state together, in
   * one atomic step. Positions never go backwards; steps may be skipped.
   *
   * @param upTo position of the last commit that stands whole in the target
   * @param state what the agent wants back at the next {@link TargetAgent#open}
   */
  void confirmed(SourcePosition upTo, AgentState state);

  /**
   * The agent's state changed while no position moved, for example by the end of a snapshot. The
   * host stores it with the position it already has, or without one. Before an agent does what
   * cannot be undone, it waits for the answer to be complete.
   *
   * @param state what the agent wants back at the next {@link TargetAgent#open}
   * @return complete when a crash of host or machine can no longer lose this state or a later one;
   *     completed with an exception if it cannot be stored
   */
  CompletionStage<Void> stateChanged(AgentState state);

  /**
   * A table stopped; the others go on. What the host sends for it from now on is dropped.
   *
   * @param reason the table, why, and what to change
   */
  @Override
  void tableStopped(TableStoppedException reason);

  /**
   * The agent as a whole cannot go on. No more positions will be confirmed.
   *
   * @param reason why, and what to change
   */
  @Override
  void agentStopped(AgentException reason);

  /**
   * Something a person should know although nothing stopped: a skipped delete, a target that does
   * not answer, a name that the target may not like.
   *
   * @param table the table concerned; empty for the agent as a whole
   * @param message one sentence, on one line, without control or direction characters
   */
  void warning(Optional<TableId> table, String message);
}
