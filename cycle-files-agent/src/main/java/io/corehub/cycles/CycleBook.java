package io.corehub.cycles;

import io.corehub.agent.AgentException;
import io.corehub.agent.AgentState;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import io.corehub.cycles.Manifest.FileEntry;
import io.corehub.cycles.Manifest.TableState;
import io.corehub.runtime.Publication;
import io.corehub.runtime.SerialTasks;
import io.corehub.runtime.Timer;
import io.corehub.runtime.UploadLane;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cycles of a job: the open one, and those that ended and are being published, one after the
 * other. Everything but what a constructor's caller is told otherwise is guarded by the turn.
 */
final class CycleBook {

  /** Names have seconds: a cycle that ends by its rows stays open for one at least. */
  private static final Duration LEAST_AGE = Duration.ofSeconds(1);

  private final CycleShared shared;
  private final CycleConfig config;
  private final WriterFence fence;
  private final Map<TableId, TableCourse> tables;
  private final Map<TableId, TableState> absent;
  private final SchemaFiles schemas;
  private final SerialTasks closer;
  private final ArrayDeque<Cycle> closing = new ArrayDeque<>();
  private final String job;
  private final List<CycleLoad> endedLoads = new ArrayList<>();
  private Optional<CycleName> newest;
  private Optional<CycleName> completed;
  private Sequence current;
  private SourcePosition position;
  private boolean rollback;
  private @Nullable Cycle open;
  private Timer.@Nullable Alarm alarm;
  private Timer.@Nullable Alarm quiet;
  private boolean inCommit;
  private long commits;
  private @Nullable AgentException failed;
  private boolean closed;
  private volatile Optional<CycleName> visible;
  private volatile String visibleJob;
  private @Nullable Retention retention;

  /**
   * The book of a job.
   *
   * @param shared what all parts share
   * @param fence proves that this run still is the writer
   * @param start where the job stands
   * @param tables the tables at work, which may come and go
   * @param absent where tables stand that are not at work now
   */
  CycleBook(
      CycleShared shared,
      WriterFence fence,
      JobStart start,
      Map<TableId, TableCourse> tables,
      Map<TableId, TableState> absent) {
    this.shared = shared;
    this.config = shared.config();
    this.fence = fence.in(shared.store());
    this.tables = tables;
    this.absent = absent;
    this.schemas = new SchemaFiles(shared);
    this.closer = new SerialTasks(shared.workers().uploads());
    this.job = start.job();
    this.newest = start.newest();
    this.completed = start.last();
    this.current = start.current().orElse(Sequence.of(0, 0));
    this.position = new SourcePosition(start.timeline(), current.order(), "");
    this.rollback = start.rollback();
    this.visible = start.last();
    this.visibleJob = start.last().isPresent() ? start.job() : "";
    if (!config.rules().retention().isZero()) {
      retention = new Retention(shared.store(), config.layout(), config.rules().retention());
    }
  }

  /**
   * What the hub is to remember. Needs no turn.
   *
   * @param passed tables that the confirmed position went on without
   */
  AgentState state(AgentMemory.Passed passed) {
    return new AgentMemory(visibleJob, config.layout().jobFolder(), visible, passed).state();
  }

  Optional<Cycle> open() {
    return Optional.ofNullable(open);
  }

  boolean over() {
    return failed != null || closed;
  }

  Optional<AgentException> failure() {
    return Optional.ofNullable(failed);
  }

  /** Whether every cycle that ended is visible. */
  boolean idle() {
    return closing.isEmpty();
  }

  /** Whether a cycle that ended is visible. */
  boolean isVisible(Cycle cycle) {
    return cycle.ending != null && !closing.contains(cycle);
  }

  // --- the open cycle --------------------------------------------------------------------------

  /** Opens a cycle though nothing was captured, when the settings ask for it. */
  void heartbeat() {
    if (config.limits().empty() && open == null && !over()) {
      begin();
    }
  }

  /** The open cycle; a new one if there is none. */
  Cycle begin() {
    Cycle known = open;
    if (known != null) {
      return known;
    }
    Instant now = shared.clock().instant();
    CycleName name = CycleName.next(now, newest);
    newest = Optional.of(name);
    Cycle fresh = new Cycle(name, now, shared.workers().timer().nanos());
    open = fresh;
    alarm = shared.workers().timer().in(config.limits().interval(), () -> tick(fresh));
    return fresh;
  }

  /** Puts rows into the open cycle. */
  void append(TableCourse table, CycleRows rows) {
    if (rows.count() == 0) {
      return;
    }
    Cycle cycle = begin();
    try {
      Part part = partFor(cycle, table);
      part.append(rows);
      cycle.rows += rows.count();
      table.begun = true;
      if (part.full(config.parts())) {
        seal(cycle, part);
      }
    } catch (IOException | RuntimeException e) {
      throw new EncodingFailedException(table.id(), e);
    }
  }

  /** Rows that were judged fit cannot be written: a defect, or a heap that is too small. */
  static final class EncodingFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EncodingFailedException(TableId table, Throwable why) {
      super("Table " + table + ": its rows cannot be encoded: " + why, why);
    }
  }

  private Part partFor(Cycle cycle, TableCourse table) throws IOException {
    Optional<Part> there = cycle.part(table.id());
    if (there.isPresent()) {
      Part part = there.get();
      if (part.version() == table.version && part.ofUnfinishedCommit == inCommit) {
        return part;
      }
      seal(cycle, part);
    }
    int number = cycle.nextNumber(table.id());
    TableShape shape = table.shape();
    int version = table.version;
    Part part =
        new Part(
            cycle,
            shape,
            version,
            number,
            config.layout().dataFile(table.id(), cycle.name(), number),
            shared.store(),
            config.encoding(),
            shared.memory().force(table.id(), 0),
            () -> {
              proveFor(cycle);
              schemas.require(table, shape, version);
            });
    part.ofLoad = Optional.ofNullable(table.loading).map(CycleLoad::start);
    part.ofUnfinishedCommit = inCommit;
    cycle.begin(part);
    return part;
  }

  private void proveFor(Cycle cycle) throws InterruptedException {
    fence.proveFor(cycle.name(), shared.workers().timer().nanos());
  }

  private void seal(Cycle cycle, Part part) throws IOException {
    part.seal();
    cycle.sealed(part);
    lane(part.table()).submit(part);
  }

  private UploadLane lane(TableId id) {
    TableCourse table = tables.get(id);
    UploadLane known = table == null ? null : table.lane;
    if (known != null) {
      return known;
    }
    UploadLane lane = new UploadLane(shared.slots(), shared.workers().timer(), new LaneNews());
    if (table != null) {
      table.lane = lane;
    }
    return lane;
  }

  /** Seals the largest file that is being written, so that its memory comes free. */
  void relieve() {
    Cycle cycle = open;
    if (cycle == null || over()) {
      return;
    }
    cycle.openParts().stream()
        .filter(part -> part.rows() > 0)
        .max(Comparator.comparingLong(Part::held))
        .ifPresent(
            part -> {
              try {
                seal(cycle, part);
              } catch (IOException | RuntimeException e) {
                fail(new EncodingFailedException(part.table(), e));
              }
            });
  }

  // --- commits ---------------------------------------------------------------------------------

  /** Whether a commit has been taken in part. */
  boolean inCommit() {
    return inCommit;
  }

  /** The rows that follow belong to a commit that this batch does not end, or they do not. */
  void inCommit(boolean unfinished) {
    inCommit = unfinished;
  }

  /** A commit was taken whole: its rows stay in the cycle. */
  void commitTaken(SourcePosition at, long lastRow) {
    Cycle cycle = open;
    commits++;
    if (cycle != null) {
      cycle.last = at;
      cycle.lastRow = lastRow;
      cycle.openParts().forEach(part -> part.ofUnfinishedCommit = false);
      cycle.sealedParts().forEach(part -> part.ofUnfinishedCommit = false);
    }
    Duration low = config.limits().lowActivity();
    if (!low.isZero() && open != null) {
      if (quiet != null) {
        quiet.cancel();
      }
      long commit = commits;
      quiet = shared.workers().timer().in(low, () -> lowActivity(commit));
    }
  }

  private void lowActivity(long commit) {
    synchronized (shared.turn()) {
      if (open != null && commits == commit && !inCommit && !over()) {
        end(EndReason.NORMAL_EXPIRY, shared.clock().instant());
      }
    }
  }

  /** How long the open cycle has been open; zero if there is none. */
  Duration age() {
    Cycle cycle = open;
    return cycle == null
        ? Duration.ZERO
        : Duration.ofNanos(shared.workers().timer().nanos() - cycle.openedNanos());
  }

  boolean oldEnough() {
    return age().compareTo(LEAST_AGE) >= 0;
  }

  /** What time alone ends, before anything more is taken. */
  void expire() {
    Cycle cycle = open;
    if (cycle == null || inCommit || over()) {
      return;
    }
    if (cycle.limitReached && oldEnough()) {
      end(EndReason.NORMAL_COMMIT, shared.clock().instant());
    } else if (age().compareTo(config.limits().interval()) >= 0) {
      end(
          cycle.limitReached ? EndReason.NORMAL_COMMIT : EndReason.NORMAL_EXPIRY,
          cycle.openedAt().plus(config.limits().interval()));
    }
  }

  /** What a commit, or the page of a load, ends. */
  void boundary() {
    Cycle cycle = open;
    if (cycle == null || inCommit || over()) {
      return;
    }
    if (age().compareTo(config.limits().interval()) >= 0) {
      end(EndReason.NORMAL_COMMIT, shared.clock().instant());
      return;
    }
    if (cycle.rows >= config.limits().changes()) {
      if (oldEnough()) {
        end(EndReason.NORMAL_COMMIT, shared.clock().instant());
      } else if (!cycle.limitReached) {
        cycle.limitReached = true;
        shared.workers().timer().in(LEAST_AGE.minus(age()), () -> tick(cycle));
      }
    }
  }

  private void tick(Cycle of) {
    synchronized (shared.turn()) {
      if (open == of) {
        expire();
      }
    }
  }

  // --- the end of a cycle ----------------------------------------------------------------------

  /** A load ended: it is told when its rows are visible. */
  void loadEnded(CycleLoad load) {
    endedLoads.add(load);
  }

  /** Ends the open cycle, at once or when the cycles before it are visible. */
  void endWhenIdle() {
    Cycle cycle = begin();
    if (closing.isEmpty() && !inCommit) {
      endByRequest();
    } else {
      cycle.endWhenIdle = true;
    }
  }

  /** Ends the open cycle as a stop does, if there is one. */
  void endByRequest() {
    Cycle cycle = open;
    if (cycle != null && !inCommit && (cycle.rows > 0 || !endedLoads.isEmpty())) {
      end(
          cycle.limitReached ? EndReason.NORMAL_COMMIT : EndReason.NORMAL_EXPIRY,
          shared.clock().instant());
    }
  }

  /** Ends the open cycle, if there is one, at a commit boundary. */
  void end(EndReason reason, Instant at) {
    Cycle cycle = open;
    if (cycle == null || over()) {
      return;
    }
    open = null;
    for (Timer.@Nullable Alarm set : new Timer.@Nullable Alarm[] {alarm, quiet}) {
      if (set != null) {
        set.cancel();
      }
    }
    Map<TableId, TableState> states = new TreeMap<>(absent);
    tables
        .values()
        .forEach(
            table -> {
              if (table.exists()) {
                states.put(table.id(), table.state());
              }
            });
    cycle.ending = new Cycle.Ending(reason, at, states, List.copyOf(endedLoads));
    endedLoads.clear();
    closing.add(cycle);
    try {
      for (Part part : cycle.openParts()) {
        seal(cycle, part);
      }
    } catch (IOException | RuntimeException e) {
      fail(new IllegalStateException("A data file cannot be finished: " + e, e));
      return;
    }
    commitWhatCan();
    heartbeat();
  }

  /** The oldest cycle that ended becomes visible once its files stand there. */
  private void commitWhatCan() {
    Cycle first = closing.peek();
    if (first != null && !first.committing && first.uploaded() && !over()) {
      first.committing = true;
      closer.execute(() -> commit(first));
    }
  }

  /** Needs no turn; called for one cycle at a time, in their order. */
  private void commit(Cycle cycle) {
    try {
      CycleCommitment made = commitment(cycle);
      proveFor(cycle);
      made.write(config, shared.store(), fence);
      synchronized (shared.turn()) {
        if (over()) {
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
        fail(e);
      }
    }
  }

  private CycleCommitment commitment(Cycle cycle) {
    synchronized (shared.turn()) {
      Cycle.Ending ending = cycle.ending;
      if (ending == null) {
        throw new IllegalStateException("Cycle " + cycle.name() + " has not ended");
      }
      SourcePosition at = positionOf(cycle);
      Sequence sequence = sequenceOf(cycle);
      List<DataFileFacts> files = cycle.files();
      Manifest manifest =
          new Manifest(
              job,
              shared.pipeline(),
              cycle.name(),
              completed,
              at,
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
    Cycle.Ending ending = cycle.ending;
    closing.remove(cycle);
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
    long bytes = 0;
    for (DataFileFacts file : made.files()) {
      bytes += file.bytes();
      shared
          .meters()
          .add("rows.published", (double) file.counts().total(), "table", file.table().toString());
      shared
          .meters()
          .add("bytes.published", (double) file.bytes(), "table", file.table().toString());
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
    cycle.sealedParts().stream()
        .filter(part -> !part.dropped)
        .forEach(part -> shared.news().filePublished(part.told(position.timeline())));
    if (ending != null) {
      tell(cycle, ending, made.files(), bytes);
      ending.endedLoads().forEach(CycleLoad::visible);
    }
    Cycle next = open;
    if (next != null && next.endWhenIdle && closing.isEmpty()) {
      endByRequest();
    }
    commitWhatCan();
  }

  private void tell(Cycle cycle, Cycle.Ending ending, List<DataFileFacts> files, long bytes) {
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
        bytes,
        seconds,
        lag);
    shared.meters().add("cycles.completed", 1, "reason", ending.reason().name());
    shared.meters().seconds("cycle.open", seconds);
    shared.meters().seconds("cycle.publishing", lag);
  }

  // --- giving rows up --------------------------------------------------------------------------

  /** A table's rows of the commit that is not finished go; those before stay. */
  void dropUnfinished(TableId table) {
    Cycle cycle = open;
    if (cycle != null) {
      drop(cycle, table, true);
    }
  }

  /** All rows of a table that are not being made visible go. */
  void dropTable(TableId table) {
    for (Cycle cycle : closing) {
      if (!cycle.committing) {
        drop(cycle, table, false);
      }
    }
    Cycle cycle = open;
    if (cycle != null) {
      drop(cycle, table, false);
    }
    commitWhatCan();
  }

  private static void drop(Cycle cycle, TableId table, boolean unfinishedOnly) {
    Optional<Part> writing = cycle.part(table);
    if (writing.isPresent() && (!unfinishedOnly || writing.get().ofUnfinishedCommit)) {
      cycle.rows -= writing.get().rows();
      cycle.forget(writing.get());
      writing.get().discard();
    }
    for (Part part : cycle.sealedParts()) {
      if (part.table().equals(table)
          && !part.dropped
          && (!unfinishedOnly || part.ofUnfinishedCommit)) {
        cycle.rows -= part.rows();
        part.dropped = true;
      }
    }
  }

  // --- news of the lanes -----------------------------------------------------------------------

  private final class LaneNews implements UploadLane.Listener {

    @Override
    public void published(Publication file) {
      synchronized (shared.turn()) {
        ((Part) file).published = true;
        commitWhatCan();
      }
      shared.news().somethingChanged();
    }

    @Override
    public void failed(Publication file, Throwable reason) {
      synchronized (shared.turn()) {
        Part part = (Part) file;
        if (part.dropped) {
          part.published = true;
          commitWhatCan();
        } else {
          fail(reason);
        }
      }
    }

    @Override
    public void emptied() {
      shared.news().somethingChanged();
    }
  }

  // --- the end of it all -----------------------------------------------------------------------

  /** The agent cannot go on. */
  void fail(Throwable reason) {
    if (over()) {
      return;
    }
    AgentException told = AgentFailure.of(reason);
    failed = told;
    giveUp();
    shared.news().agentStopped(told);
    shared.news().somethingChanged();
  }

  /** Nothing more is published. */
  void close() {
    closed = true;
    giveUp();
  }

  private void giveUp() {
    for (Timer.@Nullable Alarm set : new Timer.@Nullable Alarm[] {alarm, quiet}) {
      if (set != null) {
        set.cancel();
      }
    }
    Cycle cycle = open;
    open = null;
    if (cycle != null) {
      cycle.openParts().forEach(Part::discard);
    }
    tables
        .values()
        .forEach(
            table -> {
              if (table.lane != null) {
                table.lane.stop();
              }
            });
  }
}
