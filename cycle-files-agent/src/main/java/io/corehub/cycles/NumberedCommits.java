package io.corehub.cycles;

import io.corehub.agent.ChangeKind;
import io.corehub.agent.Commit;
import io.corehub.agent.RowChanges;
import java.util.List;

/**
 * The commits of a batch, and how many rows of each are numbered so far. Row numbers run from 1
 * over all tables of a transaction, in the order in which its events are given; a table that is
 * skipped because a cycle holds its rows already is numbered all the same, so that a replay numbers
 * the others alike. Confined to one caller at a time.
 */
final class NumberedCommits {

  private final List<Commit> commits;
  private final long[] numbered;

  /**
   * The commits of a batch.
   *
   * @param commits as the batch has them
   * @param before rows of the first one that were numbered with earlier batches, if it came in
   *     parts
   */
  NumberedCommits(List<Commit> commits, long before) {
    this.commits = commits;
    this.numbered = new long[commits.size()];
    this.numbered[0] = before;
  }

  /** A commit. */
  Commit commit(int index) {
    return commits.get(index);
  }

  /** Rows of a commit that are numbered so far; the number of its last row. */
  long rows(int index) {
    return numbered[index];
  }

  void count(int index, long rows) {
    numbered[index] += rows;
  }

  /**
   * Numbers rows that are not written.
   *
   * @param changes their run
   * @param from first row
   * @param to row behind the last
   * @param duringLoad whether they would have been written as X and Y
   */
  void skip(RowChanges changes, int from, int to, boolean duringLoad) {
    for (int row = from; row < to; row++) {
      numbered[changes.commitIndex(row)] +=
          duringLoad
              ? RowRules.rowsDuringLoad(changes, row)
              : changes.kind(row) == ChangeKind.UPDATE_BEFORE ? 0 : 1;
    }
  }

  /**
   * Numbers a truncation that is not written though it counts.
   *
   * @param index of its commit
   */
  void skipTruncation(int index) {
    numbered[index]++;
  }
}
