package io.corehub.cycles;

import io.corehub.agent.AgentException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.cycles.Manifest.Load;
import io.corehub.cycles.Manifest.TableState;
import io.corehub.runtime.rows.RowLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;

/**
 * The tables of a job: which are at work, where the others stand, and what the host is told of
 * each. Guarded by the turn, unless a method says that it needs none.
 */
final class CycleTables {

  private final CycleShared shared;
  private final CycleConfig config;
  private final SourceTimeline timeline;
  private final PassedTables passed;
  private final RowLimit rowLimit;
  private final Map<TableId, TableCourse> atWork = new TreeMap<>();
  private final Map<TableId, TableState> absent;
  private final Map<TableId, TableSchema> schemas = new TreeMap<>();

  /**
   * The tables as the newest manifest has them, none at work.
   *
   * @param shared what all parts share
   * @param timeline of the source
   * @param passed tables that the confirmed position went on without
   * @param rowLimit how large a row may be
   * @param states where each table stands
   */
  CycleTables(
      CycleShared shared,
      SourceTimeline timeline,
      PassedTables passed,
      RowLimit rowLimit,
      Map<TableId, TableState> states) {
    this.shared = shared;
    this.config = shared.config();
    this.timeline = timeline;
    this.passed = passed;
    this.rowLimit = rowLimit;
    this.absent = new TreeMap<>(states);
  }

  /** The tables at work, which come and go. */
  Map<TableId, TableCourse> atWork() {
    return atWork;
  }

  /** Where tables stand that are not at work now. */
  Map<TableId, TableState> absent() {
    return absent;
  }

  /** Tables that the host hands nothing over of lack rows from the next commit on. */
  void passOver(Predicate<TableId> leftOut) {
    absent.forEach(
        (id, state) -> {
          if (leftOut.test(id)) {
            TableCourse course = newCourse(id);
            course.resume(state);
            if (!course.empty()) {
              shared.ledger().pass(id);
            }
          }
        });
  }

  /** A table goes to work. Needs no turn. */
  TableProgress add(TableSpec spec) throws InterruptedException {
    boolean begunAnew;
    TableProgress progress;
    synchronized (shared.turn()) {
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
    TableCourse known = atWork.get(id);
    if (known != null && known.stopped == null) {
      return progress(known);
    }
    if (known != null && known.exists()) {
      absent.put(id, known.state());
    }
    TableCourse table = course(id);
    boolean passedOver = passed.lacks(id) || (known != null && shared.ledger().misses(id));
    boolean lacksRows = passed.isRemoved(id) || (passedOver && !table.beginsAnew());
    if (!lacksRows) {
      shared.ledger().release(id);
    }
    atWork.put(id, table);
    // Of two that clash the last one is at fault: this one, not one that is at work.
    List<TableId> inOrder = new ArrayList<>(atWork.keySet());
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
    shared.slots().allow(config.uploads().maxFiles(atWork.size()));
    return progress(table);
  }

  private void refuse(TableCourse table, TableStoppedException reason) {
    table.stopped = reason;
    shared.news().tableStopped(reason);
  }

  /** A table as the newest manifest has it. */
  TableCourse course(TableId id) {
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
    TableState state = absent.remove(id);
    if (state == null) {
      TableId byName = TableId.of(config.layout().contentsName(id));
      state = absent.remove(byName);
    }
    return Optional.ofNullable(state);
  }

  private TableProgress progress(TableCourse table) {
    if (table.stopped != null) {
      return new TableProgress.Stopped(table.stopped);
    }
    if (!config.rules().combined()) {
      return table.exists() && !timeline.unknown()
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
        return new TableProgress.SnapshotFinished(load.id(), timeline.at(load.order()));
      }
    }
    return changesUpTo(table);
  }

  private TableProgress changesUpTo(TableCourse table) {
    return new TableProgress.ChangesPublished(timeline.at(table.applied.orElse(0L)), true);
  }

  /** The schema of its rows; the one it was added with as long as no row came. */
  TableSchema schemaOf(TableCourse table) {
    return table.hasShape()
        ? table.shape().table()
        : Objects.requireNonNull(schemas.get(table.id()), "schema");
  }

  /** A person takes a table out. Needs no turn. */
  void remove(TableId id, CycleBook book) throws InterruptedException {
    synchronized (shared.turn()) {
      passed.noteRemoved(id);
      TableCourse table = atWork.get(id);
      if (table != null) {
        book.dropTable(id);
        if (table.lane != null) {
          table.lane.stop();
        }
        if (table.loading != null) {
          table.loading.fail(removed(id));
        }
        atWork.remove(id);
        if (table.exists()) {
          absent.put(id, table.state());
        }
        shared.ledger().release(id);
      }
    }
    shared.news().confirm();
    shared.news().somethingChanged();
    storeState(id);
  }

  /** Has the hub store what was done with a table. Needs no turn. */
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

  /** A table of which nothing is missing any more. Needs no turn. */
  void begunAnew(TableId id) throws InterruptedException {
    if (passed.forget(id)) {
      storeState(id);
    }
  }

  /** The table is let go of; what is known of it waits for the next time it is added. */
  void forget(TableCourse table) {
    atWork.remove(table.id());
    if (table.exists()) {
      absent.put(table.id(), table.state());
    }
    shared.ledger().release(table.id());
  }

  /** Where each table stands. Needs no turn. */
  List<TableStatus> status() {
    synchronized (shared.turn()) {
      return atWork.values().stream().map(TableCourse::status).toList();
    }
  }
}
