package io.corehub.hub.cli;

import io.corehub.agent.AgentException;
import io.corehub.agent.AgentListener;
import io.corehub.agent.AgentState;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** For an agent that is only asked to check: it has no news, its findings say all. */
final class DeafListener implements AgentListener {

  @Override
  public void confirmed(SourcePosition upTo, AgentState state) {}

  @Override
  public CompletionStage<Void> stateChanged(AgentState state) {
    return CompletableFuture.failedStage(
        new IllegalStateException("An agent that is only asked to check has no state"));
  }

  @Override
  public void tableStopped(TableStoppedException reason) {}

  @Override
  public void agentStopped(AgentException reason) {}

  @Override
  public void warning(Optional<TableId> table, String message) {}
}
