package io.corehub.lineage;

import io.corehub.agent.TableShape;
import io.corehub.agent.table.TableId;
import java.util.Optional;

/**
 * What events say of a table. Immutable.
 *
 * @param table the table
 * @param shape its columns and place; empty if the agent has not told them
 * @param timeline name of the source's history; empty if no position is known
 */
record TableFacts(TableId table, Optional<TableShape> shape, String timeline) {}
