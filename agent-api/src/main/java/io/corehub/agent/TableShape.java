package io.corehub.agent;

import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How a table's rows are written: columns at both ends, and the place. Immutable.
 *
 * @param source the table as the host delivers it
 * @param location URL of the folder its files are published in, with scheme {@code https}, {@code
 *     abfss} or {@code file}
 * @param columns columns a reader of the target finds, in their order; the agent's own, such as a
 *     row marker, are left out
 */
public record TableShape(TableSchema source, String location, List<TargetColumn> columns) {

  /** Checks the parts. */
  public TableShape {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(location, "location");
    columns = List.copyOf(columns);
  }

  /**
   * A column of the target.
   *
   * @param name its name there
   * @param type its type there, in the target's own words
   * @param source name of the source's column whose values it holds; empty if the source has none
   *     any more
   */
  public record TargetColumn(String name, String type, Optional<String> source) {

    /** Checks the parts. */
    public TargetColumn {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(type, "type");
      Objects.requireNonNull(source, "source");
    }
  }

  /**
   * The table.
   *
   * @return its identity
   */
  public TableId table() {
    return source.table();
  }
}
