package io.corehub.lineage;

import io.corehub.agent.AgentException;
import io.corehub.agent.PublishedFile;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.TableShape;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.observe.PipelineObserver;
import io.corehub.agent.table.TableId;
import io.openlineage.client.OpenLineage.RunEvent.EventType;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lineage of one run of a pipeline. News only changes counters and adds to a queue; all else
 * happens on the emitter's thread. Thread-safe.
 */
final class PipelineLineage implements PipelineObserver {

  private final LineageConfig config;
  private final Scrubber scrubber;
  private final InstantSource clock;
  private final Supplier<UUID> ids;
  private final Run pipeline;
  private final Outbox outbox;
  private final LineageEmitter emitter;
  private final Map<TableId, TableLineage> tables = new TreeMap<>();
  private boolean started;
  private boolean ended;
  private @Nullable String agentProblem;

  /**
   * The lineage of a run that has not begun.
   *
   * @param config settings
   * @param scrubber takes secrets out of messages
   * @param clock wall clock
   * @param ids makes run ids
   * @param emitters makes the emitter of this run's events
   */
  PipelineLineage(
      LineageConfig config,
      Scrubber scrubber,
      InstantSource clock,
      Supplier<UUID> ids,
      EmitterFactory emitters) {
    this.config = config;
    this.scrubber = scrubber;
    this.clock = clock;
    this.ids = ids;
    this.pipeline = new Run(ids.get(), JobKey.of(config.pipeline()));
    this.outbox = new Outbox(config.queueSize(), this::takeBack);
    this.emitter = emitters.create(pipeline, outbox, new Windows());
  }

  /** Makes the emitter of a run. */
  interface EmitterFactory {
    LineageEmitter create(Run pipeline, Outbox outbox, LineageEmitter.Windows windows);
  }

  /** What the emitter asks for between two events. */
  private final class Windows implements LineageEmitter.Windows {
    @Override
    public void tellWhatIsDue() {
      PipelineLineage.this.tellWhatIsDue();
    }

    @Override
    public Optional<Instant> nextDue() {
      return PipelineLineage.this.nextDue();
    }
  }

  private synchronized void tellWhatIsDue() {
    Instant now = clock.instant();
    tables.values().forEach(table -> table.tellWhatIsDue(now));
  }

  private synchronized Optional<Instant> nextDue() {
    return tables.values().stream()
        .flatMap(table -> table.nextDue().stream())
        .min(Instant::compareTo);
  }

  /** Called by {@link Outbox#add}, and so with the lock held. */
  private void takeBack(Emission unsent) {
    unsent
        .facts()
        .map(facts -> tables.get(facts.table()))
        .ifPresent(table -> table.takeBack(unsent, clock.instant()));
  }

  private TableLineage table(TableId table) {
    begin();
    return tables.computeIfAbsent(
        table,
        id ->
            new TableLineage(
                id,
                kind -> JobKey.of(config.pipeline(), id, config.defaultSchema(), kind),
                ids,
                config.interval(),
                outbox::add));
  }

  private void begin() {
    if (!started) {
      started = true;
      emitter.start();
      outbox.add(Emission.of(EventType.START, pipeline, clock.instant(), Optional.empty()));
    }
  }

  @Override
  public synchronized void started() {
    begin();
  }

  @Override
  public synchronized void tableShaped(TableShape shape) {
    if (!ended) {
      table(shape.table()).shaped(shape, clock.instant());
    }
  }

  @Override
  public synchronized void snapshotStarted(TableId table, SnapshotStart start) {
    if (!ended) {
      table(table).snapshotStarted(start, clock.instant());
    }
  }

  @Override
  public synchronized void filePublished(PublishedFile file) {
    if (!ended) {
      table(file.table()).filePublished(file, clock.instant());
    }
  }

  @Override
  public synchronized void snapshotEnded(TableId table, String snapshotId, boolean complete) {
    if (!ended) {
      table(table).snapshotEnded(complete, clock.instant());
    }
  }

  @Override
  public synchronized void tableStopped(TableStoppedException reason) {
    if (!ended) {
      table(reason.table()).stopped(clean(reason.getMessage()), clock.instant());
    }
  }

  @Override
  public synchronized void agentStopped(AgentException reason) {
    agentProblem = clean(reason.getMessage());
  }

  private String clean(@Nullable String message) {
    return scrubber.clean(message == null ? "It did not say why." : message);
  }

  @Override
  public synchronized void ended(Optional<String> problem) {
    if (!started || ended) {
      ended = true;
      return;
    }
    ended = true;
    Instant now = clock.instant();
    String reason = agentProblem == null ? problem.map(this::clean).orElse(null) : agentProblem;
    tables.values().forEach(table -> table.ended(reason == null, now));
    outbox.add(
        reason == null
            ? Emission.of(EventType.COMPLETE, pipeline, now, Optional.empty())
            : Emission.of(EventType.FAIL, pipeline, now, Optional.empty()).because(reason));
  }

  @Override
  public void close() {
    ended(Optional.empty());
    emitter.close();
  }
}
