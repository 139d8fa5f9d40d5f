package io.corehub.fabric.mirroring;

import io.corehub.agent.ChangeKind;
import io.corehub.agent.RowChanges;

/** Finds where commits begin and end in a run of changes, and where it may be cut. Pure. */
final class CommitRuns {

  private CommitRuns() {}

  /** The row behind the last of a row's commit. */
  static int endOfCommit(RowChanges changes, int row, int limit) {
    int commit = changes.commitIndex(row);
    int end = row + 1;
    while (end < limit && changes.commitIndex(end) == commit) {
      end++;
    }
    return end;
  }

  /** The last row up to {@code to} that begins a commit; {@code from} if there is none. */
  static int lastBoundary(RowChanges changes, int from, int to) {
    int at = to;
    while (at > from && changes.commitIndex(at) == changes.commitIndex(at - 1)) {
      at--;
    }
    return at;
  }

  /** An old row and its new one stay together. */
  static int keepPair(RowChanges changes, int row, int to) {
    if (to >= changes.rowCount()
        || changes.kind(to) != ChangeKind.UPDATE_AFTER
        || changes.kind(to - 1) != ChangeKind.UPDATE_BEFORE) {
      return to;
    }
    return to - 1 > row ? to - 1 : to + 1;
  }

  /** The first row of a row's commit, from {@code from} on. */
  static int startOfCommit(RowChanges changes, int row, int from) {
    int start = row;
    while (start > from && changes.commitIndex(start - 1) == changes.commitIndex(row)) {
      start--;
    }
    return start;
  }

  /** How many commits have rows in a run. */
  static long distinct(RowChanges changes, int from, int to) {
    long commits = 1;
    for (int row = from + 1; row < to; row++) {
      commits += changes.commitIndex(row) != changes.commitIndex(row - 1) ? 1 : 0;
    }
    return commits;
  }
}
