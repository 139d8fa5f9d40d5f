package io.corehub.agent;

import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.Undelivered;
import java.util.Objects;

/**
 * A run of changed rows of one table, in the order of the source. Immutable: the arrays are given
 * away.
 *
 * <p>All rows have the same schema; a change of the schema begins another {@code RowChanges}.
 */
public final class RowChanges implements TableEvent {

  private final ColumnBatch rows;
  private final byte[] kinds;
  private final int[] commitIndexes;
  private final Undelivered undelivered;
  private final BeforeImage beforeImages;

  /**
   * Creates the run.
   *
   * @param rows the rows; a row that carries only the key has NULL elsewhere
   * @param kinds {@link ChangeKind#code()} of each row
   * @param commitIndexes index into {@link CommitBatch#commits()} of the commit of each row, never
   *     decreasing
   * @param undelivered cells of UPDATE_AFTER rows that the source left out because they did not
   *     change
   * @param beforeImages how much UPDATE_BEFORE and DELETE rows carry
   * @throws IllegalArgumentException if a row lacks its kind or commit, a kind is unknown, commits
   *     go back, or an UPDATE_BEFORE is not followed by its UPDATE_AFTER
   */
  public RowChanges(
      ColumnBatch rows,
      byte[] kinds,
      int[] commitIndexes,
      Undelivered undelivered,
      BeforeImage beforeImages) {
    this.rows = Objects.requireNonNull(rows, "rows");
    this.kinds = kinds;
    this.commitIndexes = commitIndexes;
    this.undelivered = Objects.requireNonNull(undelivered, "undelivered");
    this.beforeImages = Objects.requireNonNull(beforeImages, "beforeImages");
    if (kinds.length < rows.rowCount() || commitIndexes.length < rows.rowCount()) {
      throw new IllegalArgumentException(
          "Each of " + rows.rowCount() + " rows needs a kind and a commit");
    }
    for (int i = 0; i < rows.rowCount(); i++) {
      if (commitIndexes[i] < (i == 0 ? 0 : commitIndexes[i - 1])) {
        throw new IllegalArgumentException(
            "Table " + table() + ": commit indexes go back at row " + i);
      }
      checkKind(i);
    }
  }

  private void checkKind(int row) {
    if (kinds[row] < 0 || kinds[row] > ChangeKind.DELETE.code()) {
      throw new IllegalArgumentException(
          "Table " + table() + ": row " + row + " has the unknown kind " + kinds[row]);
    }
    if (kinds[row] == ChangeKind.UPDATE_BEFORE.code()
        && (row + 1 == rows.rowCount()
            || kinds[row + 1] != ChangeKind.UPDATE_AFTER.code()
            || commitIndexes[row + 1] != commitIndexes[row])) {
      throw new IllegalArgumentException(
          "Table " + table() + ": UPDATE_BEFORE at row " + row + " lacks its UPDATE_AFTER");
    }
  }

  @Override
  public TableId table() {
    return rows.schema().table();
  }

  /**
   * The rows.
   *
   * @return a batch
   */
  public ColumnBatch rows() {
    return rows;
  }

  /**
   * Number of rows, UPDATE_BEFORE rows included.
   *
   * @return rows
   */
  public int rowCount() {
    return rows.rowCount();
  }

  /**
   * What a row is.
   *
   * @param row row index
   * @return its kind
   */
  public ChangeKind kind(int row) {
    return ChangeKind.ofCode(kinds[row]);
  }

  /**
   * The commit of a row.
   *
   * @param row row index
   * @return index into {@link CommitBatch#commits()}
   */
  public int commitIndex(int row) {
    return commitIndexes[row];
  }

  /**
   * Cells whose value is the one before.
   *
   * @return marks
   */
  public Undelivered undelivered() {
    return undelivered;
  }

  /**
   * How much UPDATE_BEFORE and DELETE rows carry.
   *
   * @return the completeness
   */
  public BeforeImage beforeImages() {
    return beforeImages;
  }
}
