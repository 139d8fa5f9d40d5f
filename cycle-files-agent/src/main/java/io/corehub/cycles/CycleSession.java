package io.corehub.cycles;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentException;
import io.corehub.agent.AgentState;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.cycles.Manifest.Load;
import io.corehub.cycles.Manifest.TableState;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An agent from its opening to its end. Thread-safe as the SPI says. */
final class CycleSession implements AgentLife.Session {

  private static final Duration UPLOADS_END = Duration.ofSeconds(10);
  private static final long LEAST_WINDOW = 1 << 20;

  private final CycleConfig config;
  private final AgentContext context;
  private final Workers workers;
  private final CycleShared shared;
  private final Object turn = new Object();
  private final Map<TableId, TableCourse> tables = new TreeMap<>();
  private final Map<TableId, TableSchema> schemas = new TreeMap<>();
  private final Map<TableId, TableState> unclaimed;
  private final CommitOrder order = new CommitOrder();
  private final CycleBook book;
  private final TableTold told;
  private final CycleFeed feed;

  private final PassedTables passed;
  private final RowLimit rowLimit;
  private String timeline;
  private boolean unorderedTold;
  private boolean ignoredTold;

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
  record Uploads(
      UploadSlots slots, MemoryPlan plan, java.util.function.Consumer<String> warnings) {}

  CycleSession(
      CycleConfig config,
      AgentContext context,
      Outside outside,
      JobStart start,
      WriterFence fence,
      ResumePoint resume,
      int tableCount) {
    this.config = config;
    this.context = context;
    this.passed =
        new PassedTables(
            AgentMemory.of(resume.state()).map(AgentMemory::passed).orElse(AgentMemory.Passed.NONE),
            config.rules().combined());
    this.rowLimit = RowLimit.ofHeap(outside.heapBytes());
    this.workers = outside.workers();
    this.unclaimed = new TreeMap<>(start.tables());
    this.timeline = start.timeline();
    MemoryPlan plan = plan(outside.heapBytes(), tableCount);
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
            turn);
    this.book = new CycleBook(shared, fence, start, tables, unclaimed);
    this.told = new TableTold(shared, this::schemaOf);
    this.feed =
        new CycleFeed(shared, book, tables, start.current().map(Sequence::order).orElse(0L), told);
    if (!resume.repeats()) {
      passOverLeftOut();
    }
    registerGauges();
  }

  /** Tables that the host hands nothing over of lack rows from the next commit on. */
  private void passOverLeftOut() {
    unclaimed.forEach(
        (id, state) -> {
          if (!context.selected().test(id)) {
            TableCourse course = newCourse(id);
            course.resume(state);
            if (!course.empty()) {
              shared.ledger().pass(id);
            }
          }
        });
  }

  private AgentState state() {
    passed.noteStopped(shared.ledger().passed().stream().map(TableId.class::cast).toList());
    return book.state(passed.memory());
  }

  private MemoryPlan plan(long heap, int tableCount) {
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
        context.pipelineId(),
        plan.total() >> 20,
        plan.uploads() >> 20,
        plan.block() >> 10,
        plan.rowGroup() >> 10,
        heap >> 20);
    return plan;
  }

  private void registerGauges() {
    context.meters().gauge("uploads.active", shared.slots()::active);
    context.meters().gauge("uploads.queued", shared.slots()::queued);
    context.meters().gauge("memory.reserved.bytes", () -> shared.memory().used());
    context.meters().gauge("commits.unconfirmed", () -> shared.ledger().unconfirmed());
    context
        .meters()
        .gauge(
            "cycle.open.age.seconds",
            () -> {
              synchronized (turn) {
                return book.age().toMillis() / 1000.0;
              }
            });
  }

  private void relieve() {
    synchronized (turn) {
      book.relieve();
    }
  }

  CycleBook book() {
    return book;
  }

  ObjectStore store() {
    return shared.store();
  }

  News news() {
    return shared.news();
  }

  Map<TableId, TableProgress> open(List<TableSpec> specs) throws InterruptedException {
    Map<TableId, TableProgress> progress = new LinkedHashMap<>();
    for (TableSpec spec : specs) {
      progress.put(spec.table(), addTable(spec));
    }
    synchronized (turn) {
      book.heartbeat();
    }
    return progress;
  }

  // --- tables ----------------------------------------------------------------------------------

  TableProgress addTable(TableSpec spec) throws InterruptedException {
    boolean begunAnew;
    TableProgress progress;
    synchronized (turn) {
      progress = added(spec);
      begunAnew = !(progress instanceof TableProgress.Stopped) && passed.forget(spec.table());
    }
    if (begunAnew) {
      storeState(spec.table());
    }
    return progress;
  }

  private TableProgress added(TableSpec spec) {
    TableId id = spec.table();
    schemas.put(id, spec.schema());
    TableCourse known = tables.get(id);
    if (known != null && known.stopped == null) {
      return progress(known);
    }
    if (known != null && known.exists()) {
      unclaimed.put(id, known.state());
    }
    TableCourse table = course(id);
    boolean passedOver = passed.lacks(id) || (known != null && shared.ledger().misses(id));
    boolean lacksRows = passed.isRemoved(id) || (passedOver && !table.beginsAnew());
    if (!lacksRows) {
      shared.ledger().release(id);
    }
    tables.put(id, table);
    // Of two that clash the last one is at fault: this one, not one that is at work.
    List<TableId> inOrder = new ArrayList<>(tables.keySet());
    inOrder.remove(id);
    inOrder.add(id);
    String clash = config.layout().clashes(inOrder).get(id);
    if (clash != null) {
      refuse(table, new TableStoppedException(id, ErrorCode.NAME_REFUSED, clash));
    } else if (lacksRows) {
      refuse(table, passed.refusal(id));
    } else {
      refuseBadShape(table, spec.schema());
    }
    shared.slots().allow(config.uploads().maxFiles(tables.size()));
    return progress(table);
  }

  private void refuse(TableCourse table, TableStoppedException reason) {
    table.stopped = reason;
    shared.news().tableStopped(reason);
  }

  /** A table as the newest manifest has it. */
  private TableCourse course(TableId id) {
    TableCourse table = newCourse(id);
    claimState(id).ifPresent(table::resume);
    return table;
  }

  private TableCourse newCourse(TableId id) {
    return new TableCourse(
        id,
        config,
        rowLimit,
        () -> shared.meters().add("values.replaced", 1, "table", id.toString()));
  }

  /** A schema that no file can have stops its table at once. */
  private void refuseBadShape(TableCourse table, TableSchema schema) {
    try {
      TableShape.of(schema, config.columns(), config.layout().format());
    } catch (TableStoppedException e) {
      refuse(table, e);
    }
  }

  /** What the newest manifest says of a table; without one its name alone may be known. */
  private Optional<TableState> claimState(TableId id) {
    TableState state = unclaimed.remove(id);
    if (state == null) {
      TableId byName = TableId.of(config.layout().contentsName(id));
      state = unclaimed.remove(byName);
    }
    return Optional.ofNullable(state);
  }

  private TableProgress progress(TableCourse table) {
    if (table.stopped != null) {
      return new TableProgress.Stopped(table.stopped);
    }
    if (!config.rules().combined()) {
      return table.exists() && !timeline.isEmpty()
          ? changesUpTo(table)
          : new TableProgress.ChangesOnly();
    }
    if (table.empty()) {
      return new TableProgress.NothingPublished();
    }
    if (table.load.isPresent()) {
      Load load = table.load.get();
      if (table.phase == Phase.TRUNCATION || table.phase == Phase.LOAD) {
        return new TableProgress.SnapshotUnfinished(load.id());
      }
      if (table.applied.isEmpty() || table.applied.get() == load.order()) {
        return new TableProgress.SnapshotFinished(
            load.id(), new SourcePosition(timeline, load.order(), ""));
      }
    }
    return changesUpTo(table);
  }

  private TableProgress changesUpTo(TableCourse table) {
    return new TableProgress.ChangesPublished(
        new SourcePosition(timeline, table.applied.orElse(0L), ""), true);
  }

  /** Tells the shape of a table's rows if it is news. */
  void tellShape(TableCourse table) {
    told.shaped(table);
  }

  TableSchema schemaOf(TableCourse table) {
    return table.hasShape()
        ? table.shape().table()
        : java.util.Objects.requireNonNull(schemas.get(table.id()), "schema");
  }

  void removeTable(TableId id) throws InterruptedException {
    synchronized (turn) {
      passed.noteRemoved(id);
      TableCourse table = tables.get(id);
      if (table != null) {
        book.dropTable(id);
        if (table.lane != null) {
          table.lane.stop();
        }
        if (table.loading != null) {
          table.loading.fail(removed(id));
        }
        tables.remove(id);
        if (table.exists()) {
          unclaimed.put(id, table.state());
        }
        shared.ledger().release(id);
      }
    }
    shared.news().confirm();
    shared.news().somethingChanged();
    storeState(id);
  }

  private void storeState(TableId id) throws InterruptedException {
    try {
      shared.news().storeState();
    } catch (ExecutionException e) {
      throw new TableStoppedException(
          id,
          ErrorCode.INTERNAL,
          "Table "
              + id
              + ": the hub could not store what was done with it: "
              + String.valueOf(e.getCause())
              + ". Correct that and do it again.",
          e);
    }
  }

  private static AgentException removed(TableId id) {
    return new RetryLaterException(
        ErrorCode.NEEDS_SNAPSHOT, "Table " + id + " was removed while it was loaded.");
  }

  // --- loads -----------------------------------------------------------------------------------

  SnapshotWriter beginSnapshot(TableId id, SnapshotStart start) {
    synchronized (turn) {
      TableCourse table = tables.get(id);
      if (table == null) {
        throw new IllegalStateException("Table " + id + " was not added");
      }
      if (table.stopped != null) {
        throw table.stopped;
      }
      if (!config.rules().combined()) {
        return new IgnoredLoad(this::ignored);
      }
      requireTimeline(start.consistentAt());
      if (table.begun && !isTruncated(table)) {
        if (table.exists()) {
          book.end(EndReason.RESYNC_STARTED, shared.clock().instant());
        }
        table.incarnation++;
        table.begun = false;
      }
      told.loadBegins(table);
      shared.news().snapshotStarted(id, start);
      CycleLoad load = new CycleLoad(shared, this, table, start);
      table.loading = load;
      table.known = Optional.of(start.consistentAt().order());
      table.backlogUpTo = Optional.empty();
      return load;
    }
  }

  private void ignored(long rows) {
    shared.meters().add("snapshot.rows.ignored", (double) rows);
    if (!ignoredTold) {
      ignoredTold = true;
      shared
          .news()
          .warning(
              Optional.empty(),
              "Rows of snapshots are ignored, because loadType is INCREMENTAL. Set it to COMBINED in a"
                  + " new taskTargetDirectory to load tables.");
    }
  }

  /** Whether the T of its incarnation is in a cycle, and nothing else. */
  boolean isTruncated(TableCourse table) {
    return table.begun && table.phase == Phase.TRUNCATION && table.load.isEmpty();
  }

  /** A load has all its rows in cycles. */
  void loaded(TableCourse table, CycleLoad load, Load what) {
    table.loading = null;
    table.load = Optional.of(what);
    table.phase =
        what.capturedUpTo().isPresent()
            ? Phase.DURING_LOAD
            : what.backlog() ? Phase.BACKLOG : Phase.CDC;
    book.loadEnded(load);
    boolean last = tables.values().stream().noneMatch(TableCourse::toBeLoaded);
    if (last && !book.inCommit()) {
      book.begin();
      book.end(EndReason.INITIAL_LOAD_COMPLETED, shared.clock().instant());
    } else {
      book.endWhenIdle();
    }
    feed.caughtUp();
  }

  void aborted(TableCourse table, CycleLoad load) {
    if (table.loading == load) {
      table.loading = null;
    }
  }

  /** A table stops in its load. */
  TableStoppedException stopLoading(TableCourse table, TableStoppedException reason) {
    table.stopped = reason;
    if (table.loading != null) {
      shared.news().snapshotEnded(table.id(), table.loading.start().id(), false);
    }
    table.loading = null;
    shared.ledger().hold(table.id());
    shared.news().tableStopped(reason);
    return reason;
  }

  void backlogEnded(TableId id, SourcePosition upTo) {
    synchronized (turn) {
      TableCourse table = tables.get(id);
      if (table == null || table.load.isEmpty() || !table.load.get().backlog()) {
        return;
      }
      table.backlogUpTo = Optional.of(upTo.order());
      feed.caughtUp();
    }
  }

  /** Empties a table for its consumers, so that it is loaded anew. */
  boolean recreateTable(TableId id) throws InterruptedException {
    Optional<Cycle> cycle = emptying(id);
    if (cycle.isPresent()) {
      awaitVisible(id, cycle.get());
    }
    if (passed.forget(id)) {
      storeState(id);
    }
    return cycle.isPresent();
  }

  /** The cycle that empties the table; none if nothing of it counts. */
  private Optional<Cycle> emptying(TableId id) {
    synchronized (turn) {
      TableCourse known = tables.get(id);
      TableCourse table = known == null ? course(id) : known;
      if (table.empty()) {
        forget(table);
        return Optional.empty();
      }
      if (!config.rules().combined()) {
        if (known == null) {
          unclaimed.put(id, table.state());
        }
        throw PassedTables.notLoaded(id);
      }
      tables.put(id, table);
      if (table.loading != null) {
        throw new IllegalStateException("A load of table " + id + " is open");
      }
      table.phase = Phase.TRUNCATION;
      table.known = Optional.empty();
      Cycle cycle = book.begin();
      long at = feed.takenUpTo().orElse(table.applied.orElse(0L));
      table.load = Optional.of(new Load("", at, Optional.empty(), false));
      if (table.hasShape()) {
        table.incarnation++;
        table.load = Optional.empty();
        book.append(
            table,
            table.rules().beginLoad(table.prefix(Phase.TRUNCATION), at, shared.clock().instant()));
      }
      book.end(EndReason.RESYNC_STARTED, shared.clock().instant());
      forget(table);
      return Optional.of(cycle);
    }
  }

  private void awaitVisible(TableId id, Cycle cycle) throws InterruptedException {
    await(
        () -> {
          synchronized (turn) {
            return book.isVisible(cycle) || book.over();
          }
        });
    synchronized (turn) {
      if (!book.isVisible(cycle)) {
        throw new TableStoppedException(
            id,
            ErrorCode.TARGET_UNAVAILABLE,
            "Table "
                + id
                + " could not be emptied: "
                + book.failure().map(Throwable::getMessage).orElse("the agent ends")
                + ". Start again.");
      }
    }
  }

  /** The table is let go of; what is known of it waits for the next time it is added. */
  private void forget(TableCourse table) {
    tables.remove(table.id());
    if (table.exists()) {
      unclaimed.put(table.id(), table.state());
    }
    shared.ledger().release(table.id());
  }

  // --- commits ---------------------------------------------------------------------------------

  void apply(CommitBatch batch) throws InterruptedException {
    order.check(batch);
    Map<TableId, List<TableEvent>> byTable = new LinkedHashMap<>();
    synchronized (turn) {
      for (TableEvent event : batch.events()) {
        TableCourse table = tables.get(event.table());
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
      synchronized (turn) {
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
      batch.commits().forEach(commit -> requireTimeline(commit.position()));
      feed.take(batch);
    } catch (RuntimeException | Error e) {
      book.fail(e);
    }
  }

  private void requireTimeline(SourcePosition position) {
    if (!position.ordered()) {
      if (!unorderedTold) {
        unorderedTold = true;
        shared
            .news()
            .warning(
                Optional.empty(),
                "The source does not promise an order of its commits: after a crash some may stand in"
                    + " two cycles.");
      }
      return;
    }
    if (timeline.isEmpty()) {
      timeline = position.timeline();
    }
    if (!timeline.equals(position.timeline())) {
      throw otherTimeline(config, position.timeline(), timeline);
    }
  }

  static ActionRequiredException otherTimeline(CycleConfig config, String now, String before) {
    return new ActionRequiredException(
        ErrorCode.SOURCE_REPLACED,
        "The source's history is '"
            + now
            + "', but the cycles in '"
            + config.layout().jobFolder()
            + "' belong to '"
            + before
            + "': the source was rebuilt or restored, and positions of two histories do not compare."
            + " Choose another taskTargetDirectory, so that the tables are loaded anew.");
  }

  void flush() throws InterruptedException {
    @Nullable Cycle last;
    synchronized (turn) {
      if (config.limits().onStop()) {
        last = book.open().orElse(null);
        book.endByRequest();
      } else {
        last = null;
      }
    }
    await(
        () -> {
          synchronized (turn) {
            return book.over()
                || (book.idle() && (last == null || last.ending == null || book.isVisible(last)));
          }
        });
  }

  void await(BooleanSupplier condition) throws InterruptedException {
    shared.news().await(condition);
  }

  @Override
  public List<TableStatus> status() {
    synchronized (turn) {
      return tables.values().stream().map(TableCourse::status).toList();
    }
  }

  /** Ends within 30 seconds: what is under way may end, the rest is given up. */
  @Override
  public void close() {
    synchronized (turn) {
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
    workers.close();
  }

  /** Tables that wait for nobody: for the host's set of those it asks about. */
  Set<TableId> known() {
    synchronized (turn) {
      return Set.copyOf(tables.keySet());
    }
  }
}
