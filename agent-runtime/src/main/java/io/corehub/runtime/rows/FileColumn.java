package io.corehub.runtime.rows;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType.Storage;
import io.corehub.agent.table.TableSchema;
import io.corehub.parquet.ParquetType;

/**
 * A column of a table as its files hold it. Immutable.
 *
 * @param name as the source spells it
 * @param type its type in the files
 * @param rule turns the table's values into the files'
 */
public record FileColumn(String name, ParquetType type, CellRule rule) {

  /**
   * A column of a table.
   *
   * @param table the table
   * @param column one of its columns
   * @param rules how types without a counterpart are written
   * @return the column of the files
   * @throws TableStoppedException if it cannot be written, with what to change
   */
  public static FileColumn of(TableSchema table, Column column, TypeRules rules) {
    ParquetType type;
    try {
      type = FileTypes.of(column, rules);
    } catch (FileTypes.RefusedTypeException e) {
      throw new TableStoppedException(
          table.table(),
          ErrorCode.TYPE_REFUSED,
          "Table " + table.table() + ": " + e.getMessage(),
          e);
    }
    return as(table, column, type, rules);
  }

  /**
   * A column of a table with a type that its values can be written as.
   *
   * @param table the table
   * @param column one of its columns
   * @param type its type in the files
   * @param rules how values without a counterpart are written
   * @return the column of the files
   */
  public static FileColumn as(TableSchema table, Column column, ParquetType type, TypeRules rules) {
    boolean key = table.keyColumns().contains(column.name());
    return new FileColumn(
        column.name(),
        type,
        CellRule.of(column, type, new CellRule.Unfit(rules.unrepresentable(), key)));
  }

  /**
   * How vectors hold values of a type of the files.
   *
   * @param type the type
   * @return the storage
   */
  public static Storage storage(ParquetType type) {
    return switch (type.kind()) {
      case BOOLEAN -> Storage.BOOLEAN;
      case INT32, DATE -> Storage.INT;
      case INT64, TIME_MICROS, TIME_MICROS_UTC, TIMESTAMP_MICROS, TIMESTAMP_MICROS_UTC ->
          Storage.LONG;
      case FLOAT -> Storage.FLOAT;
      case DOUBLE -> Storage.DOUBLE;
      case STRING, BINARY, DECIMAL -> Storage.BYTES;
    };
  }
}
