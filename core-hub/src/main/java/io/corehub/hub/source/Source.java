package io.corehub.hub.source;

import io.corehub.agent.Finding;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import java.util.List;
import java.util.Optional;

/**
 * Reads snapshots and commits and hands them to a {@link SourceSink}.
 *
 * <p>Life cycle:
 *
 * <ol>
 *   <li>{@link SourceProvider#create} makes it; {@link #check()} and {@link #version()} may be
 *       called at once.
 *   <li>{@link #run} hands over everything behind the confirmed position; it returns when a finite
 *       source ended, or after {@link #stop()}.
 *   <li>{@link #confirmed} may come during {@code run} and after it, until {@link #close()}.
 * </ol>
 *
 * <p>Threads: {@code run} is called once, by one thread, and calls the sink from one thread at a
 * time; everything else may be called by any thread.
 */
public interface Source extends AutoCloseable {

  /**
   * Whether the source has an end.
   *
   * @return true if {@link #run} returns by itself
   */
  boolean finite();

  /**
   * What stands in the partner information beside the type. Asked once, before {@link #run}; may
   * connect to the source.
   *
   * @return version of the database; empty if there is none
   * @throws SourceException if the source cannot be asked, for a reason that would keep {@code run}
   *     from working too
   */
  default String version() {
    return "";
  }

  /**
   * Looks whether the source can be read. Changes nothing.
   *
   * @return one finding for each thing looked at; at least one
   * @throws InterruptedException if interrupted
   */
  List<Finding> check() throws InterruptedException;

  /**
   * The tables the source has, selected or not, as far as that can be told at once. Asked after a
   * check without errors.
   *
   * @return all tables, one that changes its shape once for each shape; empty if they are not known
   *     before {@link #run} has read them
   * @throws SourceException if the source cannot be asked
   */
  default Optional<List<TableOutline>> tables() {
    return Optional.empty();
  }

  /**
   * Whether the source's own settings let it read a table that the pipeline selects. Asked before
   * {@link #run}.
   *
   * @param table a table that the target holds
   * @return false if its changes are left out
   */
  default boolean reads(TableId table) {
    return true;
  }

  /**
   * Reads until the end or until stopped. Whatever was read whole before a failure has been handed
   * to the sink when the failure is thrown. An interruption means stop.
   *
   * @param sink takes what is read
   * @throws SourceException if a person must change something
   * @throws InterruptedException if interrupted
   */
  void run(SourceSink sink) throws InterruptedException;

  /**
   * Hands over what the selected tables hold now, as snapshots with or without commits, and leaves
   * no trace in the source. In place of {@link #run}, under its rules.
   *
   * @param sink takes what is read
   * @throws SourceException if a person must change something
   * @throws InterruptedException if interrupted
   */
  void contents(SourceSink sink) throws InterruptedException;

  /**
   * Everything up to a position stands in the target and in the hub's state: the source may let go
   * of it. Returns quickly; positions never go backwards, steps may be skipped.
   *
   * @param upTo a position this source handed over, with its token
   */
  void confirmed(SourcePosition upTo);

  /** Asks {@link #run} to return soon. Returns at once. Idempotent. */
  void stop();

  /**
   * Lets go of connections and private files, within 10 seconds. Called after {@link #run} returned
   * or was given up. Idempotent.
   */
  @Override
  void close();
}
