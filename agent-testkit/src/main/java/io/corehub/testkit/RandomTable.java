package io.corehub.testkit;

import io.corehub.agent.table.TableSchema;
import java.util.List;

/**
 * A table made from a seed. Immutable.
 *
 * @param schema its schema
 * @param rows the rows it begins with
 */
public record RandomTable(TableSchema schema, List<SourceRow> rows) {

  /** Copies the rows. */
  public RandomTable {
    rows = List.copyOf(rows);
  }
}
