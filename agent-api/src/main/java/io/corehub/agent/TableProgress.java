package io.corehub.agent;

import java.util.Objects;

/** What of a table already stands in the target, as the target itself tells. Immutable. */
public sealed interface TableProgress {

  /** Nothing was published: the table needs a snapshot if it has rows to load. */
  record NothingPublished() implements TableProgress {}

  /**
   * The agent takes no snapshot of this table, only changes: the host must not take one. Changes
   * may stand in the target or not.
   */
  record ChangesOnly() implements TableProgress {}

  /**
   * A snapshot was begun and not finished: it must be taken again from the start.
   *
   * @param snapshotId id it was begun under
   */
  record SnapshotUnfinished(String snapshotId) implements TableProgress {}

  /**
   * A snapshot stands complete and no change after it: the hub must not take it again.
   *
   * @param snapshotId its id
   * @param consistentAt position it is consistent at; changes after it are wanted
   */
  record SnapshotFinished(String snapshotId, SourcePosition consistentAt) implements TableProgress {
    /** Checks the parts. */
    public SnapshotFinished {
      Objects.requireNonNull(consistentAt, "consistentAt");
    }
  }

  /**
   * Changes stand up to a position; the agent itself skips what is delivered again.
   *
   * @param position last commit published, or being published
   * @param complete whether that commit stands whole
   */
  record ChangesPublished(SourcePosition position, boolean complete) implements TableProgress {
    /** Checks the parts. */
    public ChangesPublished {
      Objects.requireNonNull(position, "position");
    }
  }

  /**
   * The table cannot be written; {@link AgentListener#tableStopped} was or will be told as well.
   *
   * @param reason why, and what to change
   */
  record Stopped(TableStoppedException reason) implements TableProgress {}
}
