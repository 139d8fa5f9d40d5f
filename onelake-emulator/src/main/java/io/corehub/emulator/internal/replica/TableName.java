package io.corehub.emulator.internal.replica;

/**
 * A table as its folder names it. Immutable.
 *
 * @param schema empty when the folder lies at the root of the landing zone
 */
public record TableName(String schema, String table) {

  /** As change-stream files write it: dots and backslashes inside a name are escaped. */
  public String text() {
    return schema.isEmpty() ? escape(table) : escape(schema) + "." + escape(table);
  }

  private static String escape(String name) {
    return name.replace("\\", "\\\\").replace(".", "\\.");
  }
}
