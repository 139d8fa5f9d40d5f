package io.corehub.fabric.mirroring;

import io.corehub.agent.ChangeKind;
import io.corehub.agent.RowChanges;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import io.corehub.runtime.rows.CellRule;
import io.corehub.runtime.rows.Cells;
import io.corehub.runtime.rows.DeliveredCells;
import io.corehub.runtime.rows.RefusedValueException;
import io.corehub.runtime.rows.RowLimit;
import io.corehub.runtime.rows.Vectors;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns changes into rows of a change file, with their markers. Rows keep their order. A run
 * without old rows goes through without a copy. Confined to one caller at a time.
 */
final class ChangeReader {

  static final int INSERT = 0;
  static final int UPDATE = 1;
  static final int DELETE = 2;
  static final int UPSERT = 4;

  private final RowChanges changes;
  private final DeliveredCells cells;
  private final FileSchema schema;
  private final int insertMarker;
  private final int updateMarker;
  private final boolean keyed;
  private final int[] keys;
  private final boolean anyBefore;
  private final boolean anyDelete;
  private final CellRule.Replacements replacements;
  private final RowLimit limit;
  private int[] plainMarkers = {};

  /**
   * A reader of one run.
   *
   * @param changes the changes
   * @param schema schema of the file
   * @param upserts whether inserts and updates of keyed tables are written as upserts
   * @param replacements told of values replaced by policy
   * @param limit how large a row may be
   */
  ChangeReader(
      RowChanges changes,
      FileSchema schema,
      boolean upserts,
      CellRule.Replacements replacements,
      RowLimit limit) {
    this.limit = limit;
    this.changes = changes;
    this.cells = new DeliveredCells(changes);
    this.schema = schema;
    this.replacements = replacements;
    this.keyed = schema.table().keyed();
    this.keys = changes.rows().schema().keyIndexes();
    this.insertMarker = keyed && upserts ? UPSERT : INSERT;
    this.updateMarker = !keyed ? INSERT : upserts ? UPSERT : UPDATE;
    boolean before = false;
    boolean delete = false;
    for (int row = 0; row < changes.rowCount(); row++) {
      ChangeKind kind = changes.kind(row);
      before |= kind == ChangeKind.UPDATE_BEFORE;
      delete |= kind == ChangeKind.DELETE;
    }
    this.anyBefore = before;
    this.anyDelete = delete;
  }

  RowChanges changes() {
    return changes;
  }

  /** Whether this is the old row of an update that gives the row another key. */
  boolean changesKey(int row) {
    if (!anyBefore
        || !keyed
        || changes.kind(row) != ChangeKind.UPDATE_BEFORE
        || !updateFollows(row)) {
      return false;
    }
    for (int key : keys) {
      if (!Cells.equal(changes.rows().columns().get(key), row, row + 1)) {
        return true;
      }
    }
    return false;
  }

  private boolean updateFollows(int row) {
    return row + 1 < changes.rowCount() && changes.kind(row + 1) == ChangeKind.UPDATE_AFTER;
  }

  /** Deletes in a run that a table without key cannot take. */
  long skippedDeletes(int from, int to) {
    long skipped = 0;
    for (int row = from; anyDelete && !keyed && row < to; row++) {
      skipped += changes.kind(row) == ChangeKind.DELETE ? 1 : 0;
    }
    return skipped;
  }

  /**
   * The rows of a run, event by event.
   *
   * @throws RefusedValueException with the index of a row of the changes
   */
  FileRows range(int from, int to) {
    if (!anyBefore && (keyed || !anyDelete)) {
      return plain(from, to);
    }
    int[] rows = new int[to - from];
    int[] markers = new int[to - from];
    int count = 0;
    for (int row = from; row < to; row++) {
      int marker = marker(row);
      if (marker >= 0) {
        rows[count] = row;
        markers[count++] = marker;
      }
    }
    return chosen(rows, markers, count);
  }

  /** The marker of a row, or -1 if it is not written. */
  private int marker(int row) {
    return switch (changes.kind(row)) {
      case INSERT -> insertMarker;
      case UPDATE_BEFORE -> changesKey(row) ? DELETE : -1;
      case UPDATE_AFTER -> row > 0 && changesKey(row - 1) ? insertMarker : updateMarker;
      case DELETE -> keyed ? DELETE : -1;
    };
  }

  private FileRows plain(int from, int to) {
    if (plainMarkers.length == 0) {
      plainMarkers = new int[changes.rowCount()];
      for (int row = 0; row < plainMarkers.length; row++) {
        plainMarkers[row] = Math.max(0, marker(row));
      }
    }
    List<ColumnVector> columns = changes.rows().columns();
    cells.requireAll(from, to);
    return finished(
        index ->
            anyDelete
                ? maskDeletes(columns.get(index), index, plainMarkers, from, to)
                : columns.get(index),
        plainMarkers,
        changes.rowCount(),
        from,
        to,
        new int[0]);
  }

  /**
   * Chosen rows with given markers.
   *
   * @param rows row indexes, in the order wanted
   * @param markers marker of each
   * @param count how many of them count
   * @throws RefusedValueException with the index of a row of the changes
   */
  FileRows chosen(int[] rows, int[] markers, int count) {
    if (count == 0) {
      return FileRows.NONE;
    }
    return finished(
        index -> {
          ColumnVector column =
              changes
                  .rows()
                  .columns()
                  .get(index)
                  .select(cells.sourceRows(index, rows, count), count);
          return maskDeletes(column, index, markers, 0, count);
        },
        markers,
        count,
        0,
        count,
        rows);
  }

  /** The row that holds a cell: itself, or the whole old row when the cell was not delivered. */
  int cellRow(int column, int row) {
    return cells.sourceRow(column, row);
  }

  /** A delete carries the key columns only. */
  private ColumnVector maskDeletes(
      ColumnVector column, int index, int[] markers, int from, int to) {
    if (!keyed || isKey(index)) {
      return column;
    }
    long[] present = {};
    for (int row = from; row < to; row++) {
      if (markers[row] == DELETE && !column.nulls().isNull(row)) {
        if (present.length == 0) {
          present = Vectors.presentBits(column);
        }
        Vectors.clear(present, row);
      }
    }
    return present.length == 0
        ? column
        : Vectors.withNulls(column, Nulls.ofPresentBits(present, column.size()));
  }

  private boolean isKey(int index) {
    for (int key : keys) {
      if (key == index) {
        return true;
      }
    }
    return false;
  }

  /**
   * Turns columns into those of the file and checks the keys.
   *
   * @param rows rows of the changes behind each row of the columns; empty if they are the same
   */
  private FileRows finished(
      FileSchema.SourceColumns columns, int[] markers, int size, int from, int to, int[] rows) {
    try {
      List<ColumnVector> vectors =
          new ArrayList<>(schema.vectors(columns, size, from, to, replacements));
      schema.checkKeys(vectors, from, to);
      limit.check(vectors, from, to);
      vectors.add(new ColumnVector.OfInt(markers, size, Nulls.NONE));
      return new FileRows(vectors, from, to);
    } catch (RefusedValueException e) {
      throw rows.length == 0
          ? e
          : new RefusedValueException(rows[e.row()], String.valueOf(e.getMessage()));
    }
  }
}
