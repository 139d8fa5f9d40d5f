package io.corehub.agent;

import io.corehub.agent.table.ColumnBatch;

/**
 * Takes the snapshot of one table, page after page. Confined to one caller at a time; the writers
 * of different tables work in parallel.
 *
 * <p>After {@link #finish()} or {@link #abort()} the writer is done. If any call fails, the
 * snapshot is lost: the hub calls {@link #abort()} and begins another one when the cause is gone.
 */
public interface SnapshotWriter {

  /**
   * Takes a page. Blocks while the agent's memory is spent.
   *
   * @param page rows in any order; belongs to the agent afterwards
   * @throws TableStoppedException if the table cannot take it
   * @throws InterruptedException if interrupted; the page was not taken
   */
  void write(ColumnBatch page) throws InterruptedException;

  /**
   * Ends the snapshot: publishes what is left and returns when every row stands in the target. A
   * snapshot without rows still makes the table appear.
   *
   * @throws TableStoppedException if it cannot be published
   * @throws InterruptedException if interrupted; whether the snapshot is finished is unknown until
   *     the table is opened again
   */
  void finish() throws InterruptedException;

  /**
   * Ends the snapshot as {@link #finish()} does, and tells what was captured meanwhile. Agents that
   * write changes alike whenever they were captured need not know.
   *
   * @param end what the host knows of the changes behind the snapshot
   * @throws TableStoppedException if it cannot be published
   * @throws InterruptedException if interrupted, as for {@link #finish()}
   */
  default void finish(SnapshotEnd end) throws InterruptedException {
    finish();
  }

  /** Gives the snapshot up. What was published of it counts as unfinished. Idempotent. */
  void abort();
}
