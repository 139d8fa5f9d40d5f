package io.corehub.fabric.mirroring;

import io.corehub.agent.RowChanges;
import io.corehub.runtime.MemoryBudget;
import io.corehub.runtime.rows.RefusedValueException;
import io.corehub.runtime.rows.RowNames;

/**
 * A run of changes with all it takes to put a part of it into a file. Confined to the owner of its
 * table.
 *
 * @param reader the run
 * @param handover the batch it belongs to
 * @param nextCommit commit the next event of this table in the batch begins with
 * @param memory what stands in the budget for the run
 * @param limit row behind its last one
 */
record ChangePiece(
    ChangeReader reader,
    Handover handover,
    int nextCommit,
    MemoryBudget.Reservation memory,
    int limit) {

  RowChanges changes() {
    return reader.changes();
  }

  double bytesPerRow() {
    return bytesPerRow(changes());
  }

  static double bytesPerRow(RowChanges changes) {
    return (double) changes.rows().bytes() / Math.max(1, changes.rowCount());
  }

  /** The memory of some of its rows, split off. */
  MemoryBudget.Reservation memoryOf(int rows) {
    return memory.split((long) Math.ceil(bytesPerRow() * rows));
  }

  /** Whether a commit ends before this row. */
  boolean commitEndsAt(int to) {
    int commit = changes().commitIndex(to - 1);
    if (to < limit) {
      return changes().commitIndex(to) != commit;
    }
    return nextCommit == Handover.NONE ? handover.ends(commit) : nextCommit > commit;
  }

  /** The table stops at the commit of a row whose value cannot be written. */
  StopAtCommitException refused(RefusedValueException e) {
    return StopAtCommitException.refused(
        changes().table(),
        e,
        RowNames.of(changes().rows(), e.row()),
        changes().commitIndex(e.row()));
  }
}
