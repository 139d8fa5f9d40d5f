package io.corehub.agent;

import io.corehub.agent.table.TableId;
import java.util.Objects;

/**
 * A table that another pipeline goes on with. Immutable.
 *
 * @param table the table
 * @param begin the first commit that pipeline delivers; its token is empty
 * @param earlier whether it was handed over before already
 */
public record HandedOver(TableId table, SourcePosition begin, boolean earlier) {

  /** Checks the parts. */
  public HandedOver {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(begin, "begin");
  }
}
