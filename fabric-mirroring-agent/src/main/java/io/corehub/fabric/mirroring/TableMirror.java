package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.PublishedFile;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableShape;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TableTruncated;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.DfsException;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.FileWindow;
import io.corehub.runtime.MemoryBudget;
import io.corehub.runtime.Publication;
import io.corehub.runtime.SerialTasks;
import io.corehub.runtime.Timer;
import io.corehub.runtime.UploadLane;
import io.corehub.runtime.rows.TypeRules;
import io.corehub.storage.BlockUpload;
import io.corehub.storage.FileBytes;
import io.corehub.storage.Patience;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One table on its way into the landing zone: order and schema of its files, and what becomes of it
 * when something does not fit. Thread-safe: one lock, held for memory work only.
 */
final class TableMirror {

  private final Object lock = new Object();
  private final MirrorShared shared;
  private final TableId table;
  private final TableSpec spec;
  private final TypeRules types;
  private final SerialTasks encoding;
  private final FailureNews failures;
  private final Patience patience;
  private final SkippedOperations skipped;
  private final FileCounts counts = new FileCounts();
  private final Map<FileFacts, SealedFile> sealed = new ConcurrentHashMap<>();

  private TableFolder folder;
  private TableLog log;
  private TableOpening.Opened opened;
  private UploadLane lane;
  private ChangeCollector collector;
  private @Nullable SnapshotLoad snapshot;
  private @Nullable SnapshotLoad givenUp;
  private Timer.@Nullable Alarm alarm;
  private @Nullable TableStoppedException stopped;
  private boolean stopTold;
  private Optional<Instant> heldSince = Optional.empty();
  private boolean gone;

  /** Whether the schema at hand is known to fit the files. */
  private boolean followed;

  private @Nullable TableShape told;
  private boolean mustLook;
  private boolean mustRecreate;
  private TableStatus.State state = TableStatus.State.WAITING;

  /** A file whose rows are all in. */
  private record SealedFile(
      Optional<ConfirmationLedger.Claim> claim,
      SourcePosition position,
      Optional<SourcePosition> lastWhole,
      Instant openedAt,
      long rows,
      long sealedNanos) {}

  /**
   * A table whose folder was looked at.
   *
   * @param mustRecreate whether the folder cannot be continued and is deleted by the next snapshot
   * @throws TableStoppedException if the files cannot follow the table
   */
  TableMirror(
      MirrorShared shared, TableSpec spec, TableOpening.Opened opened, boolean mustRecreate) {
    this.shared = shared;
    this.spec = spec;
    this.mustRecreate = mustRecreate;
    this.types = shared.config().rules().typesFor(spec.settings());
    this.table = spec.table();
    this.encoding = new SerialTasks(shared.zone().workers().encoders());
    this.failures = new FailureNews(shared, table);
    this.patience =
        new Patience(
            shared.zone().retries(),
            shared.zone().time(),
            shared.config().uploads().retryBudget(),
            failures);
    this.skipped = new SkippedOperations(shared, table);
    this.folder = opened.folder();
    this.log = opened.log();
    this.opened = opened;
    this.lane = newLane();
    this.collector = newCollector(openingSchema());
  }

  private UploadLane newLane() {
    return new UploadLane(shared.zone().slots(), shared.zone().workers().timer(), new Lane());
  }

  /**
   * The schema to begin with. A host that reads its source again from the start declares tables in
   * the shapes they had then, which the files may have left behind: what they cannot follow is
   * refused with the first row that is new.
   */
  private FileSchema openingSchema() {
    try {
      return FileSchema.of(spec.schema(), log.columns(), types);
    } catch (TableStoppedException e) {
      if (shared.remembered().repeats() && !log.columns().isEmpty()) {
        return FileSchema.ofFiles(spec.schema(), log.columns());
      }
      throw e;
    }
  }

  private ChangeCollector newCollector(FileSchema schema) {
    ChangeCollector fresh =
        new ChangeCollector(
            table,
            shared.config().window(),
            shared.rowLimit(),
            new FileWindow(shared.window(), shared.zone().workers().timer()),
            shared.ledger(),
            shared.zone().clock(),
            schema,
            new Collecting());
    fresh.guard().reached(log.reached());
    return fresh;
  }

  TableId table() {
    return table;
  }

  boolean isStopped() {
    synchronized (lock) {
      return stopped != null;
    }
  }

  /** The agent ends: nothing is started any more, what is under way may end. */
  void closing() {
    synchronized (lock) {
      gone = true;
      dropOpen();
      lane.stop();
    }
  }

  /** The agent has ended: who waits for a snapshot's end waits no longer. */
  void closed() {
    snapshotRunning().ifPresent(SnapshotLoad::closed);
  }

  TableProgress progress() {
    synchronized (lock) {
      return log.progress();
    }
  }

  // --- changes ---------------------------------------------------------------------------------

  /**
   * Takes what a batch holds of this table.
   *
   * @param events its events, in order
   * @param memory what stands in the budget for them; belongs to the table from now on
   */
  void take(List<TableEvent> events, Handover handover, MemoryBudget.Reservation memory) {
    synchronized (lock) {
      try {
        if (running()) {
          collector.endHeldCommitBefore(handover, Handover.firstCommit(events.get(0)));
        }
        for (int i = 0; i < events.size() && running(); i++) {
          int next =
              i + 1 < events.size() ? Handover.firstCommit(events.get(i + 1)) : Handover.NONE;
          takeOne(events.get(i), handover, next, memory);
        }
        if (running()) {
          collector.endHeldCommitBefore(handover, Handover.NONE);
        }
      } catch (StopAtCommitException stop) {
        stopAt(stop.reason(), handover, stop.commit());
      } catch (TableStoppedException stop) {
        stopAt(stop, handover, 0);
      } catch (RuntimeException e) {
        stopAt(FilePublication.stopped(shared.zone(), folder, e), handover, 0);
      } finally {
        memory.release();
      }
    }
  }

  private boolean running() {
    return stopped == null && !gone;
  }

  private void takeOne(
      TableEvent event, Handover handover, int next, MemoryBudget.Reservation memory) {
    if (event instanceof RowChanges changes) {
      if (changes.rowCount() > 0) {
        int from = collector.firstNew(changes, handover);
        if (from < changes.rowCount()) {
          if (mustRecreate) {
            throw new StopAtCommitException(needsSnapshotFirst(), changes.commitIndex(from));
          }
          follow(changes.rows().schema(), handover, changes.commitIndex(from));
          skipped.deletes(collector.take(changes, from, handover, next, memory));
        }
        state = state == TableStatus.State.SNAPSHOT ? state : TableStatus.State.CHANGES;
      }
    } else if (event instanceof TableTruncated) {
      skipped.truncate();
    } else if (event instanceof TableUnreadable unreadable) {
      throw new StopAtCommitException(unreadable.reason(), unreadable.commitIndex());
    }
  }

  private TableStoppedException needsSnapshotFirst() {
    return new TableStoppedException(
        table,
        ErrorCode.NEEDS_SNAPSHOT,
        "Table "
            + table
            + ": it is to be loaded anew, but changes of it came before a snapshot. "
            + Advice.RECREATE_BY_COMMAND);
  }

  /** The batch holds nothing of this table; a commit held back may have ended with it. */
  void endCommit(Handover handover) {
    synchronized (lock) {
      if (running()) {
        try {
          collector.endHeldCommitBefore(handover, Handover.NONE);
        } catch (StopAtCommitException stop) {
          stopAt(stop.reason(), handover, stop.commit());
        }
      }
    }
  }

  private void follow(TableSchema now, Handover handover, int commit) {
    TableSchema before = collector.schema().table();
    if (followed && now.equals(before)) {
      return;
    }
    try {
      FileSchema.requireKey(before.keyed() && followed ? before.keyColumns() : log.keys(), now);
    } catch (TableStoppedException e) {
      throw new StopAtCommitException(e, commit);
    }
    collector.cutHeldCommit(handover, commit);
    FileSchema next;
    try {
      next = FileSchema.of(now, collector.schema().columns(), types);
    } catch (TableStoppedException e) {
      throw new StopAtCommitException(e, commit);
    }
    seal();
    collector.schema(next);
    followed = true;
    shaped(next);
  }

  /** Tells the host in what shape the table's rows are written from now on, unless it knows. */
  void shaped(FileSchema now) {
    synchronized (lock) {
      TableShape shape = now.shape(shared.zone().urlOf(folder.path()));
      if (!shape.equals(told)) {
        told = shape;
        shared.news().tableShaped(shape);
      }
    }
  }

  // --- sealing ---------------------------------------------------------------------------------

  /** Seals the open file, whatever is in it. */
  void seal() {
    synchronized (lock) {
      if (alarm != null) {
        alarm.cancel();
        alarm = null;
      }
      if (!running()) {
        return;
      }
      collector.sealed().ifPresent(this::enqueue);
    }
  }

  long openBytes() {
    synchronized (lock) {
      return collector.window().bytes();
    }
  }

  private void enqueue(ChangeCollector.Sealed full) {
    try {
      handOn(full);
    } catch (RuntimeException | Error e) {
      full.file().free();
      throw e;
    }
  }

  private void handOn(ChangeCollector.Sealed full) {
    ChangeFile file = full.file();
    FileFacts facts = log.next(file.schema().table().keyColumns());
    ChainEntry chain = log.entry(facts, file.schema(), full.content(), file.rows());
    sealed.put(
        facts,
        new SealedFile(
            Optional.of(file.claim()),
            file.first(),
            full.lastWhole(),
            file.openedAt(),
            file.rows(),
            shared.zone().time().nanos()));
    UploadLane to = lane;
    TableFolder into = folder;
    encoding.execute(() -> encode(file, facts, chain, into, to));
  }

  private void encode(
      ChangeFile file, FileFacts facts, ChainEntry chain, TableFolder into, UploadLane to) {
    FileBytes bytes = new FileBytes(shared.zone().blockBytes());
    try {
      shared.encoder().encode(file.schema(), file.runs(), chain, bytes);
      file.encoded(bytes.held());
      counts.sized(facts, bytes.length());
      to.submit(
          new FilePublication(
              shared.zone(),
              into,
              facts,
              FileUpload.kept(shared.zone(), into, facts, bytes, patience),
              patience,
              file::free));
    } catch (IOException | RuntimeException | Error e) {
      file.free();
      stopNow(FilePublication.stopped(shared.zone(), into, e));
    }
  }

  private void sealByClock() {
    try {
      sealIfItIsTime();
    } catch (RuntimeException | Error e) {
      // Nobody else would notice: the window would stay open, and its rows unpublished.
      stopNow(FilePublication.stopped(shared.zone(), folder, e));
    }
  }

  private void sealIfItIsTime() {
    synchronized (lock) {
      alarm = null;
      if (!running() || !collector.window().isOpen()) {
        return;
      }
      Duration left = collector.window().remaining();
      if (left.isZero() || left.isNegative()) {
        seal();
      } else {
        setAlarm(left);
      }
    }
  }

  private void setAlarm(Duration delay) {
    alarm = shared.zone().workers().timer().in(delay, this::sealByClock);
  }

  private final class Collecting implements ChangeCollector.Owner {
    @Override
    public void seal() {
      TableMirror.this.seal();
    }

    @Override
    public void opened() {
      if (!shared.window().age().isZero()) {
        setAlarm(shared.window().age());
      }
    }

    @Override
    public void replaced() {
      shared.count("values.replaced", 1, table);
    }
  }

  // --- snapshots -------------------------------------------------------------------------------

  /** Begins a snapshot; blocks while the folder is looked at or deleted. */
  SnapshotLoad beginSnapshot(SnapshotStart start) throws InterruptedException {
    SnapshotBegin begin = new SnapshotBegin(shared, spec, start.consistentAt().timeline());
    shared.news().await(this::settled);
    seal();
    shared.news().await(this::idle);
    TableOpening.Opened known;
    boolean recreate;
    boolean look;
    synchronized (lock) {
      if (stopped != null) {
        throw stopped;
      }
      if (gone || snapshot != null) {
        throw new IllegalStateException(
            gone ? "Table " + table + " was removed" : "A snapshot of " + table + " is running");
      }
      known = opened;
      recreate = mustRecreate;
      look = mustLook || counts.any();
    }
    SnapshotBegin.Begun begun;
    try {
      begun = begin.at(known, recreate, look);
    } catch (TableStoppedException stop) {
      stopNow(stop);
      throw stop;
    }
    synchronized (lock) {
      opened = begun.opened();
      folder = opened.folder();
      log = opened.log();
      mustLook = false;
      mustRecreate = false;
      lane = newLane();
      TableSchema now = collector.schema().table();
      FileSchema.requireKey(log.keys(), now);
      collector = newCollector(FileSchema.of(now, log.columns(), types));
      followed = true;
      state = TableStatus.State.SNAPSHOT;
      SnapshotLoad load =
          new SnapshotLoad(shared, this, spec, start, begun, collector.schema(), encoding);
      snapshot = load;
      shaped(collector.schema());
      shared.news().snapshotStarted(table, start);
      return load;
    }
  }

  /** The next file of a snapshot. */
  FileFacts nextFile(FileSchema schema) {
    synchronized (lock) {
      return log.next(schema.table().keyColumns());
    }
  }

  /** What a snapshot's file says of itself; asked for in the order of the numbers. */
  ChainEntry chainOf(FileFacts facts, FileSchema schema, ChainEntry.Snapshot content, long rows) {
    synchronized (lock) {
      return log.entry(facts, schema, content, rows);
    }
  }

  /** Counts a snapshot's file among those that are about to become visible. */
  void expect(FileFacts facts, SourcePosition consistentAt, long rows, long bytes) {
    counts.sized(facts, bytes);
    sealed.put(
        facts,
        new SealedFile(
            Optional.empty(),
            consistentAt,
            Optional.empty(),
            shared.zone().clock().instant(),
            rows,
            shared.zone().time().nanos()));
  }

  /** Sends a part of a snapshot on its way. */
  void submit(Publication publication) {
    UploadLane to;
    synchronized (lock) {
      to = lane;
    }
    to.submit(publication);
  }

  Patience patience() {
    return patience;
  }

  /** The snapshot is over, published to its end or given up. */
  void snapshotEnded(
      SnapshotLoad load,
      String snapshotId,
      Optional<SourcePosition> finishedAt,
      FileSchema schema) {
    synchronized (lock) {
      if (snapshot != load) {
        return;
      }
      snapshot = null;
      shared.news().snapshotEnded(table, snapshotId, finishedAt.isPresent());
      if (finishedAt.isPresent()) {
        collector.schema(schema);
        collector.guard().reached(finishedAt.map(TableLog::reachedBy));
        state = TableStatus.State.CHANGES;
      } else {
        mustLook = true;
        givenUp = load;
        lane.stop();
        sealed.clear();
        state = stopped == null ? TableStatus.State.WAITING : TableStatus.State.STOPPED;
      }
    }
    if (finishedAt.isPresent()) {
      noteLastPublished();
    }
  }

  /** Nothing of a snapshot that was given up is encoded any more. */
  void snapshotDiscarded(SnapshotLoad load) {
    synchronized (lock) {
      if (givenUp == load) {
        givenUp = null;
        sealed.clear();
      }
    }
    shared.news().somethingChanged();
  }

  /** Whether no file of a snapshot that was given up can still become visible. */
  private boolean settled() {
    synchronized (lock) {
      return gone || !mustLook || (givenUp == null && lane.queued() == 0);
    }
  }

  boolean snapshotRuns() {
    synchronized (lock) {
      return snapshot != null;
    }
  }

  /** Whether no request of a table that was removed is on its way any more. */
  boolean quiet() {
    synchronized (lock) {
      return givenUp == null && lane.queued() == 0;
    }
  }

  /** Has the host remember the last file of the folder. */
  void noteLastPublished() {
    folder.last().ifPresent(file -> notePublished(file.seq(), file.fileId()));
  }

  private void notePublished(long seq, UUID fileId) {
    Remembered.Mark last;
    synchronized (lock) {
      last = new Remembered.Mark(log.incarnation(), seq, Optional.of(fileId));
    }
    if (shared.remembered().notePublished(table, last)) {
      shared.news().stateChanged();
    }
  }

  // --- outcomes --------------------------------------------------------------------------------

  private final class Lane implements UploadLane.Listener {
    @Override
    public void published(Publication file) {
      if (file instanceof FilePublication publication) {
        visible(publication.facts());
      }
    }

    @Override
    public void failed(Publication file, Throwable reason) {
      Optional<SnapshotLoad> load = snapshotRunning();
      if (reason instanceof BlockUpload.StreamLostException lost && load.isPresent()) {
        load.get().lost(lost);
      } else if (!(reason instanceof DfsException e && e.kind() == DfsException.Kind.CLOSED)) {
        stopNow(FilePublication.stopped(shared.zone(), folder, reason));
      }
      // Only now: as long as it stands here, nobody takes the table for idle.
      if (file instanceof FilePublication publication) {
        sealed.remove(publication.facts());
        shared.news().somethingChanged();
      }
    }

    @Override
    public void emptied() {
      shared.news().somethingChanged();
    }
  }

  private Optional<SnapshotLoad> snapshotRunning() {
    synchronized (lock) {
      return Optional.ofNullable(snapshot);
    }
  }

  /** A file became visible. */
  void visible(FileFacts facts) {
    SealedFile known = sealed.get(facts);
    if (known != null) {
      published(facts, known);
      // Only now: who waits for this table to be idle also waits for the news above.
      sealed.remove(facts);
      shared.news().somethingChanged();
    }
  }

  private void published(FileFacts facts, SealedFile file) {
    Optional<SnapshotLoad> load = snapshotRunning();
    long bytes =
        counts.published(facts, file.rows, file.lastWhole, shared.zone().clock().instant());
    tellPublished(facts, file, bytes);
    counts.report(
        shared,
        folder.pathOf(facts.name()),
        table,
        file.rows,
        shared.zone().time().nanos() - file.sealedNanos);
    if (file.claim.isPresent()) {
      notePublished(facts.seq(), facts.fileId());
      shared.ledger().settle(file.claim.get());
      shared.news().confirm();
    } else {
      load.ifPresent(running -> running.published(facts));
    }
  }

  private void tellPublished(FileFacts facts, SealedFile file, long bytes) {
    boolean changes = file.claim.isPresent();
    synchronized (lock) {
      // The host was told that a snapshot ended: what becomes visible of it later is no news.
      if (changes || snapshot != null) {
        shared
            .news()
            .filePublished(
                new PublishedFile(
                    table,
                    changes ? PublishedFile.Kind.CHANGES : PublishedFile.Kind.SNAPSHOT,
                    facts.name(),
                    file.rows,
                    bytes,
                    file.position));
      }
    }
  }

  // --- the end ---------------------------------------------------------------------------------

  /** The table cannot take a commit; what was taken before it is still published. */
  private void stopAt(TableStoppedException reason, Handover handover, int commit) {
    seal();
    boolean news;
    synchronized (lock) {
      news = stopped == null && !gone;
      if (news) {
        stopped = reason;
        state = TableStatus.State.STOPPED;
        if (shared.config().rules().holdStopped()) {
          shared.ledger().hold(table, handover.number(commit), handover.before(commit));
          heldSince = Optional.of(shared.zone().clock().instant());
        } else {
          shared.ledger().pass(table, handover.number(commit));
        }
        dropOpen();
      }
    }
    tellStopped(news, reason);
  }

  /** The table cannot publish any more: everything it holds is dropped. */
  void stopNow(TableStoppedException reason) {
    boolean news;
    SnapshotLoad load;
    synchronized (lock) {
      news = stopped == null && !gone;
      load = snapshot;
      if (news) {
        stopped = reason;
        state = TableStatus.State.STOPPED;
        if (shared.config().rules().holdStopped()) {
          shared.ledger().hold(table);
          heldSince = oldest().or(() -> Optional.of(shared.zone().clock().instant()));
        } else {
          shared.ledger().pass(table);
        }
      }
      dropOpen();
      lane.stop();
      sealed.clear();
    }
    if (load != null) {
      load.stop(reason);
    }
    tellStopped(news, reason);
  }

  private void tellStopped(boolean news, TableStoppedException reason) {
    if (!news) {
      return;
    }
    if (!shared.config().rules().holdStopped()) {
      shared.news().confirm();
    }
    shared.count("tables.stopped", 1, table);
    shared.news().tableStopped(reason);
    synchronized (lock) {
      stopTold = true;
    }
    shared.news().somethingChanged();
  }

  private void dropOpen() {
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
    collector.drop();
  }

  /** Lets go of the table: the confirmed position goes on without it. */
  void remove() {
    SnapshotLoad load;
    synchronized (lock) {
      gone = true;
      load = snapshot;
      dropOpen();
      lane.stop();
      sealed.clear();
    }
    if (load != null) {
      load.stop(
          new TableStoppedException(
              table, ErrorCode.SOURCE_DATA, "Table " + table + " was removed from the pipeline."));
    }
    shared.ledger().pass(table);
    shared.news().confirm();
    shared.news().somethingChanged();
  }

  /** Whether nothing of what was taken is left to publish, nor the news that it will not be. */
  boolean idle() {
    synchronized (lock) {
      boolean told = stopped == null || stopTold;
      return gone || (told && sealed.isEmpty() && !collector.window().isOpen());
    }
  }

  /** What Fabric should have taken by now. */
  PublishedFiles publishedFiles() {
    synchronized (lock) {
      return new PublishedFiles(
          table, folder.path(), log.incarnation(), folder.published(), counts.lastAt());
    }
  }

  TableStatus status() {
    synchronized (lock) {
      Optional<String> trouble = failures.advice();
      TableStatus.State shown =
          stopped == null && trouble.isPresent() ? TableStatus.State.DEGRADED : state;
      return counts.status(
          table,
          shown,
          shared.remembered().diverged(table),
          oldest(),
          sealed.size(),
          stopped == null ? trouble : Optional.ofNullable(stopped.getMessage()));
    }
  }

  /** When the oldest change was taken that is not published, or that a stopped table waits for. */
  private Optional<Instant> oldest() {
    return Stream.of(
            sealed.values().stream().map(SealedFile::openedAt),
            collector.open().map(ChangeFile::openedAt).stream(),
            heldSince.stream())
        .flatMap(instants -> instants)
        .min(Comparator.naturalOrder());
  }
}
