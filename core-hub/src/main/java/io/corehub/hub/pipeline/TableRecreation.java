package io.corehub.hub.pipeline;

import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentException;
import io.corehub.agent.Meters;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.table.TableId;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.state.PipelineState;
import io.corehub.hub.state.StateDirectory;
import io.corehub.hub.state.StateFile;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Takes a table of a pipeline that does not run out of the target, so that the pipeline's next run
 * loads it anew. The position of the pipeline stays: the other tables go on where they are.
 * Stateless.
 */
public final class TableRecreation {

  private TableRecreation() {}

  /**
   * Takes the table out; blocks until the target has dropped it. If it is killed, the pipeline's
   * next run carries it to its end.
   *
   * @param config the pipeline
   * @param directory the hub's locked state directory
   * @param clock wall clock
   * @param table the table, as the pipeline knows it
   * @return whether the target held anything of it
   * @throws AgentException if the target cannot be used, or does not let the table go
   * @throws io.corehub.hub.state.StateException if the state cannot be read or written
   * @throws InterruptedException if interrupted
   */
  public static boolean run(
      PipelineConfig config, StateDirectory directory, InstantSource clock, TableId table)
      throws InterruptedException {
    StateFile file = directory.stateOf(config.id());
    PipelineState now = file.read().started(clock);
    file.write(now);
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    boolean held;
    try (StateKeeper keeper = new StateKeeper(config.name(), file, now, upTo -> {}, failure::set)) {
      PipelineNews news =
          new PipelineNews(
              config.name(), keeper, new Tables(config.name(), () -> {}), failure::set);
      AgentContext context =
          new AgentContext(
              config.id(), now.epoch(), config.source().type(), "", news, clock, Meters.NONE);
      try (TargetAgent agent = config.agent().create(config.agentSettings(), context)) {
        agent.open(List.of(), now.resumePoint(false));
        held = agent.recreateTable(table);
      }
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    return held;
  }
}
