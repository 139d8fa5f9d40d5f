package io.corehub.fabric.mirroring;

import io.corehub.agent.CommitBatch;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableTruncated;
import io.corehub.agent.TableUnreadable;
import io.corehub.runtime.ConfirmationLedger;
import java.util.Optional;

/**
 * A batch on its way into the tables, with the numbers of its commits. Immutable.
 *
 * @param batch the batch
 * @param run its commits, numbered
 */
record Handover(CommitBatch batch, ConfirmationLedger.Run run) {

  /** No commit of this index. */
  static final int NONE = Integer.MAX_VALUE;

  SourcePosition position(int commit) {
    return batch.commits().get(commit).position();
  }

  long number(int commit) {
    return run.number(commit);
  }

  Optional<SourcePosition> before(int commit) {
    return run.before(commit);
  }

  /** Whether the batch ends this commit. */
  boolean ends(int commit) {
    return commit < batch.commits().size() - 1 || batch.lastCommitComplete();
  }

  /** The commit an event begins with. */
  static int firstCommit(TableEvent event) {
    if (event instanceof RowChanges changes) {
      return changes.rowCount() == 0 ? NONE : changes.commitIndex(0);
    }
    return event instanceof TableTruncated truncated
        ? truncated.commitIndex()
        : ((TableUnreadable) event).commitIndex();
  }
}
