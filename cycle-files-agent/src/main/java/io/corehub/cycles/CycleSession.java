package io.corehub.cycles;

import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentState;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.Meters;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.table.TableId;
import io.corehub.runtime.CommitOrder;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.EventMemory;
import io.corehub.runtime.MemoryBudget;
import io.corehub.runtime.MemoryPlan;
import io.corehub.runtime.News;
import io.corehub.runtime.UploadSlots;
import io.corehub.runtime.Workers;
import io.corehub.runtime.rows.RowLimit;
import io.corehub.storage.AgentLife;
import io.corehub.storage.ObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An agent from its opening to its end. Thread-safe as the SPI says. */
final class CycleSession implements AgentLife.Session {

  private static final Duration UPLOADS_END = Duration.ofSeconds(10);
  private static final long LEAST_WINDOW = 1 << 20;

  private final CycleConfig config;
  private final CycleShared shared;
  private final CycleTables tables;
  private final CycleBook book;
  private final CycleFeed feed;
  private final CycleLoads loads;
  private final PassedTables passed;
  private final SourceTimeline timeline;
  private final CommitOrder order = new CommitOrder();

  /**
   * What a session gets from outside.
   *
   * @param workers threads
   * @param heapBytes greatest size of the heap
   * @param store opens the storage with what uploads need
   */
  record Outside(Workers workers, long heapBytes, Function<Uploads, ObjectStore> store) {}

  /**
   * What uploads need.
   *
   * @param slots bounds what is uploaded at a time
   * @param plan how memory is divided
   * @param warnings told what a person should know
   */
  record Uploads(UploadSlots slots, MemoryPlan plan, Consumer<String> warnings) {}

  CycleSession(
      CycleConfig config,
      AgentContext context,
      Outside outside,
      JobStart start,
      WriterFence fence,
      ResumePoint resume,
      int tableCount) {
    this.config = config;
    this.passed =
        new PassedTables(
            AgentMemory.of(resume.state()).map(AgentMemory::passed).orElse(AgentMemory.Passed.NONE),
            config.rules().combined());
    Workers workers = outside.workers();
    MemoryPlan plan = plan(config, context.pipelineId(), outside.heapBytes(), tableCount);
    UploadSlots slots =
        new UploadSlots(workers.uploads(), config.uploads().maxFiles(tableCount), plan.uploads());
    ConfirmationLedger ledger = new ConfirmationLedger(resume.confirmed());
    News news = new News(context.listener(), ledger, this::state, workers);
    ObjectStore store =
        outside
            .store()
            .apply(new Uploads(slots, plan, text -> news.warning(Optional.empty(), text)));
    this.shared =
        new CycleShared(
            config,
            context.pipelineId(),
            store,
            workers,
            slots,
            new MemoryBudget(plan.total(), plan.share(), full -> relieve()),
            ledger,
            news,
            context.meters(),
            context.clock(),
            new Object());
    this.timeline = new SourceTimeline(start.timeline(), config.layout().jobFolder(), news);
    this.tables =
        new CycleTables(
            shared, timeline, passed, RowLimit.ofHeap(outside.heapBytes()), start.tables());
    this.book = new CycleBook(shared, fence, start, tables.atWork(), tables.absent());
    TableTold told = new TableTold(shared, tables::schemaOf);
    this.feed =
        new CycleFeed(
            shared, book, tables.atWork(), start.current().map(Sequence::order).orElse(0L), told);
    this.loads = new CycleLoads(shared, book, feed, tables, told, timeline);
    if (!resume.repeats()) {
      tables.passOver(table -> !context.selected().test(table));
    }
    registerGauges(context.meters());
  }

  private AgentState state() {
    passed.noteStopped(shared.ledger().passed().stream().map(TableId.class::cast).toList());
    return book.state(passed.memory());
  }

  private static MemoryPlan plan(CycleConfig config, String pipeline, long heap, int tableCount) {
    long memory = config.uploads().memoryBytes();
    MemoryPlan plan =
        MemoryPlan.of(
            heap,
            tableCount,
            Math.max(LEAST_WINDOW, memory / 16),
            memory,
            config.uploads().blockBytes());
    Logs.LOG.info(
        "Memory of pipeline {}: {} MB in all, uploads up to {} MB in flight, blocks of {} KB, row"
            + " groups of {} KB (heap {} MB)",
        pipeline,
        plan.total() >> 20,
        plan.uploads() >> 20,
        plan.block() >> 10,
        plan.rowGroup() >> 10,
        heap >> 20);
    return plan;
  }

  private void registerGauges(Meters meters) {
    meters.gauge("uploads.active", shared.slots()::active);
    meters.gauge("uploads.queued", shared.slots()::queued);
    meters.gauge("memory.reserved.bytes", () -> shared.memory().used());
    meters.gauge("commits.unconfirmed", () -> shared.ledger().unconfirmed());
    meters.gauge(
        "cycle.open.age.seconds",
        () -> {
          synchronized (shared.turn()) {
            return book.age().toMillis() / 1000.0;
          }
        });
  }

  private void relieve() {
    synchronized (shared.turn()) {
      book.relieve();
    }
  }

  News news() {
    return shared.news();
  }

  Map<TableId, TableProgress> open(List<TableSpec> specs) throws InterruptedException {
    Map<TableId, TableProgress> progress = new LinkedHashMap<>();
    for (TableSpec spec : specs) {
      progress.put(spec.table(), tables.add(spec));
    }
    synchronized (shared.turn()) {
      book.heartbeat();
    }
    return progress;
  }

  TableProgress addTable(TableSpec spec) throws InterruptedException {
    return tables.add(spec);
  }

  void removeTable(TableId table) throws InterruptedException {
    tables.remove(table, book);
  }

  boolean recreateTable(TableId table) throws InterruptedException {
    return loads.recreate(table);
  }

  SnapshotWriter beginSnapshot(TableId table, SnapshotStart start) {
    return loads.begin(table, start);
  }

  void backlogEnded(TableId table, SourcePosition upTo) {
    loads.backlogEnded(table, upTo);
  }

  void apply(CommitBatch batch) throws InterruptedException {
    order.check(batch);
    Map<TableId, List<TableEvent>> byTable = new LinkedHashMap<>();
    synchronized (shared.turn()) {
      for (TableEvent event : batch.events()) {
        TableCourse table = tables.atWork().get(event.table());
        if (table != null && table.stopped == null) {
          byTable.computeIfAbsent(event.table(), id -> new ArrayList<>()).add(event);
        }
      }
    }
    List<MemoryBudget.Claim> claims = new ArrayList<>();
    byTable.forEach(
        (table, events) -> claims.add(new MemoryBudget.Claim(table, EventMemory.bytes(events))));
    List<MemoryBudget.Reservation> memory =
        claims.isEmpty() ? List.of() : shared.memory().reserve(claims);
    try {
      synchronized (shared.turn()) {
        order.taken(batch);
        if (!book.over()) {
          take(batch);
        }
      }
    } finally {
      memory.forEach(MemoryBudget.Reservation::release);
    }
    shared.news().confirm();
  }

  private void take(CommitBatch batch) {
    try {
      batch.commits().forEach(commit -> timeline.require(commit.position()));
      feed.take(batch);
    } catch (RuntimeException | Error e) {
      book.fail(e);
    }
  }

  void flush() throws InterruptedException {
    @Nullable Cycle last;
    synchronized (shared.turn()) {
      if (config.limits().onStop()) {
        last = book.open().orElse(null);
        book.endByRequest();
      } else {
        last = null;
      }
    }
    shared
        .news()
        .await(
            () -> {
              synchronized (shared.turn()) {
                return book.over()
                    || (book.idle()
                        && (last == null || last.ending == null || book.isVisible(last)));
              }
            });
  }

  @Override
  public List<TableStatus> status() {
    return tables.status();
  }

  /** Ends within 30 seconds: what is under way may end, the rest is given up. */
  @Override
  public void close() {
    synchronized (shared.turn()) {
      book.close();
    }
    shared.news().somethingChanged();
    try {
      if (!shared.slots().awaitQuiet(UPLOADS_END)) {
        Logs.LOG.warn("Uploads that did not end in {} s are given up", UPLOADS_END.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    shared.news().end();
    shared.store().close();
    shared.workers().close();
    // What the workers dropped gives no memory back.
    shared.memory().end();
  }
}
