package io.corehub.hub.cli;

import io.corehub.agent.AgentException;
import io.corehub.agent.AgentListener;
import io.corehub.agent.AgentState;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import java.util.Optional;

/** For an agent that is only asked to check: it has no news, its findings say all. */
final class DeafListener implements AgentListener {

  @Override
  public void confirmed(SourcePosition upTo, AgentState state) {}

  @Override
  public void stateChanged(AgentState state) {}

  @Override
  public void tableStopped(TableStoppedException reason) {}

  @Override
  public void agentStopped(AgentException reason) {}

  @Override
  public void warning(Optional<TableId> table, String message) {}
}
