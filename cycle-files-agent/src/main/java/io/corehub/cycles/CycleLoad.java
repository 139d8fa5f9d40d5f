package io.corehub.cycles;

import io.corehub.agent.AgentException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.SnapshotEnd;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.cycles.Manifest.Load;
import io.corehub.runtime.MemoryBudget;
import io.corehub.runtime.rows.RefusedValueException;
import io.corehub.runtime.rows.RowNames;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The load of one table: a T, then its rows. Its caller's side is confined to one thread at a time,
 * as the SPI says; its state is guarded by the turn.
 */
final class CycleLoad implements SnapshotWriter {

  private static final long PAGE_OVERHEAD = 4 << 10;

  private final CycleShared shared;
  private final CycleLoads loads;
  private final TableCourse table;
  private final SnapshotStart start;
  private final Instant loadedAt;
  private boolean truncated;
  private long rows;
  private boolean ended;
  private boolean visible;
  private @Nullable AgentException failure;

  CycleLoad(CycleShared shared, CycleLoads loads, TableCourse table, SnapshotStart start) {
    this.shared = shared;
    this.loads = loads;
    this.table = table;
    this.start = start;
    this.loadedAt = shared.clock().instant();
  }

  @Override
  public void write(ColumnBatch page) throws InterruptedException {
    synchronized (shared.turn()) {
      checkUsable();
    }
    MemoryBudget.Reservation memory =
        shared.memory().reserve(table.id(), page.bytes() + PAGE_OVERHEAD);
    try {
      synchronized (shared.turn()) {
        checkUsable();
        take(page);
      }
    } finally {
      memory.release();
    }
  }

  private void take(ColumnBatch page) {
    CycleBook book = loads.book();
    book.expire();
    boolean first = !truncated;
    if (!first && table.isNewVersion(page.schema())) {
      book.end(EndReason.NORMAL_COMMIT, shared.clock().instant());
    }
    try {
      table.follow(page.schema(), first);
      loads.tellShape(table);
      truncate();
      CycleRows rowsOfPage =
          table
              .rules()
              .load(
                  page, table.prefix(Phase.LOAD), start.consistentAt().order(), rows + 1, loadedAt);
      book.append(table, rowsOfPage);
      rows += page.rowCount();
      noteLoad(book.begin());
    } catch (RefusedValueException e) {
      throw loads.stopLoading(
          table,
          new TableStoppedException(
              table.id(),
              ErrorCode.VALUE_REFUSED,
              "Table " + table.id() + ", " + RowNames.of(page, e.row()) + ": " + e.getMessage(),
              e));
    } catch (TableStoppedException e) {
      throw loads.stopLoading(table, e);
    } catch (RuntimeException | Error e) {
      book.fail(e);
      throw e;
    }
    book.boundary();
  }

  /** The first row of a load says that all earlier ones are gone. */
  private void truncate() {
    if (truncated) {
      return;
    }
    truncated = true;
    if (!loads.isTruncated(table)) {
      loads
          .book()
          .append(
              table,
              table
                  .rules()
                  .beginLoad(
                      table.prefix(Phase.TRUNCATION), start.consistentAt().order(), loadedAt));
    }
    table.phase = Phase.LOAD;
    table.load =
        Optional.of(new Load(start.id(), start.consistentAt().order(), Optional.empty(), false));
    table.applied = Optional.of(start.consistentAt().order());
    noteLoad(loads.book().begin());
  }

  private void noteLoad(Cycle cycle) {
    if (cycle.load.isEmpty() || start.consistentAt().isAfter(cycle.load.get())) {
      cycle.load = Optional.of(start.consistentAt());
    }
  }

  @Override
  public void finish() throws InterruptedException {
    finish(SnapshotEnd.PLAIN);
  }

  @Override
  public void finish(SnapshotEnd end) throws InterruptedException {
    synchronized (shared.turn()) {
      checkUsable();
      ended = true;
      try {
        table.follow(loads.schemaOf(table), !truncated);
        loads.tellShape(table);
        truncate();
      } catch (TableStoppedException e) {
        throw loads.stopLoading(table, e);
      }
      loads.loaded(
          table,
          this,
          new Load(
              start.id(),
              start.consistentAt().order(),
              end.capturedUpTo()
                  .filter(at -> at.isAfter(start.consistentAt()))
                  .map(at -> at.order()),
              end.backlog()));
    }
    shared.news().somethingChanged();
    shared.news().await(this::settled);
    synchronized (shared.turn()) {
      AgentException failed = failure;
      if (failed != null) {
        throw failed;
      }
      if (!visible) {
        throw new RetryLaterException(
            ErrorCode.NEEDS_SNAPSHOT,
            "Table "
                + table.id()
                + ": the agent ended before its load was visible. The next start takes it again.");
      }
    }
  }

  private boolean settled() {
    synchronized (shared.turn()) {
      return visible || failure != null || loads.book().over();
    }
  }

  /** Its last row is in a completed cycle. */
  void visible() {
    visible = true;
    shared.news().snapshotEnded(table.id(), start.id(), true);
  }

  /** It cannot go on. */
  void fail(AgentException reason) {
    if (failure == null) {
      failure = reason;
      shared.news().snapshotEnded(table.id(), start.id(), false);
    }
  }

  @Override
  public void abort() {
    synchronized (shared.turn()) {
      if (!ended) {
        ended = true;
        loads.aborted(table, this);
        shared.news().snapshotEnded(table.id(), start.id(), false);
      }
    }
  }

  SnapshotStart start() {
    return start;
  }

  private void checkUsable() {
    AgentException failed = failure;
    if (failed != null) {
      throw failed;
    }
    if (loads.book().failure().isPresent()) {
      throw loads.book().failure().get();
    }
    if (ended || loads.book().over()) {
      throw new IllegalStateException("The load of " + table.id() + " has ended");
    }
  }
}
