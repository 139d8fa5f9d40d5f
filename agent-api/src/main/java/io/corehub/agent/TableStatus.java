package io.corehub.agent;

import io.corehub.agent.table.TableId;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * How one table stands. Immutable.
 *
 * @param table the table
 * @param state what it is doing
 * @param diverged whether skipped operations (a truncate, a delete without key) make the target
 *     differ from the source until the table is loaded anew
 * @param lastFile name of the file last published; empty if there is none
 * @param lastPosition position of the last commit published whole; empty if there is none
 * @param oldestUnconfirmed when the oldest change was taken that is not yet published, or from when
 *     on a stopped table has held the confirmed position; empty if there is neither
 * @param filesQueued sealed files that are not yet published
 * @param filesPublished files published since the agent was opened
 * @param rowsPublished rows in them
 * @param bytesPublished bytes of them
 * @param problem why the table is STOPPED or DEGRADED, with advice
 * @param target what the target itself says of the table; empty if the agent does not ask it, or
 *     has not yet
 */
public record TableStatus(
    TableId table,
    State state,
    boolean diverged,
    Optional<String> lastFile,
    Optional<SourcePosition> lastPosition,
    Optional<Instant> oldestUnconfirmed,
    int filesQueued,
    long filesPublished,
    long rowsPublished,
    long bytesPublished,
    Optional<String> problem,
    Optional<TargetReport> target) {

  /** What a table is doing. */
  public enum State {
    /** Known, nothing written yet. */
    WAITING,
    /** Its snapshot is being written. */
    SNAPSHOT,
    /** Its changes are being written. */
    CHANGES,
    /** The target does not take its files at the moment; the agent keeps trying. */
    DEGRADED,
    /** Stopped until a person acts. */
    STOPPED
  }

  /** Checks the parts. */
  public TableStatus {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(state, "state");
  }

  /**
   * The same table with another report of the target.
   *
   * @param report what the target says
   * @return a new status
   */
  public TableStatus withTarget(Optional<TargetReport> report) {
    return new TableStatus(
        table,
        state,
        diverged,
        lastFile,
        lastPosition,
        oldestUnconfirmed,
        filesQueued,
        filesPublished,
        rowsPublished,
        bytesPublished,
        problem,
        report);
  }
}
