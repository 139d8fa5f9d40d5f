package io.corehub.lineage.naming;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A table as SQL names it in Fabric: item, schema and table. Immutable. */
final class SqlName {

  private final String item;
  private final String schema;
  private final String table;

  private SqlName(String item, String schema, String table) {
    this.item = item;
    this.schema = schema;
    this.table = table;
  }

  /** Reads {@code item.schema.table}; a part may stand in brackets, double quotes or backticks. */
  static Optional<SqlName> parse(String text) {
    return parse(text, Optional.empty());
  }

  /** The same, where the item may be left out because the connection names it. */
  static Optional<SqlName> parse(String text, Optional<String> item) {
    List<String> parts = parts(text.strip());
    if (parts.size() == 2 && item.isPresent()) {
      parts.add(0, item.get());
    }
    return parts.size() == 3 && !parts.contains("")
        ? Optional.of(new SqlName(parts.get(0), parts.get(1), parts.get(2)))
        : Optional.empty();
  }

  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    char closing = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (closing != 0) {
        boolean doubled = c == closing && i + 1 < text.length() && text.charAt(i + 1) == closing;
        if (c != closing || doubled) {
          part.append(c);
          i += doubled ? 1 : 0;
        } else {
          closing = 0;
        }
      } else if (part.length() == 0 && (c == '[' || c == '"' || c == '`')) {
        closing = c == '[' ? ']' : c;
      } else if (c == '.') {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    parts.add(part.toString());
    return parts;
  }

  String item() {
    return item;
  }

  String schema() {
    return schema;
  }

  String table() {
    return table;
  }
}
