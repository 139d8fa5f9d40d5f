package io.corehub.cycles;

import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TableTruncated;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.rows.RefusedValueException;
import io.corehub.runtime.rows.RowNames;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts the rows of commits into cycles: skips what cycles hold already, numbers the rows, and says
 * where a cycle must end. Guarded by the turn.
 */
final class CycleFeed {

  /** Told of tables that cannot go on. */
  interface Stops {
    /**
     * A table stops at a commit.
     *
     * @param number number of the commit
     * @param before position before it
     */
    void stop(
        TableCourse table,
        TableStoppedException reason,
        long number,
        Optional<SourcePosition> before);

    /** A truncation was skipped. */
    void truncateSkipped(TableCourse table);

    /** The schema it was added with, for rows that bring none. */
    TableSchema declared(TableCourse table);

    /** The rows that follow are of the shape it has now. */
    void shaped(TableCourse table);
  }

  private final CycleShared shared;
  private final CycleBook book;
  private final Map<TableId, TableCourse> tables;
  private final Stops stops;
  private Optional<Long> takenUpTo = Optional.empty();
  private long unorderedOrder;
  private long numberedOfUnfinished;
  private boolean backlogRows;

  CycleFeed(
      CycleShared shared,
      CycleBook book,
      Map<TableId, TableCourse> tables,
      long lastOrder,
      Stops stops) {
    this.shared = shared;
    this.book = book;
    this.tables = tables;
    this.unorderedOrder = lastOrder;
    this.stops = stops;
  }

  /** Order of the last commit taken whole. */
  Optional<Long> takenUpTo() {
    return takenUpTo;
  }

  /** One batch on its way in. */
  private final class Taking {
    final CommitBatch batch;
    final ConfirmationLedger.Run run;
    final List<Commit> commits;
    final NumberedCommits numbered;
    final long[] rows;

    /** Commits in which a table has more than one event. */
    final BitSet divided;

    Taking(CommitBatch batch) {
      this.batch = batch;
      this.run = shared.ledger().begin(batch.commits());
      this.commits = ordered(batch.commits());
      this.numbered = new NumberedCommits(commits, book.inCommit() ? numberedOfUnfinished : 0);
      this.rows = new long[commits.size()];
      this.divided = divided(batch);
    }

    long order(int index) {
      return commits.get(index).position().order();
    }

    boolean whole(int index) {
      return batch.lastCommitComplete() || index < commits.size() - 1;
    }
  }

  private static BitSet divided(CommitBatch batch) {
    BitSet divided = new BitSet();
    Map<TableId, Integer> lasts = new HashMap<>();
    for (TableEvent event : batch.events()) {
      if (event instanceof RowChanges changes && changes.rowCount() == 0) {
        continue;
      }
      int first = commitOf(event, 0);
      if (lasts.getOrDefault(event.table(), -1) == first) {
        divided.set(first);
      }
      lasts.put(
          event.table(),
          event instanceof RowChanges changes ? commitOf(event, changes.rowCount() - 1) : first);
    }
    return divided;
  }

  private static int commitOf(TableEvent event, int row) {
    if (event instanceof RowChanges changes) {
      return changes.commitIndex(row);
    }
    return event instanceof TableTruncated truncated
        ? truncated.commitIndex()
        : ((TableUnreadable) event).commitIndex();
  }

  /** Commits without an order of the source's get one that goes on behind the last. */
  private List<Commit> ordered(List<Commit> commits) {
    List<Commit> ordered = new ArrayList<>(commits.size());
    for (int i = 0; i < commits.size(); i++) {
      Commit commit = commits.get(i);
      SourcePosition at = commit.position();
      if (at.ordered()) {
        unorderedOrder = at.order();
        ordered.add(commit);
      } else {
        if (i > 0 || !book.inCommit()) {
          unorderedOrder++;
        }
        ordered.add(
            new Commit(
                new SourcePosition(at.timeline(), unorderedOrder, at.token()),
                commit.committedAt(),
                commit.transactionId(),
                commit.user()));
      }
    }
    return ordered;
  }

  /** Takes a batch. */
  void take(CommitBatch batch) {
    book.expire();
    Taking taking = new Taking(batch);
    count(taking);
    BitSet cuts = cuts(taking);
    int from = 0;
    while (from < taking.commits.size()) {
      int to = segmentEnd(taking, from, cuts);
      if (cuts.get(from) && !(from == 0 && book.inCommit()) && newVersionAt(taking, from)) {
        book.end(EndReason.NORMAL_COMMIT, shared.clock().instant());
      }
      segment(taking, from, to);
      from = to;
    }
    shared.ledger().taken(taking.run, batch.lastCommitComplete());
  }

  /** How many rows each commit will have, those that cycles hold already left out. */
  private void count(Taking taking) {
    for (TableEvent event : taking.batch.events()) {
      TableCourse table = tables.get(event.table());
      if (table == null || table.stopped != null) {
        continue;
      }
      if (event instanceof RowChanges changes) {
        for (int row = 0; row < changes.rowCount(); row++) {
          int commit = changes.commitIndex(row);
          if (!known(table, taking, commit)) {
            taking.rows[commit]++;
          }
        }
      } else if (event instanceof TableTruncated truncated
          && !known(table, taking, truncated.commitIndex())) {
        taking.rows[truncated.commitIndex()]++;
      }
    }
  }

  private static boolean known(TableCourse table, Taking taking, int commit) {
    return taking.commits.get(commit).position().ordered() && table.knows(taking.order(commit));
  }

  /** Commits before which a cycle may have to end: a new schema version, the end of a backlog. */
  private BitSet cuts(Taking taking) {
    BitSet cuts = new BitSet();
    for (TableEvent event : taking.batch.events()) {
      TableCourse table = tables.get(event.table());
      if (table != null && table.stopped == null && event instanceof RowChanges changes) {
        int first = firstUnknown(table, taking, changes);
        if (first < changes.rowCount() && mayBeNew(table, changes)) {
          cuts.set(changes.commitIndex(first));
        }
      }
    }
    for (TableCourse table : tables.values()) {
      if (table.hasBacklog() && table.loading == null) {
        table
            .load
            .flatMap(Manifest.Load::capturedUpTo)
            .ifPresent(at -> cutBehind(taking, at, cuts));
        table.backlogUpTo.ifPresent(at -> cutBehind(taking, at, cuts));
      }
    }
    return cuts;
  }

  private boolean mayBeNew(TableCourse table, RowChanges changes) {
    try {
      return table.isNewVersion(changes.rows().schema());
    } catch (TableStoppedException e) {
      // It stops when its turn comes; the cycle need not end for that.
      return false;
    }
  }

  private static void cutBehind(Taking taking, long order, BitSet cuts) {
    for (int i = 0; i < taking.commits.size(); i++) {
      if (Long.compareUnsigned(taking.order(i), order) > 0) {
        cuts.set(i);
        return;
      }
    }
  }

  private boolean newVersionAt(Taking taking, int commit) {
    for (TableEvent event : taking.batch.events()) {
      TableCourse table = tables.get(event.table());
      if (table != null && table.stopped == null && event instanceof RowChanges changes) {
        int first = firstUnknown(table, taking, changes);
        if (first < changes.rowCount()
            && changes.commitIndex(first) == commit
            && mayBeNew(table, changes)) {
          return true;
        }
      }
    }
    return false;
  }

  private static int firstUnknown(TableCourse table, Taking taking, RowChanges changes) {
    int row = 0;
    while (row < changes.rowCount() && known(table, taking, changes.commitIndex(row))) {
      row++;
    }
    return row;
  }

  /** Where a segment ends: before the next cut, or behind the commit that fills the cycle. */
  private int segmentEnd(Taking taking, int from, BitSet cuts) {
    int cut = cuts.nextSetBit(from + 1);
    int to = cut < 0 ? taking.commits.size() : cut;
    if (book.open().isPresent() && book.oldEnough()) {
      long rows = book.open().get().rows;
      for (int i = from; i < to; i++) {
        rows += taking.rows[i];
        if (rows >= shared.config().limits().changes()) {
          return i + 1;
        }
      }
    }
    return to;
  }

  /** Takes some commits into one cycle. */
  private void segment(Taking taking, int from, int to) {
    int whole = taking.whole(to - 1) ? to : to - 1;
    int next = from;
    if (book.inCommit() && next < whole) {
      rows(taking, next, next + 1);
      book.inCommit(false);
      numberedOfUnfinished = 0;
      ended(taking, next);
      next++;
    }
    wholeCommits(taking, next, whole);
    if (whole < to) {
      rowsOfUnfinished(taking, whole);
    }
  }

  /**
   * Takes commits that begin and end here. The rows of one in which a table has several events lie
   * in files of their own: a later event may stop the table, and then the earlier ones must go.
   */
  private void wholeCommits(Taking taking, int from, int to) {
    int next = from;
    for (int i = taking.divided.nextSetBit(from);
        i >= 0 && i < to;
        i = taking.divided.nextSetBit(i + 1)) {
      together(taking, next, i);
      book.inCommit(true);
      rows(taking, i, i + 1);
      book.inCommit(false);
      ended(taking, i);
      next = i + 1;
    }
    together(taking, next, to);
  }

  private void together(Taking taking, int from, int to) {
    if (from < to) {
      rows(taking, from, to);
      ended(taking, to - 1);
    }
  }

  private void rowsOfUnfinished(Taking taking, int index) {
    book.inCommit(true);
    rows(taking, index, index + 1);
    numberedOfUnfinished = taking.numbered.rows(index);
  }

  /** A commit was taken to its end. */
  private void ended(Taking taking, int index) {
    takenUpTo = Optional.of(taking.order(index));
    book.commitTaken(taking.commits.get(index).position(), taking.numbered.rows(index));
    caughtUp();
    book.boundary();
  }

  /** Tables whose backlog is drained go on with ordinary changes. */
  void caughtUp() {
    boolean before = tables.values().stream().anyMatch(TableCourse::hasBacklog);
    tables.values().forEach(table -> table.catchUp(takenUpTo));
    boolean drained = before && tables.values().stream().noneMatch(TableCourse::hasBacklog);
    boolean loading = tables.values().stream().anyMatch(table -> table.loading != null);
    if (drained && !loading) {
      if (backlogRows) {
        book.end(EndReason.BACKLOG_COMPLETED, shared.clock().instant());
      }
      backlogRows = false;
    }
  }

  private void rows(Taking taking, int from, int to) {
    claim(taking, from, to);
    for (TableEvent event : taking.batch.events()) {
      TableCourse table = tables.get(event.table());
      if (table == null || table.stopped != null) {
        continue;
      }
      if (event instanceof RowChanges changes) {
        changes(taking, table, changes, from, to);
      } else if (event instanceof TableTruncated truncated
          && from <= truncated.commitIndex()
          && truncated.commitIndex() < to) {
        truncation(taking, table, truncated.commitIndex());
      } else if (event instanceof TableUnreadable unreadable
          && from <= unreadable.commitIndex()
          && unreadable.commitIndex() < to) {
        stop(taking, table, unreadable.reason(), unreadable.commitIndex());
      }
    }
  }

  /** The confirmed position stays before the first commit that has rows in the cycle. */
  private void claim(Taking taking, int from, int to) {
    for (int i = from; i < to; i++) {
      if (taking.rows[i] > 0) {
        Cycle cycle = book.begin();
        if (cycle.claim == null) {
          cycle.claim = shared.ledger().claim(cycle, taking.run.number(i), taking.run.before(i));
        }
        return;
      }
    }
  }

  private void changes(Taking taking, TableCourse table, RowChanges changes, int from, int to) {
    int row = firstOf(changes, 0, from);
    int end = firstOf(changes, row, to);
    int unknown = row;
    while (unknown < end && known(table, taking, changes.commitIndex(unknown))) {
      unknown++;
    }
    if (unknown > row) {
      taking.numbered.skip(
          changes,
          row,
          unknown,
          table.phaseOf(taking.order(changes.commitIndex(row))) == Phase.DURING_LOAD);
    }
    if (unknown == end) {
      return;
    }
    try {
      table.follow(changes.rows().schema(), !table.exists());
      stops.shaped(table);
    } catch (TableStoppedException e) {
      stop(taking, table, e, changes.commitIndex(unknown));
      return;
    }
    int start = unknown;
    while (start < end && table.stopped == null) {
      Phase phase = table.phaseOf(taking.order(changes.commitIndex(start)));
      int phaseEnd = start;
      while (phaseEnd < end
          && table.phaseOf(taking.order(changes.commitIndex(phaseEnd))) == phase) {
        phaseEnd++;
      }
      range(taking, table, changes, start, phaseEnd);
      start = phaseEnd;
    }
  }

  private static int firstOf(RowChanges changes, int row, int commit) {
    int at = row;
    while (at < changes.rowCount() && changes.commitIndex(at) < commit) {
      at++;
    }
    return at;
  }

  private void range(Taking taking, TableCourse table, RowChanges changes, int from, int to) {
    Optional<SequencePrefix> prefix = table.prefix(taking.order(changes.commitIndex(from)));
    CycleRows rows;
    try {
      rows = table.rules().changes(changes, from, to, taking.numbered, prefix);
    } catch (RefusedValueException e) {
      int commit = changes.commitIndex(e.row());
      int good = firstOf(changes, from, commit);
      if (good > from) {
        range(taking, table, changes, from, good);
      }
      stop(taking, table, refused(table, changes, e), commit);
      return;
    }
    append(table, rows, prefix);
    table.applied(taking.order(changes.commitIndex(to - 1)), book.inCommit());
  }

  private void append(TableCourse table, CycleRows rows, Optional<SequencePrefix> prefix) {
    book.append(table, rows);
    if (table.oldest.isEmpty()) {
      table.oldest = Optional.of(shared.clock().instant());
    }
    Phase phase = prefix.map(SequencePrefix::phase).orElse(Phase.CDC);
    if (phase == Phase.DURING_LOAD || phase == Phase.BACKLOG) {
      backlogRows = true;
    } else if (phase == Phase.CDC && !table.exists()) {
      table.phase = Phase.CDC;
    }
  }

  private static TableStoppedException refused(
      TableCourse table, RowChanges changes, RefusedValueException e) {
    return new TableStoppedException(
        table.id(),
        ErrorCode.VALUE_REFUSED,
        "Table " + table.id() + ", " + RowNames.of(changes.rows(), e.row()) + ": " + e.getMessage(),
        e);
  }

  private void truncation(Taking taking, TableCourse table, int index) {
    CycleConfig.Rules rules = shared.config().rules();
    boolean written = rules.combined() || rules.truncate() == CycleConfig.Truncate.WRITE;
    if (known(table, taking, index)) {
      if (written) {
        taking.numbered.skipTruncation(index);
      }
      return;
    }
    if (!written && rules.truncate() == CycleConfig.Truncate.FAIL) {
      stop(
          taking,
          table,
          new TableStoppedException(
              table.id(),
              ErrorCode.SOURCE_DATA,
              "Table "
                  + table.id()
                  + " was truncated, and truncateInIncremental is 'fail'. Load it anew, or set"
                  + " truncateInIncremental to write or skip."),
          index);
      return;
    }
    if (!written) {
      table.diverged = true;
      stops.truncateSkipped(table);
      return;
    }
    if (!table.hasShape()) {
      try {
        table.follow(stops.declared(table), !table.exists());
      } catch (TableStoppedException e) {
        stop(taking, table, e, index);
        return;
      }
      stops.shaped(table);
    }
    Optional<SequencePrefix> prefix = table.prefix(taking.order(index));
    append(table, table.rules().truncation(taking.numbered, index, prefix), prefix);
    table.applied(taking.order(index), book.inCommit());
  }

  private void stop(Taking taking, TableCourse table, TableStoppedException reason, int commit) {
    book.dropUnfinished(table.id());
    if (book.inCommit()) {
      table.gaveUp(taking.order(commit));
    }
    stops.stop(table, reason, taking.run.number(commit), taking.run.before(commit));
  }
}
