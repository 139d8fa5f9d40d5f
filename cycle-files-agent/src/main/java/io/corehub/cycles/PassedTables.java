package io.corehub.cycles;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tables that the confirmed position went on without, so that rows of them may be missing in the
 * cycles. Thread-safe.
 */
final class PassedTables {

  private static final String NO_LOADS =
      "A job whose loadType is INCREMENTAL loads no table, so its consumers would never learn of"
          + " the missing rows: choose a new taskTargetDirectory, with loadType COMBINED to have"
          + " the tables loaded.";

  private final boolean combined;
  private final Set<TableId> stopped;
  private final Set<TableId> removed;

  /**
   * What is known at the start.
   *
   * @param kept what the hub kept
   * @param combined whether tables are loaded
   */
  PassedTables(AgentMemory.Passed kept, boolean combined) {
    this.stopped = new TreeSet<>(kept.stopped());
    this.removed = new TreeSet<>(kept.removed());
    this.combined = combined;
  }

  /** The position went on without tables that stopped. */
  synchronized void noteStopped(Collection<TableId> tables) {
    tables.stream().filter(table -> !removed.contains(table)).forEach(stopped::add);
  }

  /** A person took a table out. */
  synchronized void noteRemoved(TableId table) {
    stopped.remove(table);
    removed.add(table);
  }

  /**
   * Nothing is missing any more: the table begins anew.
   *
   * @return whether something was
   */
  synchronized boolean forget(TableId table) {
    boolean lacked = lacks(table);
    stopped.remove(table);
    removed.remove(table);
    return lacked;
  }

  /** Whether rows may be missing. */
  synchronized boolean lacks(TableId table) {
    return stopped.contains(table) || removed.contains(table);
  }

  /** Whether the table stays out whatever stands of it, until it is re-created. */
  synchronized boolean isRemoved(TableId table) {
    return removed.contains(table);
  }

  /** What the hub is to keep. */
  synchronized AgentMemory.Passed memory() {
    return new AgentMemory.Passed(stopped, removed);
  }

  /** Why a table of which rows may be missing does not go on. */
  TableStoppedException refusal(TableId table) {
    return new TableStoppedException(
        table,
        ErrorCode.NEEDS_SNAPSHOT,
        "Table "
            + table
            + ": the others went on without it, so rows of it may be missing in its cycles. "
            + (combined
                ? "Re-create the table, so that it is loaded anew: stop the hub, run its command"
                    + " recreate-table, start it again."
                : NO_LOADS)
            + " Or leave the table out of the configuration.");
  }

  /** Why a table cannot begin anew in a job that loads none. */
  static TableStoppedException notLoaded(TableId table) {
    return new TableStoppedException(
        table,
        ErrorCode.NEEDS_SNAPSHOT,
        "Table "
            + table
            + " has rows in cycles of a job whose loadType is INCREMENTAL, so it cannot be"
            + " re-created. "
            + NO_LOADS);
  }
}
