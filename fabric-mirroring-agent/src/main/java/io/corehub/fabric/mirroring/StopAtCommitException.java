package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.runtime.rows.RefusedValueException;

/** A table cannot take a commit of the batch; what it has of earlier ones stays good. */
final class StopAtCommitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient TableStoppedException reason;
  private final int commit;

  /**
   * A stop.
   *
   * @param reason why
   * @param commit index of the commit in the batch
   */
  StopAtCommitException(TableStoppedException reason, int commit) {
    super(reason);
    this.reason = reason;
    this.commit = commit;
  }

  /**
   * A value cannot be written.
   *
   * @param table the table
   * @param why what is wrong with the value
   * @param row tells the row; empty if no single one is at fault
   * @param commit index of its commit in the batch
   */
  static StopAtCommitException refused(
      TableId table, RefusedValueException why, String row, int commit) {
    return new StopAtCommitException(
        new TableStoppedException(
            table,
            ErrorCode.VALUE_REFUSED,
            "Table " + table + (row.isEmpty() ? "" : ", " + row) + ": " + why.getMessage(),
            why),
        commit);
  }

  TableStoppedException reason() {
    return reason;
  }

  int commit() {
    return commit;
  }
}
