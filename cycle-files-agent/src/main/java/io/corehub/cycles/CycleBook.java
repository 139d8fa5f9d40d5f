package io.corehub.cycles;

import io.corehub.agent.AgentException;
import io.corehub.agent.AgentState;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import io.corehub.cycles.Manifest.TableState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cycles of a job: opens one, lets rows into it, ends it, and has it published. Guarded by the
 * turn, unless a method says that it needs none.
 */
final class CycleBook {

  private final CycleShared shared;
  private final CycleConfig config;
  private final Map<TableId, TableCourse> tables;
  private final Map<TableId, TableState> absent;
  private final CycleEnds ends;
  private final CycleParts parts;
  private final CyclePublisher publisher;
  private final List<CycleLoad> endedLoads = new ArrayList<>();
  private Optional<CycleName> newest;
  private @Nullable Cycle open;
  private boolean inCommit;
  private @Nullable AgentException failed;
  private boolean closed;

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
    this.tables = tables;
    this.absent = absent;
    this.newest = start.newest();
    this.ends = new CycleEnds(shared, new Alarms());
    this.publisher = new CyclePublisher(shared, fence, start, tables, new Published());
    this.parts = new CycleParts(shared, tables, publisher::prove, new Uploaded());
  }

  /**
   * What the hub is to remember. Needs no turn.
   *
   * @param passed tables that the confirmed position went on without
   */
  AgentState state(AgentMemory.Passed passed) {
    return publisher.state(passed);
  }

  boolean over() {
    return failed != null || closed;
  }

  Optional<AgentException> failure() {
    return Optional.ofNullable(failed);
  }

  /** Whether every cycle that ended is visible. */
  boolean idle() {
    return publisher.idle();
  }

  /** Whether a cycle that ended is visible. */
  boolean isVisible(Cycle cycle) {
    return publisher.isVisible(cycle);
  }

  // --- the open cycle --------------------------------------------------------------------------

  Optional<Cycle> open() {
    return Optional.ofNullable(open);
  }

  /** How long the open cycle has been open; zero if there is none. */
  Duration age() {
    Cycle cycle = open;
    return cycle == null ? Duration.ZERO : ends.age(cycle);
  }

  /** Whether there is an open cycle that may end by its rows. */
  boolean oldEnough() {
    Cycle cycle = open;
    return cycle != null && ends.oldEnough(cycle);
  }

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
    Cycle fresh = ends.opened(name, now);
    open = fresh;
    return fresh;
  }

  /** Puts rows into the open cycle. */
  void append(TableCourse table, CycleRows rows) {
    if (rows.count() > 0) {
      parts.append(begin(), table, rows, inCommit);
    }
  }

  /** Lets memory come free. */
  void relieve() {
    Cycle cycle = open;
    if (cycle != null && !over()) {
      try {
        parts.sealLargest(cycle);
      } catch (CycleParts.EncodingFailedException e) {
        fail(e);
      }
    }
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
    if (cycle != null) {
      cycle.last = at;
      cycle.lastRow = lastRow;
      cycle.openParts().forEach(part -> part.ofUnfinishedCommit = false);
      cycle.sealedParts().forEach(part -> part.ofUnfinishedCommit = false);
    }
    ends.committed(cycle != null);
  }

  /** A table's rows of the commit that is not finished go; those before stay. */
  void dropUnfinished(TableId table) {
    Cycle cycle = open;
    if (cycle != null) {
      CycleParts.drop(cycle, table, true);
    }
  }

  /** All rows of a table that are not being made visible go. */
  void dropTable(TableId table) {
    publisher.eachRevocable(cycle -> CycleParts.drop(cycle, table, false));
    Cycle cycle = open;
    if (cycle != null) {
      CycleParts.drop(cycle, table, false);
    }
    publisher.publishWhatCan();
  }

  // --- the end of a cycle ----------------------------------------------------------------------

  /** The open cycle, if it may end here. */
  private Optional<Cycle> mayEnd() {
    return inCommit || over() ? Optional.empty() : open();
  }

  /** Ends what time alone ends, before anything more is taken. */
  void expire() {
    mayEnd().flatMap(ends::byTime).ifPresent(due -> end(due.reason(), due.at()));
  }

  /** Ends what a commit, or the page of a load, ends. */
  void boundary() {
    mayEnd().flatMap(ends::atBoundary).ifPresent(due -> end(due.reason(), due.at()));
  }

  private final class Alarms implements CycleEnds.Alarms {

    @Override
    public void timeIsUp(Cycle cycle) {
      synchronized (shared.turn()) {
        if (open == cycle) {
          expire();
        }
      }
    }

    @Override
    public void quiet(long commits) {
      synchronized (shared.turn()) {
        if (ends.isQuietSince(commits) && mayEnd().isPresent()) {
          end(EndReason.NORMAL_EXPIRY, shared.clock().instant());
        }
      }
    }
  }

  /** A load ended: it is told when its rows are visible. */
  void loadEnded(CycleLoad load) {
    endedLoads.add(load);
  }

  /** Ends the open cycle, at once or when the cycles before it are visible. */
  void endWhenIdle() {
    Cycle cycle = begin();
    if (publisher.idle() && !inCommit) {
      endByRequest();
    } else {
      cycle.endWhenIdle = true;
    }
  }

  /** Ends the open cycle as a stop does, if there is one. */
  void endByRequest() {
    Cycle cycle = open;
    if (cycle != null && !inCommit && (cycle.rows > 0 || !endedLoads.isEmpty())) {
      CycleEnds.Due due = ends.byRequest(cycle);
      end(due.reason(), due.at());
    }
  }

  /** Ends the open cycle, if there is one, at a commit boundary. */
  void end(EndReason reason, Instant at) {
    Cycle cycle = open;
    if (cycle == null || over()) {
      return;
    }
    open = null;
    ends.cancel();
    cycle.ending = new Cycle.Ending(reason, at, states(), List.copyOf(endedLoads));
    endedLoads.clear();
    publisher.add(cycle);
    try {
      parts.sealAll(cycle);
    } catch (IOException | RuntimeException e) {
      fail(new IllegalStateException("A data file cannot be finished: " + e, e));
      return;
    }
    publisher.publishWhatCan();
    heartbeat();
  }

  private Map<TableId, TableState> states() {
    Map<TableId, TableState> states = new TreeMap<>(absent);
    tables
        .values()
        .forEach(
            table -> {
              if (table.exists()) {
                states.put(table.id(), table.state());
              }
            });
    return states;
  }

  private final class Uploaded implements CycleParts.Listener {

    @Override
    public void settled() {
      publisher.publishWhatCan();
    }

    @Override
    public void failed(Throwable reason) {
      fail(reason);
    }
  }

  private final class Published implements CyclePublisher.Listener {

    @Override
    public boolean over() {
      return CycleBook.this.over();
    }

    @Override
    public void completed() {
      Cycle next = open;
      if (next != null && next.endWhenIdle && publisher.idle()) {
        endByRequest();
      }
    }

    @Override
    public void failed(Throwable reason) {
      fail(reason);
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
    ends.cancel();
    Cycle cycle = open;
    open = null;
    if (cycle != null) {
      cycle.openParts().forEach(Part::discard);
    }
    parts.stop();
  }
}
