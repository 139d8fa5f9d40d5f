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

  /** Checks the parts. */
  public CommitBatch {
    commits = List.copyOf(commits);
    events = List.copyOf(events);
    if (commits.isEmpty()) {
      throw new IllegalArgumentException("A batch needs at least one commit");
    }
  }
}
