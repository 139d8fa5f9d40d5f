package io.corehub.agent.table;

import java.util.Objects;
import java.util.Optional;

/**
 * A column of a table. Immutable.
 *
 * @param name as the source spells it; any text but the empty one
 * @param type logical type
 * @param nullable whether the source allows NULL
 * @param targetType the type a user asked for in the target; empty for the type's default
 */
public record Column(
    String name, ColumnType type, boolean nullable, Optional<TargetType> targetType) {

  /** Checks the parts. */
  public Column {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(targetType, "targetType");
    if (name.isEmpty()) {
      throw new IllegalArgumentException("A column needs a name.");
    }
  }

  /**
   * A nullable column of the default target type.
   *
   * @param name name
   * @param type type
   * @return the column
   */
  public static Column of(String name, ColumnType type) {
    return new Column(name, type, true, Optional.empty());
  }

  /**
   * The same column with another type in the target.
   *
   * @param target the type asked for
   * @return the column
   */
  public Column as(TargetType target) {
    return new Column(name, type, nullable, Optional.of(target));
  }
}
