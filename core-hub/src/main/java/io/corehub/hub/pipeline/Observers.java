package io.corehub.hub.pipeline;

import io.corehub.agent.AgentException;
import io.corehub.agent.ProgressListener;
import io.corehub.agent.PublishedFile;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.TableShape;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.observe.ObservedPipeline;
import io.corehub.agent.observe.PipelineObserver;
import io.corehub.agent.settings.Secret;
import io.corehub.agent.table.TableId;
import io.corehub.hub.config.ObserverConfig;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.state.StateDirectory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who watch one run of a pipeline. One that fails is let go of; the pipeline never notices.
 * Thread-safe.
 */
final class Observers implements ProgressListener {

  private static final Logger LOG = LoggerFactory.getLogger(Observers.class);

  /** Nobody watches. */
  static final Observers NONE = new Observers("", List.of());

  private final String pipeline;
  private final List<PipelineObserver> watching;

  private Observers(String pipeline, List<PipelineObserver> watching) {
    this.pipeline = pipeline;
    this.watching = new CopyOnWriteArrayList<>(watching);
  }

  /** Those whom the configuration switches on. */
  static Observers of(
      PipelineConfig config, String hub, StateDirectory directory, InstantSource clock) {
    List<PipelineObserver> watching = new ArrayList<>();
    for (ObserverConfig one : config.observers()) {
      try {
        one.provider()
            .observe(
                one.settings(),
                observed(config, hub, directory.memoryOf(config.id(), one.provider().key()), clock))
            .ifPresent(watching::add);
      } catch (RuntimeException | LinkageError e) {
        LOG.error("{}: {} cannot be set up", config.name(), one.provider().key(), e);
      }
    }
    return new Observers(config.name(), watching);
  }

  /**
   * What an observer is told of a pipeline.
   *
   * @param memory where it may keep what it must remember
   */
  static ObservedPipeline observed(
      PipelineConfig config, String hub, Path memory, InstantSource clock) {
    List<Secret> secrets = new ArrayList<>(config.sourceSettings().secrets());
    secrets.addAll(config.agentSettings().secrets());
    return new ObservedPipeline(
        hub,
        config.name(),
        config.source().origin(config.sourceSettings()),
        config.agentSettings().withoutSecrets(),
        secrets,
        memory,
        clock);
  }

  private void each(Consumer<PipelineObserver> news) {
    List<PipelineObserver> failed =
        watching.stream().filter(observer -> fails(observer, news)).toList();
    watching.removeAll(failed);
  }

  private boolean fails(PipelineObserver observer, Consumer<PipelineObserver> news) {
    try {
      news.accept(observer);
      return false;
    } catch (RuntimeException | LinkageError e) {
      LOG.error("{}: an observer failed and is let go of", pipeline, e);
      return true;
    }
  }

  void started() {
    each(PipelineObserver::started);
  }

  @Override
  public void tableShaped(TableShape shape) {
    each(observer -> observer.tableShaped(shape));
  }

  @Override
  public void snapshotStarted(TableId table, SnapshotStart start) {
    each(observer -> observer.snapshotStarted(table, start));
  }

  @Override
  public void filePublished(PublishedFile file) {
    each(observer -> observer.filePublished(file));
  }

  @Override
  public void snapshotEnded(TableId table, String snapshotId, boolean complete) {
    each(observer -> observer.snapshotEnded(table, snapshotId, complete));
  }

  @Override
  public void tableStopped(TableStoppedException reason) {
    each(observer -> observer.tableStopped(reason));
  }

  @Override
  public void agentStopped(AgentException reason) {
    each(observer -> observer.agentStopped(reason));
  }

  /** Nothing will be published any more; waits until the observers have ended, within bounds. */
  void end(Optional<String> problem) {
    each(observer -> observer.ended(problem));
    each(PipelineObserver::close);
  }
}
