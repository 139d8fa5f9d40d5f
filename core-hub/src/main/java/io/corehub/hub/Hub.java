package io.corehub.hub;

import io.corehub.agent.HandedOver;
import io.corehub.agent.Meters;
import io.corehub.agent.Successor;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.control.ControlException;
import io.corehub.hub.control.ControlServer;
import io.corehub.hub.pipeline.Outcome;
import io.corehub.hub.pipeline.Pipeline;
import io.corehub.hub.pipeline.PipelineStatus;
import io.corehub.hub.source.Shown;
import io.corehub.hub.state.StateDirectory;
import io.corehub.hub.web.PrometheusMeters;
import io.corehub.hub.web.WebServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A running hub: the pipelines of a configuration, their state, and the web server. Thread-safe.
 *
 * <ol>
 *   <li>{@link #start} locks the state directory, listens if asked to, and starts the pipelines.
 *   <li>{@link #awaitEnd} returns when all pipelines ended; {@link #stop} makes them.
 *   <li>{@link #close} ends whatever still runs and gives the state directory back.
 * </ol>
 */
public final class Hub implements AutoCloseable {

  /** A pipeline ends within this time of being asked to: its parts have bounds of their own. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(45);

  private final StateDirectory state;
  private final List<Pipeline> pipelines = new ArrayList<>();
  private @Nullable WebServer web;
  private @Nullable PrometheusMeters meters;
  private @Nullable ControlServer control;

  private Hub(StateDirectory state) {
    this.state = state;
  }

  /**
   * Starts a hub.
   *
   * @param config what to run
   * @param clock wall clock
   * @return the running hub
   * @throws io.corehub.hub.state.StateException if the state directory cannot be used
   * @throws io.corehub.hub.web.WebException if the web server cannot listen
   */
  public static Hub start(HubConfig config, InstantSource clock) {
    Hub hub = new Hub(StateDirectory.lock(config.stateDirectory()));
    try {
      hub.begin(config, clock);
      return hub;
    } catch (RuntimeException e) {
      hub.close();
      throw e;
    }
  }

  private void begin(HubConfig config, InstantSource clock) {
    PrometheusMeters prometheus = config.web().isPresent() ? new PrometheusMeters() : null;
    meters = prometheus;
    for (PipelineConfig pipeline : config.pipelines()) {
      pipelines.add(
          new Pipeline(
              pipeline,
              config.name(),
              state,
              clock,
              prometheus == null ? Meters.NONE : prometheus.of(pipeline.name())));
    }
    if (prometheus != null && config.web().isPresent()) {
      web = WebServer.start(config.web().get(), prometheus, config.name(), this::status);
    }
    state.webUrl(webUrl());
    control = ControlServer.start(config.stateDirectory(), this::handOver);
    pipelines.forEach(Pipeline::start);
  }

  private List<HandedOver> handOver(String pipelineId, Successor to) throws InterruptedException {
    for (Pipeline pipeline : pipelines) {
      if (pipeline.id().equals(pipelineId)) {
        return pipeline.handOver(to);
      }
    }
    throw new ControlException(
        "The hub that runs has no pipeline with the id '"
            + Shown.of(pipelineId)
            + "'; it has "
            + pipelines.stream().map(pipeline -> Shown.of(pipeline.id())).toList()
            + ". It was started with another configuration.");
  }

  /**
   * Where the status page is.
   *
   * @return URL; empty if there is no web server
   */
  public Optional<String> webUrl() {
    return Optional.ofNullable(web).map(WebServer::url);
  }

  /**
   * How the pipelines stand.
   *
   * @return one status for each, in the order of the configuration
   */
  public List<PipelineStatus> status() {
    return pipelines.stream().map(Pipeline::status).toList();
  }

  /**
   * Waits until all pipelines ended.
   *
   * @param limit how long
   * @return false if one still runs
   * @throws InterruptedException if interrupted
   */
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    for (Pipeline pipeline : pipelines) {
      long left = Math.max(0, end - System.nanoTime());
      if (!pipeline.awaitEnd(Duration.ofNanos(left))) {
        return false;
      }
    }
    return true;
  }

  /**
   * How the pipelines ended.
   *
   * @return one outcome for each, in the order of the configuration
   */
  public List<Outcome> outcomes() {
    return pipelines.stream().map(Pipeline::outcome).toList();
  }

  /**
   * Stops all pipelines: publishes what was read, within a bound, and waits for the end.
   *
   * @return false if a pipeline did not end in time
   * @throws InterruptedException if interrupted
   */
  public boolean stop() throws InterruptedException {
    pipelines.forEach(Pipeline::stop);
    return awaitEnd(STOP_LIMIT);
  }

  /** Ends what still runs and frees the state directory. Idempotent. */
  @Override
  public void close() {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ControlServer commands = control;
    control = null;
    if (commands != null) {
      commands.close();
    }
    WebServer server = web;
    web = null;
    if (server != null) {
      server.close();
      state.webUrl(Optional.empty());
    }
    PrometheusMeters figures = meters;
    meters = null;
    if (figures != null) {
      figures.close();
    }
    state.close();
  }
}
