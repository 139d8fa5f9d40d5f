package io.corehub.hub.pipeline;

import io.corehub.agent.AgentException;
import io.corehub.agent.AgentListener;
import io.corehub.agent.AgentState;
import io.corehub.agent.PublishedFile;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableShape;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.hub.source.Shown;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the news of a pipeline's agent. Thread-safe. */
final class PipelineNews implements AgentListener {

  private static final Logger LOG = LoggerFactory.getLogger(PipelineNews.class);

  /** Different warnings of a run that are remembered for the closing summary. */
  private static final int MAX_WARNINGS = 1000;

  private final String pipeline;
  private final StateKeeper keeper;
  private final Tables tables;
  private final Observers observers;
  private final Consumer<AgentException> stopped;
  private final Map<String, AtomicLong> warnings = new ConcurrentSkipListMap<>();

  PipelineNews(
      String pipeline,
      StateKeeper keeper,
      Tables tables,
      Observers observers,
      Consumer<AgentException> stopped) {
    this.pipeline = pipeline;
    this.keeper = keeper;
    this.tables = tables;
    this.observers = observers;
    this.stopped = stopped;
  }

  @Override
  public void confirmed(SourcePosition upTo, AgentState state) {
    keeper.confirmed(upTo, state);
  }

  @Override
  public CompletionStage<Void> stateChanged(AgentState state) {
    return keeper.stateChanged(state);
  }

  @Override
  public void tableStopped(TableStoppedException reason) {
    tables.stop(reason);
  }

  @Override
  public void agentStopped(AgentException reason) {
    observers.agentStopped(reason);
    stopped.accept(reason);
  }

  @Override
  public void tableShaped(TableShape shape) {
    observers.tableShaped(shape);
  }

  @Override
  public void snapshotStarted(TableId table, SnapshotStart start) {
    observers.snapshotStarted(table, start);
  }

  @Override
  public void filePublished(PublishedFile file) {
    observers.filePublished(file);
  }

  @Override
  public void snapshotEnded(TableId table, String snapshotId, boolean complete) {
    observers.snapshotEnded(table, snapshotId, complete);
  }

  @Override
  public void warning(Optional<TableId> table, String message) {
    String text =
        table.map(t -> t.toString() + ": ").filter(t -> !message.contains(t)).orElse("") + message;
    String shown = Shown.message(text);
    LOG.warn("{}: {}", pipeline, shown);
    if (warnings.size() < MAX_WARNINGS || warnings.containsKey(shown)) {
      warnings.computeIfAbsent(shown, key -> new AtomicLong()).incrementAndGet();
    }
  }

  /** Warnings so far and how often each came. */
  Map<String, AtomicLong> warnings() {
    return warnings;
  }
}
