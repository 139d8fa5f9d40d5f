package io.corehub.agent;

import io.corehub.agent.table.TableId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Writes the tables of one pipeline to one target.
 *
 * <p>Life cycle:
 *
 * <ol>
 *   <li>{@link TargetAgentProvider#create} makes it; {@link #check()} may be called at once.
 *   <li>{@link #open} signs in, looks at the target and says what of each table is already there.
 *   <li>Tables whose progress asks for it get a snapshot: {@link #beginSnapshot}, pages, {@link
 *       SnapshotWriter#finish()}. Until it returned, the host withholds the table's changes.
 *   <li>{@link #apply} takes commits in the order of the source. After a restart the host delivers
 *       everything behind the confirmed position again; what the target already holds is skipped by
 *       the agent.
 *   <li>{@link #flush()} publishes what is collected; {@link #close()} gives up what is not
 *       published. What was not published was never confirmed.
 * </ol>
 *
 * <p>Threads: {@link #apply} is called by one thread at a time; each snapshot by one thread, in
 * parallel with others and with {@code apply}; everything else by any thread.
 *
 * <p>Schema: every batch carries its schema. A column that was added is followed; one that is gone
 * is written as NULL; a changed type or key stops that table with advice, before a file of the new
 * shape is published. Where each file has a schema of its own, the table's columns are those of the
 * source at any time, and a changed type is followed.
 *
 * <p>Trouble with one table goes to {@link AgentListener#tableStopped} and is never thrown by
 * {@link #apply}; a stopped table gives its memory back at once.
 */
public interface TargetAgent extends AutoCloseable {

  /**
   * Looks whether the target can be used: signs in and looks at the place to write to. Writes
   * nothing. May be called without {@link #open}.
   *
   * @return one finding for each thing looked at; at least one
   * @throws InterruptedException if interrupted
   */
  List<Finding> check() throws InterruptedException;

  /**
   * Puts to the test, in the target itself, what the agent takes for granted of it. Writes to a
   * table of a name that no source has, and takes it away again before it returns, whichever way;
   * of the tables of the pipeline it touches none. May be called without {@link #open}.
   *
   * @param patience longest time to wait for the target's own doings
   * @param findings told of each finding as it is made, on the calling thread
   * @throws ActionRequiredException if a person must change something before anything can be tried
   * @throws RetryLaterException if the target cannot be reached now
   * @throws UnsupportedOperationException if the agent does not offer {@link
   *     AgentAction#PROBE_TARGET}
   * @throws InterruptedException if interrupted; the table was taken away, or a finding says that
   *     it was not
   */
  default void probe(Duration patience, Consumer<ProbeFinding> findings)
      throws InterruptedException {
    throw new UnsupportedOperationException("This agent has no probes");
  }

  /**
   * Signs in, looks at the target and at each table in it. Fails once, with advice; transient
   * trouble is tried again for a bounded time first.
   *
   * @param tables tables known so far; may be empty
   * @param resume what the host remembers
   * @return for each of the tables, what is already published
   * @throws ActionRequiredException if a person must change something
   * @throws RetryLaterException if the target cannot be reached now
   * @throws InterruptedException if interrupted
   */
  Map<TableId, TableProgress> open(List<TableSpec> tables, ResumePoint resume)
      throws InterruptedException;

  /**
   * Takes up a table that {@link #open} was not told of, or one that stopped. One that lacks rows
   * of commits that were handed over while it was stopped is refused with {@link
   * ErrorCode#NEEDS_SNAPSHOT}: {@link #recreateTable} cures it.
   *
   * @param table the table
   * @return what of it is already published
   * @throws InterruptedException if interrupted
   */
  TableProgress addTable(TableSpec table) throws InterruptedException;

  /**
   * Takes a table out of the pipeline: what is collected for it is dropped, what is delivered for
   * it from now on as well, and it no longer holds confirmations back. What of it stands in the
   * target stays. The table may be open, stopped, or unknown to this session.
   *
   * <p>Rows of it may be missing from now on, so it stays out: {@link #open} and {@link #addTable}
   * answer {@link TableProgress.Stopped} with {@link ErrorCode#NEEDS_SNAPSHOT}, in this session and
   * later ones, until it is re-created ({@link #recreateTable}). Returns when the host has stored
   * that ({@link AgentListener#stateChanged}). Removing it twice is the same as once.
   *
   * @param table the table
   * @throws TableStoppedException if the host cannot store it; within this session the table is out
   * @throws InterruptedException if interrupted; within this session the table is out
   */
  void removeTable(TableId table) throws InterruptedException;

  /**
   * Takes a table out of the target, with all its rows, so that it is loaded anew: the remedy for
   * whatever the target cannot follow. Blocks until the target has dropped it. The table may be
   * open, stopped, removed, or unknown to this session; afterwards it is let go of, and {@link
   * #addTable} finds {@link TableProgress.NothingPublished}.
   *
   * <p>Safe to kill at any time: before anything is deleted, the host has stored that it is to be
   * ({@link AgentListener#stateChanged}), and the next {@link #open} or {@link #addTable} that is
   * told of the table carries it to its end.
   *
   * @param table the table; no snapshot of it may be open
   * @return whether the target held anything of it
   * @throws TableStoppedException if the target does not let it go; what was begun is gone on with
   *     when the table is opened next
   * @throws UnsupportedOperationException if the agent does not offer {@link
   *     AgentAction#RECREATE_TABLE}
   * @throws InterruptedException if interrupted; it is gone on with when the table is opened next
   */
  default boolean recreateTable(TableId table) throws InterruptedException {
    throw new UnsupportedOperationException("This agent cannot re-create table " + table);
  }

  /**
   * Hands every table of this pipeline that stands in the target over to another pipeline, which
   * alone may go on with it. To be called after {@link #open} without tables, while nothing of the
   * pipeline runs. Either every table can be handed over, or none is: a table that is not whole up
   * to a position is named with what to do.
   *
   * <p>Safe to kill at any time: called again, it goes on with the tables that are left.
   *
   * @param to whom
   * @return the tables, those handed over earlier included, in order of their names; empty if none
   *     stands in the target
   * @throws ActionRequiredException if a table cannot be handed over; none was
   * @throws RetryLaterException if the target cannot be reached now
   * @throws TableStoppedException if handing over one of them failed; those before it are handed
   *     over
   * @throws UnsupportedOperationException if the agent does not offer {@link AgentAction#HAND_OVER}
   * @throws InterruptedException if interrupted
   */
  default List<HandedOver> handOver(Successor to) throws InterruptedException {
    throw new UnsupportedOperationException("This agent cannot hand tables over");
  }

  /**
   * Begins a snapshot of a table.
   *
   * @param table a table the agent was told of
   * @param start id and position of the snapshot
   * @return takes the pages
   * @throws TableStoppedException if the table cannot take a snapshot; the message names the
   *     choices
   * @throws InterruptedException if interrupted
   */
  SnapshotWriter beginSnapshot(TableId table, SnapshotStart start) throws InterruptedException;

  /**
   * Says that a table caught up: its changes behind a position are not backlog any more. Called
   * after the end of its snapshot, before or after the commits up to that position are applied.
   * Agents that write changes alike whenever they were captured need not know.
   *
   * @param table a table whose snapshot ended with a backlog
   * @param upTo position of the last commit that is backlog
   */
  default void backlogEnded(TableId table, SourcePosition upTo) {}

  /**
   * Takes commits. Blocks while the agent's memory is spent.
   *
   * @param batch commits after all those taken before, or the next part of the last one; belongs to
   *     the agent afterwards
   * @throws IllegalArgumentException if positions go backwards within this session
   * @throws InterruptedException if interrupted; nothing of the batch was taken
   */
  void apply(CommitBatch batch) throws InterruptedException;

  /**
   * Publishes everything taken so far and returns when it stands in the target and is confirmed, or
   * its table stopped.
   *
   * @throws InterruptedException if interrupted; publishing goes on
   */
  void flush() throws InterruptedException;

  /**
   * Looks how this pipeline's tables stand in the target, without {@link #open}: signs in, reads,
   * and takes nothing over, so that it may be called while another agent of the same pipeline
   * writes. Counts since the opening are 0.
   *
   * @param resume what the host remembers
   * @return one status for each table found, in no particular order; empty if the agent cannot look
   * @throws ActionRequiredException if a person must change something
   * @throws RetryLaterException if the target cannot be reached now
   * @throws InterruptedException if interrupted
   */
  default List<TableStatus> look(ResumePoint resume) throws InterruptedException {
    return List.of();
  }

  /**
   * How the tables stand.
   *
   * @return one status for each table, in no particular order
   */
  List<TableStatus> status();

  /**
   * Ends the agent within 30 seconds: takes nothing more, lets uploads under way end or gives them
   * up, leaves no thread behind. Nothing is confirmed afterwards. Idempotent.
   */
  @Override
  void close();
}
