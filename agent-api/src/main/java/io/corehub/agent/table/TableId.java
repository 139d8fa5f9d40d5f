package io.corehub.agent.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A table of the source. Immutable.
 *
 * <p>The text form is {@code schema.name}, or {@code name} for a table without schema; a dot inside
 * either part is written {@code \.} and a backslash {@code \\}. {@link #toString()} and {@link
 * #parse(String)} are inverse.
 *
 * @param schema schema of the table; empty when the source knows none
 * @param name name of the table, as the source spells it
 */
public record TableId(Optional<String> schema, String name) implements Comparable<TableId> {

  private static final Comparator<TableId> ORDER =
      Comparator.comparing((TableId id) -> id.schema.orElse("")).thenComparing(TableId::name);

  /** Checks the parts. */
  public TableId {
    Objects.requireNonNull(schema, "schema");
    if (name.isEmpty()) {
      throw new IllegalArgumentException("A table needs a name.");
    }
    if (schema.isPresent() && schema.get().isEmpty()) {
      throw new IllegalArgumentException(
          "The schema of table '" + name + "' is empty; leave it out for a table without schema.");
    }
  }

  /**
   * A table in a schema.
   *
   * @param schema schema
   * @param name name
   * @return the table
   */
  public static TableId of(String schema, String name) {
    return new TableId(Optional.of(schema), name);
  }

  /**
   * A table without schema.
   *
   * @param name name
   * @return the table
   */
  public static TableId of(String name) {
    return new TableId(Optional.empty(), name);
  }

  /**
   * Reads the text form.
   *
   * @param text {@code name} or {@code schema.name}, with {@code \.} and {@code \\} as escapes
   * @return the table
   * @throws IllegalArgumentException if the text has more than one unescaped dot, an empty part or
   *     an unknown escape
   */
  public static TableId parse(String text) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
        char escaped = i < text.length() ? text.charAt(i) : '\0';
        if (escaped != '.' && escaped != '\\') {
          throw new IllegalArgumentException(
              "Table name '" + text + "': a backslash must be followed by a dot or a backslash.");
        }
        part.append(escaped);
      } else if (c == '.') {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    parts.add(part.toString());
    if (parts.size() > 2) {
      throw new IllegalArgumentException(
          "Table name '"
              + text
              + "' has more than two parts; write a dot that belongs to a name as '\\.'.");
    }
    if (parts.contains("")) {
      throw new IllegalArgumentException(
          "Table name '" + text + "' has an empty part; write 'schema.name' or 'name'.");
    }
    return parts.size() == 1 ? of(parts.get(0)) : of(parts.get(0), parts.get(1));
  }

  @Override
  public int compareTo(TableId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return schema.map(s -> escape(s) + "." + escape(name)).orElseGet(() -> escape(name));
  }

  private static String escape(String part) {
    return part.replace("\\", "\\\\").replace(".", "\\.");
  }
}
