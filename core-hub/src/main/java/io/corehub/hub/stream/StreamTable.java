package io.corehub.hub.stream;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.settings.Nearest;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.hub.source.DeclaredTable;
import io.corehub.hub.source.Shown;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A declared table as the reader knows it. Confined to one caller. */
final class StreamTable {

  private final TableId id;
  private TableSchema declared;
  private DeclaredTable handle;
  private int[] targets = {};
  private long[] seenInRow = {};
  private long[] presentInRow = {};
  private boolean[] keyColumns = {};
  private @Nullable String[] keyValues = {};
  private long row;
  private boolean stopped;

  /** The snapshot that is open; null if none is. */
  @Nullable OpenSnapshot snapshot;

  /** Snapshots begun so far. */
  int snapshots;

  /**
   * A snapshot under way.
   *
   * @param at position it is consistent at
   * @param rows page under construction; null if the snapshot is not wanted
   */
  record OpenSnapshot(SourcePosition at, @Nullable ColumnBatchBuilder rows) {}

  StreamTable(TableSchema declared, DeclaredTable handle) {
    this.id = declared.table();
    this.declared = declared;
    this.handle = handle;
    redeclare(declared, handle);
  }

  /** Takes the shape the table has from here on. */
  void redeclare(TableSchema shape, DeclaredTable answer) {
    declared = shape;
    handle = answer;
    List<Column> columns = shape.columns();
    targets = new int[columns.size()];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = answer.schema().indexOf(columns.get(i).name()).orElse(-1);
    }
    seenInRow = new long[targets.length];
    presentInRow = new long[targets.length];
    keyColumns = new boolean[targets.length];
    keyValues = new @Nullable String[targets.length];
    for (int key : keyIndexes()) {
      keyColumns[key] = true;
    }
    row = 0;
  }

  TableId id() {
    return id;
  }

  TableSchema declared() {
    return declared;
  }

  /** The shape rows are sent in. */
  TableSchema schema() {
    return handle.schema();
  }

  boolean wanted() throws InterruptedException {
    return !stopped && handle.wanted();
  }

  boolean wants(SourcePosition position) throws InterruptedException {
    return !stopped && handle.wants(position);
  }

  /** No more of this table is read. */
  void stop() {
    stopped = true;
  }

  Column column(int index) {
    return declared.columns().get(index);
  }

  /** Index of a declared column in the rows sent; -1 if it is left out. */
  int target(int column) {
    return targets[column];
  }

  /** Begins a row of which columns may be looked up once each. */
  void beginRow() {
    row++;
    Arrays.fill(keyValues, null);
  }

  boolean isKey(int column) {
    return keyColumns[column];
  }

  /** Notes a key value of the row under way, for a message that must name the row. */
  void keyValue(int column, String text) {
    keyValues[column] = text;
  }

  /**
   * Finds a column of the row under way.
   *
   * @param guess index the column probably has
   * @throws MalformedException if the table has no such column or the row has it already
   */
  int find(String name, int guess) throws MalformedException {
    int index = guess;
    if (guess >= targets.length || !column(guess).name().equals(name)) {
      OptionalInt found = declared.indexOf(name);
      if (found.isEmpty()) {
        throw new MalformedException(unknownColumn(name));
      }
      index = found.getAsInt();
    }
    if (seenInRow[index] == row) {
      throw new MalformedException(
          "column '" + Shown.of(name) + "' of table " + Shown.of(id.toString()) + " occurs twice");
    }
    seenInRow[index] = row;
    return index;
  }

  String unknownColumn(String name) {
    List<String> names = declared.columns().stream().map(Column::name).toList();
    return "table "
        + Shown.of(id.toString())
        + " has no column '"
        + Shown.of(name)
        + "'"
        + Nearest.of(name, names).map(n -> "; did you mean '" + Shown.of(n) + "'?").orElse("");
  }

  /** The column has a value, or none is needed, in the row under way. */
  void markPresent(int column) {
    presentInRow[column] = row;
  }

  /** The first column that must have a value and has none in the row under way; -1 if none. */
  int missingValue() {
    for (int i = 0; i < targets.length; i++) {
      if (presentInRow[i] != row && targets[i] >= 0 && !column(i).nullable()) {
        return i;
      }
    }
    return -1;
  }

  boolean hasAllColumns(List<Cell> cells) {
    return cells.size() == targets.length;
  }

  int[] keyIndexes() {
    return declared.keyIndexes();
  }

  /** Forgets everything read of the open snapshot. */
  void dropSnapshotRows() {
    OpenSnapshot open = snapshot;
    if (open != null) {
      snapshot = new OpenSnapshot(open.at(), null);
    }
  }

  /** Names the row under way by its key, as far as it is known. */
  String key() {
    StringBuilder key = new StringBuilder();
    for (int i = 0; i < keyValues.length; i++) {
      String value = keyValues[i];
      if (value != null) {
        key.append(key.isEmpty() ? ", key " : ", ")
            .append(Shown.of(column(i).name()))
            .append('=')
            .append(Shown.of(value));
      }
    }
    return key.toString();
  }

  /** The reason to stop for a value that does not fit. */
  TableStoppedException unfit(int column, String value, String reason, String place) {
    Column c = column(column);
    return new TableStoppedException(
        id,
        ErrorCode.SOURCE_DATA,
        "Table "
            + Shown.of(id.toString())
            + key()
            + ": "
            + value
            + " does not fit column '"
            + Shown.of(c.name())
            + "' of type "
            + c.type()
            + (c.nullable() ? "" : " NOT NULL")
            + ": "
            + reason
            + " ("
            + place
            + "). Correct the value or the column's type and start again.");
  }

  /** A row whose values, this column's among them, are too large together. */
  TableStoppedException tooLarge(int column, String reason, String place) {
    return new TableStoppedException(
        id,
        ErrorCode.TOO_LARGE,
        "Table "
            + Shown.of(id.toString())
            + key()
            + ", column '"
            + Shown.of(column(column).name())
            + "': "
            + reason
            + " ("
            + place
            + ").");
  }

  @Override
  public String toString() {
    return id + " " + Arrays.toString(targets);
  }
}
