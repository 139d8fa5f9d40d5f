package io.corehub.hub.control;

import io.corehub.agent.HandedOver;
import io.corehub.agent.Successor;
import java.util.List;

/** What a running hub does for commands. Thread-safe. */
public interface ControlHandler {

  /**
   * Stops a pipeline and hands its tables over.
   *
   * @param pipelineId id of the pipeline
   * @param to whom
   * @return its tables
   * @throws ControlException if the hub has no such pipeline, or it cannot be stopped now
   * @throws io.corehub.agent.AgentException if its tables cannot be handed over
   * @throws io.corehub.hub.state.StateException if its state cannot be read or written
   * @throws InterruptedException if the hub is stopped meanwhile
   */
  List<HandedOver> handOver(String pipelineId, Successor to) throws InterruptedException;
}
