package io.corehub.runtime.rows;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.TableId;

/** A cell cannot be written as its column asks. */
public final class RefusedValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int row;

  /**
   * A refusal.
   *
   * @param row row index in the vectors that were read
   * @param message names the column, says what is wrong and what to change
   */
  public RefusedValueException(int row, String message) {
    super(message);
    this.row = row;
  }

  /**
   * The row.
   *
   * @return row index in the vectors that were read
   */
  public int row() {
    return row;
  }

  /**
   * What becomes of the table.
   *
   * @param rows the rows that were read
   * @return a stop that names table, row and column
   */
  public TableStoppedException stop(ColumnBatch rows) {
    TableId table = rows.schema().table();
    return new TableStoppedException(
        table,
        ErrorCode.VALUE_REFUSED,
        "Table " + table + ", " + RowNames.of(rows, row) + ": " + getMessage(),
        this);
  }
}
