package io.corehub.agent;

import io.corehub.agent.table.TableId;

/**
 * The hub cannot read this table's changes from here on, for example because a value does not fit
 * its column. The agent stops the table at this commit for the given reason; the hub sends no more
 * of it.
 *
 * @param table the table
 * @param commitIndex index of the commit in {@link CommitBatch#commits()}
 * @param reason what a person must change
 */
public record TableUnreadable(TableId table, int commitIndex, TableStoppedException reason)
    implements TableEvent {}
