package io.corehub.hub.source;

import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableSchema;

/** The pipeline's answer to a declared table. Thread-safe; the answers may change while it runs. */
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
   */
  boolean wanted();

  /**
   * Whether a snapshot of this table may be of use.
   *
   * @return false if the table is not wanted, or the target takes changes alone
   */
  default boolean wantsSnapshot() {
    return wanted();
  }

  /**
   * Whether this table's changes of a commit are of use.
   *
   * @param position position of the commit
   * @return false if the table is not wanted, or if the target's snapshot or files already hold
   *     this commit; the commit itself must be handed over all the same
   */
  boolean wants(SourcePosition position);
}
