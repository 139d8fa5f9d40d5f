package io.corehub.hub.debezium;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.TableId;
import io.corehub.hub.source.CommitBatchBuilder;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes as rows of a commit: pairs the delete and insert of a changed key to one update,
 * and sends as much of old rows as the agent asks for and the source has. Stateless.
 */
final class RowWriter {

  private final BeforeImage wanted;

  RowWriter(BeforeImage wanted) {
    this.wanted = wanted;
  }

  /**
   * Writes one change in the shape of the source. A value that cannot be carried ends the table at
   * this commit.
   *
   * @param change the change
   * @param table its table, not given up before
   * @param to the commit under way
   * @throws InterruptedException if interrupted
   */
  void writeAsRead(ChangeRecord change, CapturedTable table, CommitBatchBuilder to)
      throws InterruptedException {
    try {
      write(change, table, table.mapping(change.rowSchema(), change.keySchema()), to);
    } catch (ValueRefusedException e) {
      giveUp(table, e, to);
    }
  }

  /** The same, in the shape the pipeline wants; the table is declared as the change has it. */
  void writeAsDeclared(ChangeRecord change, CapturedTable table, CommitBatchBuilder to)
      throws InterruptedException {
    try {
      table.mapping(change.rowSchema(), change.keySchema());
      write(change, table, table.declaredMapping(), to);
    } catch (ValueRefusedException e) {
      giveUp(table, e, to);
    }
  }

  private void write(
      ChangeRecord change, CapturedTable table, ConnectRowMapping mapping, CommitBatchBuilder to)
      throws InterruptedException {
    switch (change.kind()) {
      case INSERT -> insert(change, mapping, to);
      case UPDATE -> update(change, table, mapping, to);
      case DELETE -> delete(change, table, mapping, to);
      case TRUNCATE -> to.truncated(table.id());
      case BEGIN, END, HEARTBEAT, OTHER ->
          throw new IllegalArgumentException(change.kind() + " is not a change of rows");
    }
  }

  private static void giveUp(
      CapturedTable table, ValueRefusedException reason, CommitBatchBuilder to) {
    table.giveUp();
    to.unreadable(stopped(table.id(), reason));
  }

  /** The stop of a table for a value or column that cannot be carried. */
  static TableStoppedException stopped(TableId table, ValueRefusedException reason) {
    return new TableStoppedException(
        table,
        ErrorCode.SOURCE_DATA,
        reason.getMessage() + ". Correct the row, or leave the column or the table out.",
        reason);
  }

  private void insert(ChangeRecord change, ConnectRowMapping mapping, CommitBatchBuilder to)
      throws InterruptedException {
    boolean newKeyOfRow = change.takesKey() && wanted != BeforeImage.NONE;
    ChangeKind kind = newKeyOfRow ? ChangeKind.UPDATE_AFTER : ChangeKind.INSERT;
    row(row(change.after(), change), mapping, kind, BeforeImage.NONE, to);
  }

  private void update(
      ChangeRecord change, CapturedTable table, ConnectRowMapping mapping, CommitBatchBuilder to)
      throws InterruptedException {
    Struct before = change.before();
    if (before != null && table.fullOldRows() && wanted == BeforeImage.FULL) {
      row(before, mapping, ChangeKind.UPDATE_BEFORE, BeforeImage.FULL, to);
    }
    row(row(change.after(), change), mapping, ChangeKind.UPDATE_AFTER, BeforeImage.NONE, to);
  }

  private void delete(
      ChangeRecord change, CapturedTable table, ConnectRowMapping mapping, CommitBatchBuilder to)
      throws InterruptedException {
    BeforeImage completeness =
        table.fullOldRows() && wanted == BeforeImage.FULL ? BeforeImage.FULL : BeforeImage.KEY;
    ChangeKind kind =
        change.givesKeyUp() && wanted != BeforeImage.NONE
            ? ChangeKind.UPDATE_BEFORE
            : ChangeKind.DELETE;
    row(row(change.before(), change), mapping, kind, completeness, to);
  }

  private static Struct row(@Nullable Struct row, ChangeRecord change) {
    if (row == null) {
      throw new ValueRefusedException(
          "Table "
              + change.collection()
              + ": a "
              + change.kind()
              + " arrived without its row. Set REPLICA IDENTITY FULL or give the table a primary"
              + " key");
    }
    return row;
  }

  private static void row(
      Struct row,
      ConnectRowMapping mapping,
      ChangeKind kind,
      BeforeImage completeness,
      CommitBatchBuilder to)
      throws InterruptedException {
    ColumnBatchBuilder cells = to.beginRow(mapping.schema(), kind, completeness);
    if (completeness == BeforeImage.KEY) {
      mapping.writeKey(row, cells);
    } else {
      mapping.write(row, cells);
    }
    to.endRow();
  }
}
