package io.corehub.hub.config;

import io.corehub.agent.table.TableId;
import java.util.Optional;

/**
 * Names one table or many: {@code sales.Orders}, {@code sales.*}, {@code *}. A star stands for any
 * run of letters inside one part; a pattern of one part names tables without schema, except for
 * {@code *} alone, which names every table. Immutable.
 */
public final class TablePattern {

  private final String text;
  private final TableId parts;

  private TablePattern(String text, TableId parts) {
    this.text = text;
    this.parts = parts;
  }

  /**
   * Reads a pattern.
   *
   * @param text table name, stars allowed
   * @return the pattern
   * @throws IllegalArgumentException if it is not a table name
   */
  public static TablePattern parse(String text) {
    return new TablePattern(text, TableId.parse(text));
  }

  /**
   * Whether the pattern names a single table.
   *
   * @return true if there is no star
   */
  public boolean exact() {
    return text.indexOf('*') < 0;
  }

  /**
   * Whether the pattern names a table.
   *
   * @param table the table
   * @return true if it does
   */
  public boolean matches(TableId table) {
    if (text.equals("*")) {
      return true;
    }
    Optional<String> schema = parts.schema();
    if (schema.isPresent() != table.schema().isPresent()) {
      return false;
    }
    return glob(schema.orElse(""), table.schema().orElse("")) && glob(parts.name(), table.name());
  }

  /** Greedy match with one point of return: linear in practice, never exponential. */
  private static boolean glob(String pattern, String name) {
    int p = 0;
    int n = 0;
    int star = -1;
    int starName = 0;
    while (n < name.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        starName = n;
      } else if (p < pattern.length() && pattern.charAt(p) == name.charAt(n)) {
        p++;
        n++;
      } else if (star >= 0) {
        p = star + 1;
        n = ++starName;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  @Override
  public String toString() {
    return text;
  }
}
