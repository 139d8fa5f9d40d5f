package io.corehub.hub.source;

import io.corehub.agent.table.TableId;
import java.util.List;

/**
 * A table of a source as far as a check asks. Immutable.
 *
 * @param table the table
 * @param columns names of its columns, in their order
 * @param key those of its primary key; empty for a table without
 */
public record TableOutline(TableId table, List<String> columns, List<String> key) {
  /** Takes copies. */
  public TableOutline {
    columns = List.copyOf(columns);
    key = List.copyOf(key);
  }
}
