package io.corehub.cycles;

import io.corehub.agent.ChangeKind;
import io.corehub.agent.Commit;
import io.corehub.agent.RowChanges;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnVector;
import io.corehub.runtime.rows.CellRule;
import io.corehub.runtime.rows.Cells;
import io.corehub.runtime.rows.DeliveredCells;
import io.corehub.runtime.rows.FileColumn;
import io.corehub.runtime.rows.RefusedValueException;
import io.corehub.runtime.rows.RowLimit;
import io.corehub.runtime.rows.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What stands in the rows of a table's data files:
 *
 * <ul>
 *   <li>I: the new row. U: the new row, and the old one as far as the source gives it; of an update
 *       that tells no old row the key, which it kept. An update of the key is one U. D: the deleted
 *       row as far as the source gives it.
 *   <li>T: nothing.
 *   <li>Of a change captured while the table was loaded, X: a row to delete if it is there, and Y:
 *       the row to insert then. An insert is X and Y, an update X of the old key, X of the new one
 *       if it differs, and Y; a delete is X. The X of an insert or update holds the key alone, or
 *       the whole row where the table has no key; that of a delete what a D would hold.
 * </ul>
 *
 * Columns at a time: nothing is made for a single row. Rows keep their order. Immutable; the
 * methods may be called by any thread.
 */
final class RowRules {

  static final byte INSERT = 'I';
  static final byte UPDATE = 'U';
  static final byte DELETE = 'D';
  static final byte TRUNCATE = 'T';
  static final byte LOAD_DELETE = 'X';
  static final byte LOAD_INSERT = 'Y';

  private static final int NONE = -1;

  private final TableShape shape;
  private final int[] withOldValue;
  private final CellRule.Replacements replacements;
  private final RowLimit limit;

  /**
   * The rules of a table.
   *
   * @param shape the shape of its data files; rows of another schema need rules of their own
   * @param replacements told of values replaced by policy
   * @param limit how large a row may be, old values included
   */
  RowRules(TableShape shape, CellRule.Replacements replacements, RowLimit limit) {
    this.shape = shape;
    this.withOldValue = shape.withOldValue();
    this.replacements = replacements;
    this.limit = limit;
  }

  /**
   * Rows of a load: I each.
   *
   * @param page the rows
   * @param prefix of the load, in phase 01
   * @param order the position the load is consistent at
   * @param firstRow number of the first row, from 1, counted over the pages of the load
   * @param loadedAt the load's time
   * @throws RefusedValueException with the index of a row of the page
   */
  CycleRows load(
      ColumnBatch page, SequencePrefix prefix, long order, long firstRow, Instant loadedAt) {
    int size = page.rowCount();
    byte[] operations = new byte[size];
    Arrays.fill(operations, INSERT);
    SequenceVector sequences = new SequenceVector(Optional.of(prefix), size);
    sequences.add(order, firstRow, size);
    List<ColumnVector> columns = new ArrayList<>(shape.all().size());
    columns.add(MetadataVectors.singleBytes(operations, size));
    columns.add(sequences.vector());
    if (shape.choices().ofCommits()) {
      addCommits(
          columns,
          MetadataVectors.times(loadedAt, size),
          MetadataVectors.nulls(size),
          MetadataVectors.nulls(size));
    }
    for (int i = 0; i < shape.columns().size(); i++) {
      columns.add(
          shape.columns().get(i).rule().apply(page.columns().get(i), 0, size, replacements));
    }
    for (int index : withOldValue) {
      columns.add(noValues(shape.columns().get(index), size));
    }
    limit.check(columns, 0, size);
    return new CycleRows(columns, 0, size, new RowCounts(size, 0, 0, 0, 0, 0));
  }

  /**
   * The T that a load begins with.
   *
   * @param prefix of the load, in phase 00
   * @param order the position the load is consistent at
   * @param loadedAt the load's time
   */
  CycleRows beginLoad(SequencePrefix prefix, long order, Instant loadedAt) {
    return truncation(
        Optional.of(prefix),
        order,
        0,
        MetadataVectors.times(loadedAt, 1),
        MetadataVectors.nulls(1),
        MetadataVectors.nulls(1));
  }

  /**
   * The T of a truncation in the source; counts a row of its commit.
   *
   * @param commits the batch it came with
   * @param index of its commit
   * @param prefix of the table as it stands; empty in an incremental job
   */
  CycleRows truncation(NumberedCommits commits, int index, Optional<SequencePrefix> prefix) {
    commits.count(index, 1);
    Commit commit = commits.commit(index);
    int[] rows = {index};
    return truncation(
        prefix,
        commit.position().order(),
        commits.rows(index),
        MetadataVectors.ofCommits(commits, rows, c -> c.committedAt().map(MetadataVectors::time)),
        MetadataVectors.ofCommits(commits, rows, Commit::user),
        MetadataVectors.ofCommits(commits, rows, Commit::transactionId));
  }

  private CycleRows truncation(
      Optional<SequencePrefix> prefix,
      long order,
      long row,
      ColumnVector time,
      ColumnVector owner,
      ColumnVector transaction) {
    SequenceVector sequence = new SequenceVector(prefix, 1);
    sequence.add(order, row, 1);
    List<ColumnVector> columns = new ArrayList<>(shape.all().size());
    columns.add(MetadataVectors.singleBytes(new byte[] {TRUNCATE}, 1));
    columns.add(sequence.vector());
    addCommits(columns, time, owner, transaction);
    for (FileColumn column : shape.columns()) {
      columns.add(noValues(column, 1));
    }
    for (int index : withOldValue) {
      columns.add(noValues(shape.columns().get(index), 1));
    }
    return new CycleRows(columns, 0, 1, new RowCounts(0, 0, 0, 1, 0, 0));
  }

  private void addCommits(
      List<ColumnVector> columns, ColumnVector time, ColumnVector owner, ColumnVector transaction) {
    if (shape.choices().operationTime()) {
      columns.add(time);
    }
    if (shape.choices().operationOwner()) {
      columns.add(owner);
    }
    if (shape.choices().transactionId()) {
      columns.add(transaction);
    }
  }

  /**
   * What stands in rows of the commits they belong to.
   *
   * @param commitOf index of the commit of each row, not decreasing
   */
  private void addCommits(List<ColumnVector> columns, NumberedCommits commits, int[] commitOf) {
    addCommits(
        columns,
        MetadataVectors.ofCommits(
            commits, commitOf, c -> c.committedAt().map(MetadataVectors::time)),
        MetadataVectors.ofCommits(commits, commitOf, Commit::user),
        MetadataVectors.ofCommits(commits, commitOf, Commit::transactionId));
  }

  private static ColumnVector noValues(FileColumn column, int size) {
    return Vectors.allNull(FileColumn.storage(column.type()), size);
  }

  /**
   * Rows of changes; counts them in their commits, unless the call fails.
   *
   * @param changes a run of the table's schema
   * @param from first row; never the second half of an update
   * @param to row behind the last; never between the halves of an update
   * @param commits the batch the run came with
   * @param prefix of the table as it stands; empty in an incremental job. In phase 02 rows are
   *     written as X and Y
   * @throws RefusedValueException with the index of a row of the changes
   */
  CycleRows changes(
      RowChanges changes,
      int from,
      int to,
      NumberedCommits commits,
      Optional<SequencePrefix> prefix) {
    boolean duringLoad = prefix.filter(p -> p.phase() == Phase.DURING_LOAD).isPresent();
    Plan plan = duringLoad ? duringLoad(changes, from, to) : plain(changes, from, to);
    SequenceVector sequences = new SequenceVector(prefix, plan.count);
    for (int i = 0; i < plan.count; ) {
      int end = plan.endOfCommit(changes, i);
      int commit = changes.commitIndex(plan.rows[i]);
      sequences.add(commits.commit(commit).position().order(), commits.rows(commit) + 1, end - i);
      i = end;
    }
    List<ColumnVector> columns = new ArrayList<>(shape.all().size());
    columns.add(MetadataVectors.singleBytes(plan.operations, plan.count));
    columns.add(sequences.vector());
    if (shape.choices().ofCommits()) {
      addCommits(columns, commits, plan.commits(changes));
    }
    addValues(columns, changes, plan);
    checkSizes(columns, plan);
    for (int i = 0; i < plan.count; ) {
      int end = plan.endOfCommit(changes, i);
      commits.count(changes.commitIndex(plan.rows[i]), end - i);
      i = end;
    }
    return new CycleRows(columns, 0, plan.count, plan.counts());
  }

  /** Which rows are written, and where their values come from. */
  private static final class Plan {
    final byte[] operations;
    final int[] rows;
    final int[] oldRows;
    int count;
    boolean anyOld;
    boolean[] keyOnly = {};

    Plan(int most) {
      operations = new byte[most];
      rows = new int[most];
      oldRows = new int[most];
    }

    void add(byte operation, int row, int oldRow) {
      operations[count] = operation;
      rows[count] = row;
      oldRows[count++] = oldRow;
      anyOld |= oldRow != NONE;
    }

    void addKey(int row) {
      if (keyOnly.length == 0) {
        keyOnly = new boolean[operations.length];
      }
      keyOnly[count] = true;
      add(LOAD_DELETE, row, NONE);
    }

    /** The row behind the last one of the same commit. */
    int endOfCommit(RowChanges changes, int from) {
      int commit = changes.commitIndex(rows[from]);
      // Commits do not go back: the usual run of one commit ends with the plan.
      if (changes.commitIndex(rows[count - 1]) == commit) {
        return count;
      }
      int end = from + 1;
      while (changes.commitIndex(rows[end]) == commit) {
        end++;
      }
      return end;
    }

    /** Index of the commit of each row. */
    int[] commits(RowChanges changes) {
      int[] commits = new int[count];
      for (int i = 0; i < count; i++) {
        commits[i] = changes.commitIndex(rows[i]);
      }
      return commits;
    }

    RowCounts counts() {
      long[] of = new long[128];
      for (int i = 0; i < count; i++) {
        of[operations[i]]++;
      }
      return new RowCounts(
          of[INSERT], of[UPDATE], of[DELETE], of[TRUNCATE], of[LOAD_INSERT], of[LOAD_DELETE]);
    }
  }

  private static Plan plain(RowChanges changes, int from, int to) {
    Plan plan = new Plan(to - from);
    for (int row = from; row < to; row++) {
      switch (changes.kind(row)) {
        case INSERT -> plan.add(INSERT, row, NONE);
        case UPDATE_BEFORE -> {}
        case UPDATE_AFTER -> plan.add(UPDATE, row, oldRow(changes, row));
        case DELETE -> plan.add(DELETE, row, NONE);
      }
    }
    return plan;
  }

  /** The old row of an update: the row before it, or itself when it kept its key. */
  private static int oldRow(RowChanges changes, int row) {
    return row > 0 && changes.kind(row - 1) == ChangeKind.UPDATE_BEFORE ? row - 1 : row;
  }

  private static Plan duringLoad(RowChanges changes, int from, int to) {
    int most = 0;
    for (int row = from; row < to; row++) {
      most += rowsDuringLoad(changes, row);
    }
    Plan plan = new Plan(most);
    for (int row = from; row < to; row++) {
      switch (changes.kind(row)) {
        case INSERT -> {
          plan.addKey(row);
          plan.add(LOAD_INSERT, row, NONE);
        }
        case UPDATE_BEFORE -> {}
        case UPDATE_AFTER -> {
          int old = oldRow(changes, row);
          plan.addKey(old);
          if (changesKey(changes, old, row)) {
            plan.addKey(row);
          }
          plan.add(LOAD_INSERT, row, NONE);
        }
        case DELETE -> plan.add(LOAD_DELETE, row, NONE);
      }
    }
    return plan;
  }

  /** How many rows a row of changes becomes in phase 02. */
  static int rowsDuringLoad(RowChanges changes, int row) {
    return switch (changes.kind(row)) {
      case INSERT -> 2;
      case UPDATE_BEFORE -> 0;
      case UPDATE_AFTER -> changesKey(changes, oldRow(changes, row), row) ? 3 : 2;
      case DELETE -> 1;
    };
  }

  /** Whether an update gives its row another key; a table without key has none to change. */
  private static boolean changesKey(RowChanges changes, int oldRow, int row) {
    if (oldRow == row) {
      return false;
    }
    for (int key : changes.rows().schema().keyIndexes()) {
      if (!Cells.equal(changes.rows().columns().get(key), oldRow, row)) {
        return true;
      }
    }
    return false;
  }

  private void addValues(List<ColumnVector> columns, RowChanges changes, Plan plan) {
    DeliveredCells cells = new DeliveredCells(changes);
    boolean[] key = new boolean[shape.columns().size()];
    for (int index : changes.rows().schema().keyIndexes()) {
      key[index] = true;
    }
    boolean keyed = changes.rows().schema().keyed();
    for (int i = 0; i < key.length; i++) {
      int[] rows = cells.sourceRows(i, plan.rows, plan.count);
      if (keyed && !key[i] && plan.keyOnly.length > 0) {
        rows = withoutKeyOnly(rows, plan);
      }
      columns.add(values(changes, i, rows, plan.count));
    }
    if (!plan.anyOld) {
      for (int index : withOldValue) {
        columns.add(noValues(shape.columns().get(index), plan.count));
      }
      return;
    }
    int[] toldOldRows = toldOldRows(plan);
    for (int index : withOldValue) {
      columns.add(values(changes, index, key[index] ? plan.oldRows : toldOldRows, plan.count));
    }
  }

  private void checkSizes(List<ColumnVector> columns, Plan plan) {
    try {
      limit.check(columns, 0, plan.count);
    } catch (RefusedValueException e) {
      throw new RefusedValueException(plan.rows[e.row()], String.valueOf(e.getMessage()));
    }
  }

  private static int[] withoutKeyOnly(int[] rows, Plan plan) {
    int[] chosen = Arrays.copyOf(rows, plan.count);
    for (int i = 0; i < plan.count; i++) {
      if (plan.keyOnly[i]) {
        chosen[i] = NONE;
      }
    }
    return chosen;
  }

  /** An update that tells no old row tells the old key, which it kept, and nothing else. */
  private static int[] toldOldRows(Plan plan) {
    int[] chosen = Arrays.copyOf(plan.oldRows, plan.count);
    for (int i = 0; i < plan.count; i++) {
      if (chosen[i] == plan.rows[i]) {
        chosen[i] = NONE;
      }
    }
    return chosen;
  }

  /** The values of a column in chosen rows, as the files hold them. */
  private ColumnVector values(RowChanges changes, int column, int[] rows, int count) {
    ColumnVector all = changes.rows().columns().get(column);
    ColumnVector chosen =
        isEveryRow(rows, count, all.size()) ? all : Vectors.selectOrNull(all, rows, count);
    try {
      return shape.columns().get(column).rule().apply(chosen, 0, count, replacements);
    } catch (RefusedValueException e) {
      throw new RefusedValueException(rows[e.row()], String.valueOf(e.getMessage()));
    }
  }

  private static boolean isEveryRow(int[] rows, int count, int size) {
    boolean every = count == size;
    for (int i = 0; every && i < count; i++) {
      every = rows[i] == i;
    }
    return every;
  }
}
