package io.corehub.parquet;

/**
 * A column of a file. Every column is OPTIONAL. Immutable.
 *
 * @param name name, not empty
 * @param type type
 */
public record ParquetColumn(String name, ParquetType type) {

  /** Checks the name. */
  public ParquetColumn {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("A Parquet column needs a name");
    }
  }
}
