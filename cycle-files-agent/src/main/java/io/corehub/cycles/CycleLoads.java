package io.corehub.cycles;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.cycles.Manifest.Load;
import java.util.Map;
import java.util.Optional;

/**
 * The loads of a job's tables: how they begin, what a load that ended changes, and what is needed
 * for the next. Guarded by the turn, unless a method says that it needs none.
 */
final class CycleLoads {

  private final CycleShared shared;
  private final CycleConfig config;
  private final CycleBook book;
  private final CycleFeed feed;
  private final CycleTables all;
  private final Map<TableId, TableCourse> tables;
  private final TableTold told;
  private final SourceTimeline timeline;
  private boolean ignoredTold;

  /**
   * No load runs.
   *
   * @param shared what all parts share
   * @param book the cycles
   * @param feed takes the changes between them
   * @param all the tables
   * @param told tells the host of tables
   * @param timeline of the source
   */
  CycleLoads(
      CycleShared shared,
      CycleBook book,
      CycleFeed feed,
      CycleTables all,
      TableTold told,
      SourceTimeline timeline) {
    this.shared = shared;
    this.config = shared.config();
    this.book = book;
    this.feed = feed;
    this.all = all;
    this.tables = all.atWork();
    this.told = told;
    this.timeline = timeline;
  }

  CycleBook book() {
    return book;
  }

  /** Tells the shape of a table's rows if it is news. */
  void tellShape(TableCourse table) {
    told.shaped(table);
  }

  TableSchema schemaOf(TableCourse table) {
    return all.schemaOf(table);
  }

  /** A load begins. Needs no turn. */
  SnapshotWriter begin(TableId id, SnapshotStart start) {
    synchronized (shared.turn()) {
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
      timeline.require(start.consistentAt());
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

  /** A load was given up. */
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

  /** It is known how far the backlog of a table reaches. Needs no turn. */
  void backlogEnded(TableId id, SourcePosition upTo) {
    synchronized (shared.turn()) {
      TableCourse table = tables.get(id);
      if (table == null || table.load.isEmpty() || !table.load.get().backlog()) {
        return;
      }
      table.backlogUpTo = Optional.of(upTo.order());
      feed.caughtUp();
    }
  }

  /** Empties a table for its consumers, so that it is loaded anew. Needs no turn. */
  boolean recreate(TableId id) throws InterruptedException {
    Optional<Cycle> cycle = emptying(id);
    if (cycle.isPresent()) {
      awaitVisible(id, cycle.get());
    }
    all.begunAnew(id);
    return cycle.isPresent();
  }

  /** The cycle that empties the table; none if nothing of it counts. */
  private Optional<Cycle> emptying(TableId id) {
    synchronized (shared.turn()) {
      TableCourse known = tables.get(id);
      TableCourse table = known == null ? all.course(id) : known;
      if (table.empty()) {
        all.forget(table);
        return Optional.empty();
      }
      if (!config.rules().combined()) {
        if (known == null) {
          all.absent().put(id, table.state());
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
      all.forget(table);
      return Optional.of(cycle);
    }
  }

  private void awaitVisible(TableId id, Cycle cycle) throws InterruptedException {
    shared
        .news()
        .await(
            () -> {
              synchronized (shared.turn()) {
                return book.isVisible(cycle) || book.over();
              }
            });
    synchronized (shared.turn()) {
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
}
