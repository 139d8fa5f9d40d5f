package io.corehub.verify;

import java.util.Locale;

/**
 * A table as its folder names it. Immutable.
 *
 * @param schema empty when the folder lies at the root of the landing zone
 * @param table name of the table
 */
record TableName(String schema, String table) {

  /** As change-stream files write it: dots and backslashes inside a name are escaped. */
  String text() {
    return schema.isEmpty() ? escape(table) : escape(schema) + "." + escape(table);
  }

  /** Equal for two names that differ only by case. */
  TableName ignoringCase() {
    return new TableName(fold(schema), fold(table));
  }

  static String fold(String name) {
    return name.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  private static String escape(String name) {
    return name.replace("\\", "\\\\").replace(".", "\\.");
  }
}
