package io.corehub.testkit;

import static java.util.stream.Collectors.joining;

import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentListener;
import io.corehub.agent.AgentState;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.Finding;
import io.corehub.agent.ProbeFinding;
import io.corehub.agent.PublishedFile;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableShape;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.MemoryTarget.Connection;
import io.corehub.testkit.MemoryTarget.CutOffException;
import io.corehub.testkit.MemoryTarget.Stored;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The smallest agent that keeps the whole contract, with a thread for each table; and, told so, one
 * that breaks it in a chosen place. One lock guards everything.
 */
final class MemoryAgent implements TargetAgent {

  private final Connection connection;
  private final AgentTuning tuning;
  private final AgentContext context;
  private final Defect defect;
  private final Map<TableId, Lane> lanes = new LinkedHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ArrayDeque<OpenCommit> ledger = new ArrayDeque<>();
  private final ArrayDeque<Runnable> news = new ArrayDeque<>();
  private final Set<TableId> removed = new TreeSet<>();
  private final Set<TableId> leftOut = new TreeSet<>();
  private Optional<SourcePosition> lastTaken = Optional.empty();
  private boolean newsUnderWay;
  private long bytesHeld;
  private boolean closed;

  MemoryAgent(Connection connection, AgentTuning tuning, AgentContext context, Defect defect) {
    this.connection = connection;
    this.tuning = tuning;
    this.context = context;
    this.defect = defect;
  }

  @Override
  public List<Finding> check() throws InterruptedException {
    if (defect == Defect.CHECK_WRITES) {
      connection.write(TableId.of("probe"), stored -> {});
    }
    return List.of(new Finding(Finding.Severity.OK, "Memory is there."));
  }

  @Override
  public void probe(Duration patience, Consumer<ProbeFinding> findings)
      throws InterruptedException {
    TableId scratch = TableId.of("memory_probe");
    connection.write(scratch, stored -> {});
    if (defect == Defect.PROBES_WRITE_TO_OTHER_TABLES) {
      connection.write(ContractTables.ORDERS.table(), Stored::clear);
    }
    boolean done = false;
    try {
      String second = defect == Defect.TELLS_A_PROBE_TWICE ? "writes-are-seen" : "drops-are-seen";
      for (String id : List.of("writes-are-seen", second)) {
        String message = defect == Defect.TELLS_A_LINE_FEED ? "held\n" : "held";
        findings.accept(new ProbeFinding(id, Finding.Severity.OK, message));
        if (Thread.interrupted() && defect != Defect.PROBES_DO_NOT_HEAR_AN_INTERRUPT) {
          throw new InterruptedException();
        }
      }
      done = true;
    } finally {
      boolean forgets =
          defect == Defect.PROBES_LEAVE_A_TABLE
              || (!done && defect == Defect.PROBES_LEAVE_A_TABLE_WHEN_THE_HOST_FAILS);
      if (!forgets) {
        connection.drop(scratch);
      }
    }
  }

  @Override
  public synchronized Map<TableId, TableProgress> open(List<TableSpec> tables, ResumePoint resume) {
    if (defect != Defect.FORGETS_REMOVED_TABLES) {
      resume.state().text().lines().map(TableId::parse).forEach(removed::add);
    }
    if (defect != Defect.GOES_ON_WITH_TABLES_LEFT_OUT) {
      // Not asked later: a lane asks for this agent's lock while it has the target's.
      connection.tables().stream().filter(context.selected().negate()).forEach(leftOut::add);
    }
    start("memory-agent-news", this::sendNews);
    Map<TableId, TableProgress> progress = new HashMap<>();
    tables.forEach(table -> progress.put(table.table(), addTable(table)));
    return progress;
  }

  @Override
  public synchronized TableProgress addTable(TableSpec spec) {
    if (removed.contains(spec.table())) {
      TableStoppedException reason =
          new TableStoppedException(
              spec.table(),
              ErrorCode.NEEDS_SNAPSHOT,
              "Table " + spec.table() + " was removed. Load it anew.");
      news.add(() -> context.listener().tableStopped(reason));
      notifyAll();
      return new TableProgress.Stopped(reason);
    }
    Lane lane = new Lane(spec.schema());
    lanes.put(spec.table(), lane);
    TableProgress progress = connection.look(spec.table()).map(lane::resume).orElse(nothing());
    start("memory-agent-" + spec.table(), lane::publishAll);
    return progress;
  }

  private static TableProgress nothing() {
    return new TableProgress.NothingPublished();
  }

  private void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    threads.add(thread);
    thread.start();
  }

  /** What the host is to hand back: a removed table on each line. */
  private AgentState state() {
    return new AgentState(removed.stream().map(TableId::toString).collect(joining("\n")));
  }

  @Override
  public synchronized void removeTable(TableId table) throws InterruptedException {
    removed.add(table);
    letGo(table);
    tellState();
  }

  private void tellState() throws InterruptedException {
    AgentState now = state();
    news.add(() -> context.listener().stateChanged(now));
    notifyAll();
    awaitNews();
  }

  private void awaitNews() throws InterruptedException {
    while (!news.isEmpty() || newsUnderWay) {
      wait();
    }
  }

  private synchronized void letGo(TableId table) {
    Lane lane = lanes.remove(table);
    if (lane != null && defect != Defect.HOLDS_CONFIRMATIONS_OF_REMOVED_TABLES) {
      lane.drop();
      ledger.forEach(commit -> commit.waitingFor.remove(table));
      settle();
    }
  }

  @Override
  public boolean recreateTable(TableId table) throws InterruptedException {
    letGo(table);
    boolean held = defect == Defect.KEEPS_ROWS_OF_A_RECREATED_TABLE || connection.drop(table);
    synchronized (this) {
      if (removed.remove(table)) {
        tellState();
      }
    }
    return held;
  }

  @Override
  public SnapshotWriter beginSnapshot(TableId table, SnapshotStart start)
      throws InterruptedException {
    Lane lane;
    synchronized (this) {
      lane = lanes.get(table);
    }
    connection.write(
        table,
        stored -> {
          if (stored.snapshotFinished || stored.to.isPresent()) {
            throw new TableStoppedException(
                table, ErrorCode.NEEDS_SNAPSHOT, "Table " + table + " is loaded already.");
          }
          if (defect != Defect.KEEPS_ROWS_OF_AN_UNFINISHED_SNAPSHOT) {
            stored.clear();
          }
          stored.snapshotId = Optional.of(start.id());
          stored.snapshotAt = Optional.of(start.consistentAt());
        });
    lane.shaped(lane.shape);
    tell(listener -> listener.snapshotStarted(table, start));
    return new MemorySnapshot(lane, start);
  }

  private synchronized void tell(Consumer<AgentListener> one) {
    news.add(() -> one.accept(context.listener()));
    notifyAll();
  }

  @Override
  public synchronized void apply(CommitBatch batch) throws InterruptedException {
    checkOrder(batch);
    long bytes = batch.events().stream().mapToLong(MemoryAgent::bytes).sum();
    if (defect == Defect.KEEPS_WHAT_AN_INTERRUPTED_CALL_BROUGHT) {
      take(batch);
    }
    while (bytesHeld > 0
        && bytesHeld + bytes > tuning.memoryMegabytes() * 1_000_000L
        && defect != Defect.TAKES_WITHOUT_BOUND) {
      wait();
    }
    if (defect != Defect.KEEPS_WHAT_AN_INTERRUPTED_CALL_BROUGHT) {
      take(batch);
    }
  }

  private void checkOrder(CommitBatch batch) {
    for (Commit commit : batch.commits()) {
      SourcePosition position = commit.position();
      if (lastTaken.isPresent()
          && position.ordered()
          && lastTaken.get().isAfter(position)
          && defect != Defect.ACCEPTS_OLDER_POSITIONS) {
        throw new IllegalArgumentException(position + " comes before " + lastTaken.get());
      }
    }
  }

  private static long bytes(TableEvent event) {
    return event instanceof RowChanges changes ? changes.rows().bytes() : 0;
  }

  private void take(CommitBatch batch) {
    List<OpenCommit> open = new ArrayList<>();
    for (int i = 0; i < batch.commits().size(); i++) {
      SourcePosition position = batch.commits().get(i).position();
      boolean complete = i < batch.commits().size() - 1 || batch.lastCommitComplete();
      OpenCommit last = ledger.peekLast();
      OpenCommit commit;
      if (last != null && !last.complete && last.position.equals(position)) {
        commit = last;
      } else {
        commit = new OpenCommit(position);
        ledger.add(commit);
      }
      commit.complete = complete || defect == Defect.CONFIRMS_UNFINISHED_COMMITS;
      open.add(commit);
      lastTaken = Optional.of(position);
    }
    for (TableEvent event : batch.events()) {
      Lane lane = lanes.get(event.table());
      if (lane != null && event instanceof RowChanges changes) {
        lane.take(changes, open, batch);
      } else if (lane != null && event instanceof TableUnreadable unreadable) {
        lane.stop(unreadable.reason(), open.get(unreadable.commitIndex()));
      }
    }
    settle();
    notifyAll();
  }

  /** Confirms the longest finished prefix of the commits. */
  private void settle() {
    Optional<SourcePosition> upTo = Optional.empty();
    while (!ledger.isEmpty()) {
      OpenCommit first = ledger.peek();
      boolean early = defect == Defect.CONFIRMS_BEFORE_PUBLISHING;
      if (!first.complete || !(early || first.waitingFor.isEmpty())) {
        break;
      }
      if (defect == Defect.FORGETS_EMPTY_COMMITS && !first.touched) {
        ledger.poll();
        continue;
      }
      upTo = Optional.of(first.position);
      ledger.poll();
    }
    if (upTo.isPresent()) {
      removed.addAll(leftOut);
    }
    AgentState now = state();
    upTo.ifPresent(position -> news.add(() -> context.listener().confirmed(position, now)));
    notifyAll();
  }

  private void sendNews() {
    while (true) {
      Runnable next;
      synchronized (this) {
        newsUnderWay = false;
        notifyAll();
        while (news.isEmpty()) {
          if (closed) {
            return;
          }
          try {
            wait();
          } catch (InterruptedException closing) {
            return;
          }
        }
        next = news.poll();
        newsUnderWay = true;
      }
      next.run();
    }
  }

  @Override
  public synchronized void flush() throws InterruptedException {
    List<Lane> all = List.copyOf(lanes.values());
    for (Lane lane : defect == Defect.FLUSHES_ONE_TABLE_ONLY ? all.subList(0, 1) : all) {
      lane.flushing = true;
    }
    notifyAll();
    while (lanes.values().stream().anyMatch(lane -> lane.flushing && lane.busy())) {
      wait();
    }
    lanes.values().forEach(lane -> lane.flushing = false);
    awaitNews();
  }

  @Override
  public synchronized List<TableStatus> status() {
    return lanes.values().stream().map(Lane::status).toList();
  }

  @Override
  public void close() {
    List<Thread> leaving;
    synchronized (this) {
      closed = true;
      if (defect == Defect.CONFIRMS_AFTER_CLOSE) {
        ledger.forEach(commit -> commit.waitingFor.clear());
        AgentState now = state();
        news.add(() -> context.listener().confirmed(lastTaken.orElseThrow(), now));
      } else {
        news.clear();
      }
      notifyAll();
      leaving = new ArrayList<>(threads);
    }
    if (defect == Defect.LEAVES_A_THREAD) {
      Thread left = new Thread(LockSupport::park, "memory-agent-left");
      left.setDaemon(true);
      left.start();
    }
    boolean interrupted = false;
    for (Thread thread : leaving) {
      if (!thread.getName().endsWith("news")) {
        thread.interrupt();
      }
      try {
        thread.join(10_000);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A commit that is not confirmed yet. */
  private static final class OpenCommit {
    final SourcePosition position;
    final Set<TableId> waitingFor = new HashSet<>();
    boolean complete;
    boolean touched;

    OpenCommit(SourcePosition position) {
      this.position = position;
    }
  }

  /** Some rows of one commit; every row counts as an event. */
  private record Slice(
      OpenCommit commit, RowChanges changes, int from, int to, int eventsAfter, long takenAt) {}

  /** The way of one table's changes to the target. */
  private final class Lane {
    private final TableId table;
    private TableSchema shape;
    private final Map<String, ColumnType> types = new HashMap<>();
    private final ArrayDeque<Slice> pending = new ArrayDeque<>();
    private Optional<SourcePosition> publishedTo = Optional.empty();
    private int publishedEvents;
    private boolean publishedDone;
    private Optional<SourcePosition> counting = Optional.empty();
    private int counted;
    private Optional<TableStoppedException> stopped = Optional.empty();
    private boolean publishing;
    private boolean flushing;
    private boolean gone;
    private long rowsPublished;
    private Optional<TableSchema> told = Optional.empty();
    private int files;

    Lane(TableSchema schema) {
      this.table = schema.table();
      this.shape = schema;
      schema.columns().forEach(column -> types.put(column.name(), column.type()));
    }

    TableProgress resume(Stored stored) {
      if (stored.keyKnown && !stored.keyColumns.equals(shape.keyColumns())) {
        stop(refusal(ErrorCode.KEY_CHANGED, "its key changed"), new OpenCommit(position0()));
      }
      for (Column column : shape.columns()) {
        ColumnType known = stored.types.getOrDefault(column.name(), column.type());
        if (!known.equals(column.type())) {
          stop(refusal(ErrorCode.TYPE_REFUSED, "a type changed"), new OpenCommit(position0()));
        }
      }
      types.putAll(stored.types);
      publishedTo = stored.to;
      publishedEvents = stored.toEvents;
      publishedDone = stored.toDone;
      if (stopped.isPresent()) {
        return new TableProgress.Stopped(stopped.get());
      }
      if (stored.to.isPresent()) {
        return new TableProgress.ChangesPublished(stored.to.get(), stored.toDone);
      }
      if (stored.snapshotId.isEmpty() || defect == Defect.FORGETS_FINISHED_SNAPSHOTS) {
        return nothing();
      }
      return stored.snapshotFinished
          ? new TableProgress.SnapshotFinished(
              stored.snapshotId.get(), stored.snapshotAt.orElseThrow())
          : new TableProgress.SnapshotUnfinished(stored.snapshotId.get());
    }

    private SourcePosition position0() {
      return new SourcePosition("", 0, "");
    }

    private TableStoppedException refusal(ErrorCode code, String what) {
      return new TableStoppedException(
          table, code, "Table " + table + " stopped: " + what + ". Load it anew.");
    }

    void take(RowChanges changes, List<OpenCommit> open, CommitBatch batch) {
      Optional<TableStoppedException> refused = refused(changes);
      int row = 0;
      while (row < changes.rowCount()) {
        int commitIndex = changes.commitIndex(row);
        int end = row;
        while (end < changes.rowCount() && changes.commitIndex(end) == commitIndex) {
          end++;
        }
        OpenCommit commit = open.get(commitIndex);
        commit.touched = true;
        if (refused.isPresent()) {
          stop(refused.get(), commit);
        }
        takeSlice(changes, commit, row, end);
        row = end;
      }
    }

    private void takeSlice(RowChanges changes, OpenCommit commit, int from, int to) {
      if (stopped.isPresent()) {
        if (defect != Defect.CONFIRMS_PAST_A_STOPPED_TABLE) {
          commit.waitingFor.add(table);
        }
        return;
      }
      if (counting.isEmpty() || !counting.get().equals(commit.position)) {
        counting = Optional.of(commit.position);
        counted = 0;
      }
      int first = from + Math.min(to - from, Math.max(0, skipped(commit.position) - counted));
      counted += to - from;
      if (first < to) {
        pending.add(new Slice(commit, changes, first, to, counted, System.nanoTime()));
        bytesHeld += changes.rows().bytes() * (to - from) / changes.rowCount();
        commit.waitingFor.add(table);
      }
    }

    /** Events of a commit that stand in the target already. */
    private int skipped(SourcePosition position) {
      if (publishedTo.isEmpty()
          || !position.ordered()
          || defect == Defect.PUBLISHES_REPLAYED_COMMITS_AGAIN) {
        return 0;
      }
      SourcePosition published = publishedTo.get();
      if (position.order() == published.order()) {
        boolean forgets = defect == Defect.FORGETS_HOW_FAR_A_BIG_COMMIT_CAME;
        return publishedDone ? Integer.MAX_VALUE : forgets ? 0 : publishedEvents;
      }
      boolean older =
          defect == Defect.COMPARES_POSITIONS_SIGNED
              ? position.order() < published.order()
              : published.isAfter(position);
      return older ? Integer.MAX_VALUE : 0;
    }

    private Optional<TableStoppedException> refused(RowChanges changes) {
      TableSchema schema = changes.rows().schema();
      if (!schema.keyColumns().equals(shape.keyColumns())) {
        return Optional.of(refusal(ErrorCode.KEY_CHANGED, "its key changed"));
      }
      for (Column column : schema.columns()) {
        ColumnType known = types.putIfAbsent(column.name(), column.type());
        if (known != null
            && !known.equals(column.type())
            && defect != Defect.FOLLOWS_CHANGED_TYPES) {
          return Optional.of(refusal(ErrorCode.TYPE_REFUSED, "a type changed"));
        }
      }
      if (changes.undelivered().any() && defect != Defect.WRITES_UNDELIVERED_AS_NULL) {
        return Optional.of(refusal(ErrorCode.VALUE_REFUSED, "an old value was not delivered"));
      }
      return Optional.empty();
    }

    void stop(TableStoppedException reason, OpenCommit at) {
      at.touched = true;
      if (defect != Defect.CONFIRMS_PAST_A_STOPPED_TABLE) {
        at.waitingFor.add(table);
      }
      if (stopped.isEmpty()) {
        stopped = Optional.of(reason);
        news.add(() -> context.listener().tableStopped(reason));
      }
    }

    void drop() {
      pending.forEach(this::free);
      pending.clear();
      gone = true;
      MemoryAgent.this.notifyAll();
    }

    private void free(Slice slice) {
      bytesHeld -=
          slice.changes.rows().bytes() * (slice.to - slice.from) / slice.changes.rowCount();
    }

    boolean busy() {
      return publishing || !pending.isEmpty();
    }

    void publishAll() {
      try {
        while (true) {
          List<Slice> file = nextFile();
          if (file.isEmpty()) {
            return;
          }
          connection.write(table, stored -> file.forEach(slice -> store(stored, slice)));
          published(file);
        }
      } catch (InterruptedException | CutOffException end) {
        synchronized (MemoryAgent.this) {
          publishing = false;
        }
      }
    }

    /** Waits until the window closes; empty when the lane ends. */
    private List<Slice> nextFile() throws InterruptedException {
      synchronized (MemoryAgent.this) {
        while (!closed && !gone && !due()) {
          if (pending.isEmpty() || defect == Defect.IGNORES_THE_CLOCK) {
            MemoryAgent.this.wait();
          } else {
            MemoryAgent.this.wait(20);
          }
        }
        List<Slice> file = new ArrayList<>();
        if (closed || gone) {
          return file;
        }
        publishing = true;
        do {
          file.add(pending.remove());
        } while (tuning.windowSeconds() > 0 && !pending.isEmpty());
        return file;
      }
    }

    private boolean due() {
      if (pending.isEmpty()) {
        return false;
      }
      long age = System.nanoTime() - pending.peek().takenAt;
      int rows = pending.stream().mapToInt(slice -> slice.to - slice.from).sum();
      return flushing
          || rows >= tuning.rowsPerFile()
          || bytesHeld > tuning.memoryMegabytes() * 500_000L
          || (defect != Defect.IGNORES_THE_CLOCK || tuning.windowSeconds() == 0)
              && age >= tuning.windowSeconds() * 1_000_000_000L;
    }

    /** Tells the host in what shape the rows come from now on, unless it knows. */
    void shaped(TableSchema now) {
      if (told.isPresent()
          && (told.get().equals(now) || defect == Defect.TELLS_THE_FIRST_SHAPE_ALONE)) {
        return;
      }
      told = Optional.of(now);
      List<TableShape.TargetColumn> columns =
          now.columns().stream()
              .map(
                  column ->
                      new TableShape.TargetColumn(
                          column.name(), column.type().toString(), Optional.of(column.name())))
              .toList();
      tell(listener -> listener.tableShaped(new TableShape(now, "file:///memory", columns)));
    }

    void fileTold(PublishedFile.Kind kind, long rows, SourcePosition position) {
      PublishedFile file =
          new PublishedFile(table, kind, "file " + ++files, rows, 1 + rows, position);
      if (defect != Defect.KEEPS_FILES_TO_ITSELF) {
        tell(listener -> listener.filePublished(file));
      }
      if (defect == Defect.TELLS_A_FILE_TWICE) {
        tell(listener -> listener.filePublished(file));
      }
    }

    private void published(List<Slice> file) {
      synchronized (MemoryAgent.this) {
        for (Slice slice : file) {
          shaped(slice.changes.rows().schema());
          fileTold(PublishedFile.Kind.CHANGES, slice.to - slice.from, slice.commit.position);
        }
        publishing = false;
        for (Slice slice : file) {
          free(slice);
          rowsPublished += slice.to - slice.from;
          boolean more = pending.stream().anyMatch(other -> other.commit == slice.commit);
          if (!more && !gone) {
            slice.commit.waitingFor.remove(table);
          }
          publishedTo = Optional.of(slice.commit.position);
          publishedEvents = slice.eventsAfter;
          publishedDone = slice.commit.complete;
        }
        settle();
      }
    }

    private void store(Stored stored, Slice slice) {
      RowChanges changes = slice.changes;
      describe(stored, changes.rows().schema());
      List<Row> rows = SourceRow.views(changes.rows());
      if (defect == Defect.DROPS_ADDED_COLUMNS) {
        rows = rows.stream().map(this::withoutAddedColumns).toList();
      }
      if (stored.keyColumns.isEmpty()) {
        append(stored, slice, rows);
      } else if (defect == Defect.WRITES_KEY_CHANGES_EVENT_BY_EVENT) {
        eventByEvent(stored, slice, rows);
      } else {
        netEffect(stored, slice, rows);
      }
      stored.to = Optional.of(slice.commit.position);
      stored.toEvents = slice.eventsAfter;
      synchronized (MemoryAgent.this) {
        stored.toDone = slice.commit.complete;
      }
    }

    private Row withoutAddedColumns(Row row) {
      Map<String, String> cells = new HashMap<>(row.cells());
      cells.keySet().removeIf(name -> shape.indexOf(name).isEmpty());
      return new Row(cells);
    }

    private void describe(Stored stored, TableSchema schema) {
      stored.keyKnown = true;
      stored.keyColumns = schema.keyColumns();
      schema.columns().forEach(column -> stored.types.putIfAbsent(column.name(), column.type()));
    }

    private void append(Stored stored, Slice slice, List<Row> rows) {
      for (int i = slice.from; i < slice.to; i++) {
        switch (slice.changes.kind(i)) {
          case INSERT, UPDATE_AFTER -> stored.load(rows.get(i));
          case UPDATE_BEFORE, DELETE -> {}
        }
      }
    }

    private void eventByEvent(Stored stored, Slice slice, List<Row> rows) {
      for (int i = slice.from; i < slice.to; i++) {
        switch (slice.changes.kind(i)) {
          case INSERT, UPDATE_AFTER -> stored.load(rows.get(i));
          case UPDATE_BEFORE, DELETE -> stored.remove(rows.get(i));
        }
      }
    }

    /** Rows that live at the end replace what the commit consumed. */
    private void netEffect(Stored stored, Slice slice, List<Row> rows) {
      List<Row> alive = new ArrayList<>();
      Set<Row> consumed = new LinkedHashSet<>();
      for (int i = slice.from; i < slice.to; i++) {
        switch (slice.changes.kind(i)) {
          case INSERT, UPDATE_AFTER -> alive.add(rows.get(i));
          case UPDATE_BEFORE, DELETE -> {
            if (!alive.remove(rows.get(i))) {
              consumed.add(rows.get(i));
            }
          }
        }
      }
      consumed.forEach(stored::remove);
      alive.forEach(stored::load);
    }

    TableStatus status() {
      return new TableStatus(
          table,
          stopped.isPresent() ? TableStatus.State.STOPPED : TableStatus.State.CHANGES,
          false,
          Optional.empty(),
          publishedTo,
          busy() ? Optional.of(context.clock().instant()) : Optional.empty(),
          pending.size(),
          0,
          rowsPublished,
          0,
          stopped.map(Throwable::getMessage),
          Optional.empty());
    }
  }

  /** Publishes pages as soon as they fill a file or the memory. */
  private final class MemorySnapshot implements SnapshotWriter {
    private final Lane lane;
    private final SnapshotStart start;
    private final List<ColumnBatch> pages = new ArrayList<>();
    private boolean ended;

    MemorySnapshot(Lane lane, SnapshotStart start) {
      this.lane = lane;
      this.start = start;
    }

    @Override
    public void write(ColumnBatch page) throws InterruptedException {
      pages.add(page);
      long bytes =
          pages.stream().flatMap(p -> p.columns().stream()).mapToLong(ColumnVector::bytes).sum();
      int rows = pages.stream().mapToInt(ColumnBatch::rowCount).sum();
      boolean bounded = defect != Defect.TAKES_WITHOUT_BOUND;
      if (rows >= tuning.rowsPerFile() || bounded && bytes > tuning.memoryMegabytes() * 500_000L) {
        try {
          publish(false);
        } catch (InterruptedException e) {
          if (defect != Defect.KEEPS_WHAT_AN_INTERRUPTED_CALL_BROUGHT) {
            pages.remove(pages.size() - 1);
          }
          throw e;
        }
      }
    }

    private void publish(boolean last) throws InterruptedException {
      connection.write(
          lane.table,
          stored -> {
            lane.describe(stored, lane.shape);
            for (ColumnBatch page : pages) {
              lane.describe(stored, page.schema());
              SourceRow.views(page).forEach(stored::load);
            }
            stored.snapshotFinished = last;
          });
      pages.forEach(page -> lane.shaped(page.schema()));
      lane.fileTold(
          PublishedFile.Kind.SNAPSHOT,
          pages.stream().mapToInt(ColumnBatch::rowCount).sum(),
          start.consistentAt());
      pages.clear();
    }

    private void end(boolean complete) {
      if (!ended) {
        ended = true;
        tell(listener -> listener.snapshotEnded(lane.table, start.id(), complete));
      }
    }

    @Override
    public void finish() throws InterruptedException {
      publish(true);
      end(true);
    }

    @Override
    public void abort() {
      pages.clear();
      end(defect == Defect.CALLS_A_LOST_SNAPSHOT_COMPLETE);
    }
  }
}
