package io.corehub.cycles;

import io.corehub.agent.table.Column;
import io.corehub.parquet.ParquetType;
import io.corehub.runtime.rows.FileColumn;
import io.corehub.runtime.text.Text;
import java.util.Optional;

/**
 * A column of data files. Immutable.
 *
 * @param name its name in the files
 * @param type its type in the files
 * @param role what it holds
 * @param source the table's column behind it; empty for metadata
 */
record ShapeColumn(String name, ParquetType type, Role role, Optional<Column> source) {

  /** What a column holds. */
  enum Role {
    /** I, U, D, T, X or Y. */
    OPERATION_TYPE,
    /** Where the row stands. */
    SORTABLE_SEQUENCE,
    /** When its transaction was committed. */
    OPERATION_TIME,
    /** Who committed it. */
    OPERATION_OWNER,
    /** The source's name of the transaction. */
    TRANSACTION_ID,
    /** The value of a column of the table. */
    DATA,
    /** The value before the update. */
    OLD_VALUE
  }

  static ShapeColumn metadata(String name, Role role) {
    return new ShapeColumn(name, ParquetType.STRING, role, Optional.empty());
  }

  static ShapeColumn data(FileColumn column, Column source) {
    return new ShapeColumn(column.name(), column.type(), Role.DATA, Optional.of(source));
  }

  static ShapeColumn old(FileColumn column, Column source, String suffix) {
    return new ShapeColumn(
        column.name() + suffix, column.type(), Role.OLD_VALUE, Optional.of(source));
  }

  /** The column in a message. */
  String described() {
    String quoted = "'" + Text.shown(name) + "'";
    return switch (role) {
      case DATA -> "column " + quoted;
      case OLD_VALUE ->
          quoted + ", the old value of '" + Text.shown(source.map(Column::name).orElse("")) + "',";
      case OPERATION_TYPE, SORTABLE_SEQUENCE, OPERATION_TIME, OPERATION_OWNER, TRANSACTION_ID ->
          "the metadata column " + quoted;
    };
  }

  /** Everything about it that tells one shape from another, on one line. */
  String fingerprint() {
    return role
        + " "
        + type
        + " "
        + source.map(c -> c.type().toString()).orElse("")
        + " "
        + name.replace("\\", "\\\\").replace("\n", "\\n");
  }
}
