package io.corehub.agent;

import io.corehub.agent.table.TableId;

/**
 * What happened to one table within a {@link CommitBatch}. Events of one table apply in list order;
 * between tables only the commits are ordered.
 */
public sealed interface TableEvent permits RowChanges, TableTruncated, TableUnreadable {

  /**
   * The table.
   *
   * @return its identity
   */
  TableId table();
}
