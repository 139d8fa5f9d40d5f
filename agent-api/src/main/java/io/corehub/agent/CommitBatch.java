package io.corehub.agent;

import java.util.List;

/**
 * A run of consecutive commits of the source. Immutable.
 *
 * <p>A commit too large for one batch comes in parts: every batch but the one with its last part
 * says {@code lastCommitComplete = false}, and the next batch begins with the same commit again
 * (the same position). A commit counts as handed over only with the part that ends it. A commit may
 * have no event at all: it is confirmed in its turn.
 *
 * @param commits at least one commit, positions strictly increasing
 * @param events what happened to the tables; events of one table in the order of the source
 * @param lastCommitComplete whether the last commit ends with this batch
 */
public record CommitBatch(
    List<Commit> commits, List<TableEvent> events, boolean lastCommitComplete) {

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if there is no commit, positions of one timeline do not
   *     increase, or an event names a commit the batch does not have
   */
  public CommitBatch {
    commits = List.copyOf(commits);
    events = List.copyOf(events);
    if (commits.isEmpty()) {
      throw new IllegalArgumentException("A batch needs at least one commit");
    }
    for (int i = 1; i < commits.size(); i++) {
      SourcePosition previous = commits.get(i - 1).position();
      SourcePosition position = commits.get(i).position();
      if (position.ordered()
          && position.timeline().equals(previous.timeline())
          && !position.isAfter(previous)) {
        throw new IllegalArgumentException(
            "Position " + position + " does not come after " + previous);
      }
    }
    for (TableEvent event : events) {
      int last = lastCommitIndex(event);
      if (last < 0 || last >= commits.size()) {
        throw new IllegalArgumentException(
            "Table "
                + event.table()
                + ": commit index "
                + last
                + " in a batch of "
                + commits.size()
                + " commits");
      }
    }
  }

  private static int lastCommitIndex(TableEvent event) {
    if (event instanceof TableTruncated truncated) {
      return truncated.commitIndex();
    }
    if (event instanceof TableUnreadable unreadable) {
      return unreadable.commitIndex();
    }
    RowChanges changes = (RowChanges) event;
    return changes.rowCount() == 0 ? 0 : changes.commitIndex(changes.rowCount() - 1);
  }
}
