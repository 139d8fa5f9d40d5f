package io.corehub.agent;

import io.corehub.agent.table.TableId;

/**
 * What an agent tells of its work beside what it confirms, for those who count, show or report it.
 * Calls come one at a time, from threads of the agent; they must return quickly and must not call
 * back into the agent.
 *
 * <p>For each table, in this order: {@link #tableShaped} before its first file or snapshot and
 * whenever its columns change; {@link #filePublished} once for each file that stands in the target
 * under its final name, never for one that failed. The files of a snapshot stand between {@link
 * #snapshotStarted} and {@link #snapshotEnded}; one that becomes visible after its snapshot was
 * given up is not told. What an earlier run published is not told again.
 */
public interface ProgressListener {

  /**
   * The rows of a table are written in this shape from now on. Files of the shape before may still
   * be published afterwards.
   *
   * @param shape columns at both ends, and where the files go
   */
  default void tableShaped(TableShape shape) {}

  /**
   * The snapshot of a table has begun.
   *
   * @param table the table
   * @param start id and position of the snapshot
   */
  default void snapshotStarted(TableId table, SnapshotStart start) {}

  /**
   * A file stands in the target under its final name.
   *
   * @param file what it holds
   */
  default void filePublished(PublishedFile file) {}

  /**
   * The snapshot of a table is over.
   *
   * @param table the table
   * @param snapshotId its id
   * @param complete whether every row of it stands in the target
   */
  default void snapshotEnded(TableId table, String snapshotId, boolean complete) {}

  /**
   * A table stopped; the others go on.
   *
   * @param reason the table, why, and what to change
   */
  default void tableStopped(TableStoppedException reason) {}

  /**
   * The agent as a whole cannot go on.
   *
   * @param reason why, and what to change
   */
  default void agentStopped(AgentException reason) {}
}
