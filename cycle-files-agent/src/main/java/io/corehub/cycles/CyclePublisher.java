package io.corehub.cycles;

import io.corehub.agent.AgentState;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import io.corehub.cycles.Manifest.FileEntry;
import io.corehub.runtime.SerialTasks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The cycles that ended: they become visible one after the other, each once its data files stand in
 * the storage. Guarded by the turn, unless a method says that it needs none.
 */
final class CyclePublisher {

  /** Told what became of cycles. Called with the turn. */
  interface Listener {
    /** Whether nothing is to become visible any more. */
    boolean over();

    /** A cycle is visible. */
    void completed();

    /** A cycle cannot become visible. */
    void failed(Throwable reason);
  }

  private final CycleShared shared;
  private final CycleConfig config;
  private final WriterFence fence;
  private final Map<TableId, TableCourse> tables;
  private final Listener listener;
  private final SerialTasks closer;
  private final ArrayDeque<Cycle> ended = new ArrayDeque<>();
  private final String job;
  private final @Nullable Retention retention;
  private Optional<CycleName> completed;
  private Sequence current;
  private SourcePosition position;
  private boolean rollback;
  private volatile Optional<CycleName> visible;
  private volatile String visibleJob;

  /**
   * A publisher.
   *
   * @param shared what all parts share
   * @param fence proves that this run still is the writer
   * @param start where the job stands
   * @param tables the tables at work, which may come and go
   * @param listener told what becomes of cycles
   */
  CyclePublisher(
      CycleShared shared,
      WriterFence fence,
      JobStart start,
      Map<TableId, TableCourse> tables,
      Listener listener) {
    this.shared = shared;
    this.config = shared.config();
    this.fence = fence.in(shared.store());
    this.tables = tables;
    this.listener = listener;
    this.closer = new SerialTasks(shared.workers().uploads());
    this.job = start.job();
    this.completed = start.last();
    this.current = start.current().orElse(Sequence.of(0, 0));
    this.position = new SourcePosition(start.timeline(), current.order(), "");
    this.rollback = start.rollback();
    this.visible = start.last();
    this.visibleJob = start.last().isPresent() ? start.job() : "";
    this.retention =
        config.rules().retention().isZero()
            ? null
            : new Retention(shared.store(), config.layout(), config.rules().retention());
  }

  /**
   * What the hub is to remember. Needs no turn.
   *
   * @param passed tables that the confirmed position went on without
   */
  AgentState state(AgentMemory.Passed passed) {
    return new AgentMemory(visibleJob, config.layout().jobFolder(), visible, passed).state();
  }

  /** Fails if a newer run writes this job. Needs no turn. */
  void prove(Cycle cycle) throws InterruptedException {
    fence.proveFor(cycle.name(), shared.workers().timer().nanos());
  }

  /** A cycle ended: it waits for its turn. */
  void add(Cycle cycle) {
    ended.add(cycle);
  }

  /** Whether every cycle that ended is visible. */
  boolean idle() {
    return ended.isEmpty();
  }

  /** Whether a cycle ended and is visible. */
  boolean isVisible(Cycle cycle) {
    return cycle.ending != null && !ended.contains(cycle);
  }

  /** The cycles of which rows can still be taken back. */
  void eachRevocable(Consumer<Cycle> what) {
    ended.stream().filter(cycle -> !cycle.committing).forEach(what);
  }

  /** The oldest cycle that ended becomes visible once its files stand there. */
  void publishWhatCan() {
    Cycle first = ended.peek();
    if (first != null && !first.committing && first.uploaded() && !listener.over()) {
      first.committing = true;
      closer.execute(() -> publish(first));
    }
  }

  /** Needs no turn; called for one cycle at a time, in their order. */
  private void publish(Cycle cycle) {
    try {
      CycleCommitment made;
      synchronized (shared.turn()) {
        made = commitment(cycle);
      }
      prove(cycle);
      made.write(config, shared.store(), fence);
      synchronized (shared.turn()) {
        if (listener.over()) {
          return;
        }
        completed(cycle, made);
      }
      shared.news().somethingChanged();
      Retention old = retention;
      if (old != null) {
        old.run(shared.clock().instant());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      synchronized (shared.turn()) {
        listener.failed(e);
      }
    }
  }

  private static Cycle.Ending ending(Cycle cycle) {
    Cycle.Ending ending = cycle.ending;
    if (ending == null) {
      throw new IllegalStateException("Cycle " + cycle.name() + " has not ended");
    }
    return ending;
  }

  private CycleCommitment commitment(Cycle cycle) {
    Cycle.Ending ending = ending(cycle);
    Sequence sequence = sequenceOf(cycle);
    List<DataFileFacts> files = cycle.files();
    Manifest manifest =
        new Manifest(
            job,
            shared.pipeline(),
            cycle.name(),
            completed,
            positionOf(cycle),
            ending.reason(),
            cycle.openedAt(),
            ending.at(),
            ending.tables(),
            files.stream().map(FileEntry::of).toList(),
            rollback);
    byte[] completedFile =
        new CompletedFile(
                cycle.name(),
                cycle.openedAt(),
                ending.at(),
                sequence,
                config.style().of(config.layout().contentsFile(cycle.name())),
                ending.reason())
            .bytes();
    List<String> dropped =
        cycle.sealedParts().stream()
            .filter(part -> part.dropped && part.published)
            .map(Part::path)
            .toList();
    return new CycleCommitment(cycle.name(), dropped, manifest, files, sequence, completedFile);
  }

  private SourcePosition positionOf(Cycle cycle) {
    SourcePosition last = cycle.last;
    if (last != null) {
      return last;
    }
    return cycle
        .load
        .filter(low -> position.timeline().isEmpty() || low.isAfter(position))
        .orElse(position);
  }

  /** It never goes back: a load may be consistent at a position that cycles have passed. */
  private Sequence sequenceOf(Cycle cycle) {
    SourcePosition last = cycle.last;
    Sequence of =
        last != null
            ? Sequence.of(last.order(), cycle.lastRow)
            : Sequence.of(cycle.load.map(SourcePosition::order).orElse(0L), 0);
    return of.toString().compareTo(current.toString()) >= 0 ? of : current;
  }

  private void completed(Cycle cycle, CycleCommitment made) {
    ended.remove(cycle);
    completed = Optional.of(cycle.name());
    visible = completed;
    visibleJob = job;
    current = made.sequence();
    position = made.manifest().position();
    rollback = false;
    if (cycle.claim != null) {
      shared.ledger().settle(cycle.claim);
    }
    // Before anybody who waits for the cycle can see that it is complete.
    shared.news().confirm();
    made.files().forEach(this::count);
    cycle.sealedParts().stream()
        .filter(part -> !part.dropped)
        .forEach(part -> shared.news().filePublished(part.told(position.timeline())));
    tell(cycle, made.files());
    ending(cycle).endedLoads().forEach(CycleLoad::visible);
    listener.completed();
    publishWhatCan();
  }

  private void count(DataFileFacts file) {
    String name = file.table().toString();
    shared.meters().add("rows.published", (double) file.counts().total(), "table", name);
    shared.meters().add("bytes.published", (double) file.bytes(), "table", name);
    TableCourse table = tables.get(file.table());
    if (table != null) {
      table.files++;
      table.rows += file.counts().total();
      table.bytes += file.bytes();
      table.lastFile = Optional.of(file.path());
      table.lastPosition = Optional.of(position);
      table.oldest = Optional.empty();
    }
  }

  private void tell(Cycle cycle, List<DataFileFacts> files) {
    Cycle.Ending ending = ending(cycle);
    Map<String, Long> rows = new TreeMap<>();
    files.forEach(file -> rows.merge(file.table().toString(), file.counts().total(), Long::sum));
    double seconds = Duration.between(cycle.openedAt(), ending.at()).toMillis() / 1000.0;
    double lag = Duration.between(ending.at(), shared.clock().instant()).toMillis() / 1000.0;
    Logs.LOG.info(
        "{}: cycle {} is complete ({}): rows {}, {} files of {} bytes, open for {} s, visible {} s"
            + " after its end",
        shared.pipeline(),
        cycle.name(),
        ending.reason(),
        rows,
        files.size(),
        files.stream().mapToLong(DataFileFacts::bytes).sum(),
        seconds,
        lag);
    shared.meters().add("cycles.completed", 1, "reason", ending.reason().name());
    shared.meters().seconds("cycle.open", seconds);
    shared.meters().seconds("cycle.publishing", lag);
  }
}
