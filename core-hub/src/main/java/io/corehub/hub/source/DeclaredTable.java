package io.corehub.hub.source;

import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableSchema;

/**
 * The pipeline's answer to a declared table. Thread-safe; the answers may change while it runs.
 *
 * <p>The target may still be looking at the table when it is declared, so that many tables are
 * looked at together: {@link #schema()} is known at once, the other answers wait for that look.
 */
public interface DeclaredTable {

  /**
   * The shape rows of this table must have from here on: the declared one, less the columns that
   * the configuration leaves out.
   *
   * @return the same instance until the table is declared again
   */
  TableSchema schema();

  /**
   * Whether anything of this table is of use.
   *
   * @return false if the configuration leaves it out or it stopped: the source need not read its
   *     rows
   * @throws InterruptedException if interrupted, or the pipeline ends
   */
  boolean wanted() throws InterruptedException;

  /**
   * Whether a snapshot of this table may be of use.
   *
   * @return false if the table is not wanted, or the target takes changes alone
   * @throws InterruptedException if interrupted, or the pipeline ends
   */
  default boolean wantsSnapshot() throws InterruptedException {
    return wanted();
  }

  /**
   * Whether this table's changes of a commit are of use.
   *
   * @param position position of the commit
   * @return false if the table is not wanted, or if the target's snapshot or files already hold
   *     this commit; the commit itself must be handed over all the same
   * @throws InterruptedException if interrupted, or the pipeline ends
   */
  boolean wants(SourcePosition position) throws InterruptedException;
}
