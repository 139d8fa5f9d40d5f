package io.corehub.hub.source;

import io.corehub.agent.CommitBatch;
import io.corehub.agent.SnapshotEnd;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import java.util.Optional;

/**
 * Takes what a source reads. Confined to one caller at a time. Every call may block while the
 * target's memory is spent: that is the back-pressure.
 *
 * <p>Trouble with one table never surfaces here: the table's {@link DeclaredTable#wanted()} turns
 * false, and what is sent of it is dropped. Trouble of the whole pipeline interrupts the caller.
 */
public interface SourceSink {

  /**
   * Declares a table, or its new shape from here on. Declaring the shape it already has changes
   * nothing.
   *
   * @param schema the shape, with any version: the sink gives its own
   * @return the table as rows must be sent from here on
   * @throws InterruptedException if the pipeline stops
   */
  DeclaredTable declare(TableSchema schema) throws InterruptedException;

  /**
   * Begins a snapshot of a declared table. While it runs, changes of the table are withheld from
   * the target by the sink; snapshots of several tables may be open at once.
   *
   * @param table the table
   * @param start id and position; ids that are whole numbers count the snapshots of the table, so
   *     that two of them at one position can be told apart after a restart
   * @return false if the target already holds this snapshot or the table is not wanted: its pages
   *     need not be sent, and those sent are dropped
   * @throws InterruptedException if the pipeline stops
   */
  boolean beginSnapshot(TableId table, SnapshotStart start) throws InterruptedException;

  /**
   * Rows of the open snapshot of a table; the batch is given away.
   *
   * @param page rows in the table's current shape
   * @throws InterruptedException if the pipeline stops
   */
  void snapshotPage(ColumnBatch page) throws InterruptedException;

  /**
   * The snapshot is complete. Does nothing if the table has no open snapshot.
   *
   * @param table the table
   * @throws InterruptedException if the pipeline stops
   */
  void endSnapshot(TableId table) throws InterruptedException;

  /**
   * Ends the open snapshot of a table, and tells what was captured meanwhile.
   *
   * @param table the table
   * @param end what is known of the changes behind the snapshot
   * @throws InterruptedException if the pipeline stops
   */
  default void endSnapshot(TableId table, SnapshotEnd end) throws InterruptedException {
    endSnapshot(table);
  }

  /**
   * A table whose snapshot ended with a backlog has caught up.
   *
   * @param table the table
   * @param upTo position of the last commit that is backlog
   * @throws InterruptedException if the pipeline stops
   */
  default void backlogEnded(TableId table, SourcePosition upTo) throws InterruptedException {}

  /**
   * Commits in order; the batch is given away. Events of tables that are not wanted are left out by
   * the source, see {@link DeclaredTable#wants}.
   *
   * @param batch commits after all those handed over before, or the next part of the last one
   * @throws InterruptedException if the pipeline stops
   */
  void commits(CommitBatch batch) throws InterruptedException;

  /**
   * Stops a table outside a commit, for example for a value of a snapshot that does not fit its
   * column: an open snapshot of it is given up, and its later changes hold the position. Inside a
   * commit use {@link CommitBatchBuilder#unreadable}.
   *
   * @param reason the table and what a person must change
   * @throws InterruptedException if the pipeline stops
   */
  void stopTable(TableStoppedException reason) throws InterruptedException;

  /**
   * Something a person should know although nothing stopped.
   *
   * @param table the table concerned; empty for the source as a whole
   * @param message one sentence
   */
  void warning(Optional<TableId> table, String message);
}
