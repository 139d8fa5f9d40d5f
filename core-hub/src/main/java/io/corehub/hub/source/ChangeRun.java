package io.corehub.hub.source;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.RowChanges;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableTruncated;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.table.Undelivered;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Changed rows of one table and one shape under construction. Confined to one caller. */
final class ChangeRun {

  private static final int INITIAL_ROWS = 16;

  private final TableSchema schema;
  private final ColumnBatchBuilder rows;
  private byte[] kinds = new byte[INITIAL_ROWS];
  private int[] commitIndexes = new int[INITIAL_ROWS];
  private int rowsBeforeCommit;
  private @Nullable BeforeImage completeness;

  ChangeRun(TableSchema schema) {
    this.schema = schema;
    this.rows = new ColumnBatchBuilder(schema);
  }

  TableSchema schema() {
    return schema;
  }

  int rowCount() {
    return rows.rowCount();
  }

  long bytes() {
    return rows.bytes() + 5L * kinds.length;
  }

  /** Whether an old row of this completeness may stand in this run. */
  boolean accepts(BeforeImage candidate) {
    return completeness == null || completeness == candidate;
  }

  /** Remembers where the rows of the commit now begun start. */
  void markCommit() {
    rowsBeforeCommit = rows.rowCount();
  }

  ColumnBatchBuilder beginRow(
      ChangeKind kind, boolean oldRow, BeforeImage completenessOfRow, int commitIndex) {
    int row = rows.rowCount();
    if (row == kinds.length) {
      kinds = Arrays.copyOf(kinds, row * 2);
      commitIndexes = Arrays.copyOf(commitIndexes, row * 2);
    }
    kinds[row] = kind.code();
    commitIndexes[row] = commitIndex;
    if (oldRow) {
      completeness = completenessOfRow;
    }
    return rows;
  }

  ChangeKind endRow() {
    rows.endRow();
    return ChangeKind.ofCode(kinds[rows.rowCount() - 1]);
  }

  void abandonRow() {
    rows.abandonRow();
  }

  /** The rows collected; empty if there are none. */
  Optional<RowChanges> build() {
    if (rows.rowCount() == 0) {
      return Optional.empty();
    }
    Undelivered undelivered = rows.undelivered();
    ColumnBatch batch = rows.build();
    return Optional.of(
        new RowChanges(batch, kinds, commitIndexes, undelivered, beforeImagesOfRun()));
  }

  /** The rows of earlier commits; empty if there are none. */
  Optional<RowChanges> buildBeforeCommit() {
    if (rowsBeforeCommit == 0) {
      return Optional.empty();
    }
    Undelivered undelivered = rows.undelivered();
    ColumnBatch batch = rows.build().select(firstRows(rowsBeforeCommit), rowsBeforeCommit);
    return Optional.of(
        new RowChanges(batch, kinds, commitIndexes, undelivered, beforeImagesOfRun()));
  }

  private BeforeImage beforeImagesOfRun() {
    return completeness == null ? BeforeImage.NONE : completeness;
  }

  /** What of an event happened before a commit; empty if nothing. */
  static Optional<TableEvent> rowsBefore(TableEvent event, int commitIndex) {
    if (event instanceof TableTruncated truncated) {
      return Optional.of(event).filter(e -> truncated.commitIndex() < commitIndex);
    }
    if (event instanceof TableUnreadable unreadable) {
      return Optional.of(event).filter(e -> unreadable.commitIndex() < commitIndex);
    }
    RowChanges changes = (RowChanges) event;
    int count = 0;
    while (count < changes.rowCount() && changes.commitIndex(count) < commitIndex) {
      count++;
    }
    if (count == 0) {
      return Optional.empty();
    }
    byte[] kinds = new byte[count];
    int[] commitIndexes = new int[count];
    for (int row = 0; row < count; row++) {
      kinds[row] = changes.kind(row).code();
      commitIndexes[row] = changes.commitIndex(row);
    }
    return Optional.of(
        new RowChanges(
            changes.rows().select(firstRows(count), count),
            kinds,
            commitIndexes,
            changes.undelivered(),
            changes.beforeImages()));
  }

  private static int[] firstRows(int count) {
    int[] rows = new int[count];
    Arrays.setAll(rows, i -> i);
    return rows;
  }
}
