package io.corehub.parquet;

/**
 * A column of a file. Immutable.
 *
 * @param name name, not empty
 * @param type type
 * @param required whether no row may be NULL; such a column is REQUIRED in the file, every other
 *     one is OPTIONAL
 */
public record ParquetColumn(String name, ParquetType type, boolean required) {

  /** Checks the name. */
  public ParquetColumn {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("A Parquet column needs a name");
    }
  }

  /**
   * A column that may hold NULLs.
   *
   * @param name name, not empty
   * @param type type
   */
  public ParquetColumn(String name, ParquetType type) {
    this(name, type, false);
  }
}
