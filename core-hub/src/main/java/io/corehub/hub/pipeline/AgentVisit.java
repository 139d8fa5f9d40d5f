package io.corehub.hub.pipeline;

import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentException;
import io.corehub.agent.Meters;
import io.corehub.agent.TargetAgent;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.state.PipelineState;
import io.corehub.hub.state.StateDirectory;
import io.corehub.hub.state.StateFile;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Opens the agent of a pipeline that does not run, for one deed on the target. What the agent has
 * the hub remember is stored as in a run; the position of the pipeline stays. Stateless.
 */
public final class AgentVisit {

  private AgentVisit() {}

  /**
   * What is done with an open agent.
   *
   * @param <T> what comes of it
   */
  public interface Deed<T> {
    /**
     * Does it.
     *
     * @param agent open, without tables
     * @return what came of it
     * @throws InterruptedException if interrupted
     */
    T on(TargetAgent agent) throws InterruptedException;
  }

  /**
   * Opens the agent, does the deed and closes the agent.
   *
   * @param config the pipeline
   * @param directory the hub's locked state directory
   * @param clock wall clock
   * @param deed what to do
   * @param <T> what comes of it
   * @return what the deed returned
   * @throws AgentException if the target cannot be used, or the deed fails
   * @throws io.corehub.hub.state.StateException if the state cannot be read or written
   * @throws InterruptedException if interrupted
   */
  public static <T> T run(
      PipelineConfig config, StateDirectory directory, InstantSource clock, Deed<T> deed)
      throws InterruptedException {
    StateFile file = directory.stateOf(config.id());
    PipelineState now = file.read().started(clock);
    file.write(now);
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    T result;
    try (StateKeeper keeper = new StateKeeper(config.name(), file, now, upTo -> {}, failure::set)) {
      PipelineNews news =
          new PipelineNews(
              config.name(),
              keeper,
              new Tables(config.name(), stop -> {}),
              Observers.NONE,
              failure::set);
      AgentContext context =
          new AgentContext(
              config.id(),
              now.epoch(),
              config.source().type(),
              "",
              news,
              clock,
              Meters.NONE,
              config.tables()::selects);
      try (TargetAgent agent = config.agent().create(config.agentSettings(), context)) {
        agent.open(List.of(), now.resumePoint(false));
        result = deed.on(agent);
      }
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    return result;
  }
}
