package io.corehub.agent;

import io.corehub.agent.table.TableId;

/**
 * All rows of a table were removed at once.
 *
 * @param table the table
 * @param commitIndex index of the commit in {@link CommitBatch#commits()}
 */
public record TableTruncated(TableId table, int commitIndex) implements TableEvent {}
