package io.corehub.runtime.rows;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TargetType;
import io.corehub.parquet.ParquetType;
import io.corehub.runtime.text.Text;

/** Which type a column has in the files. Pure. */
public final class FileTypes {

  private FileTypes() {}

  /**
   * The type of a column in the files.
   *
   * @throws RefusedTypeException if the column cannot be written, with what to change
   */
  public static ParquetType of(Column column, TypeRules rules) {
    ParquetType type =
        column
            .targetType()
            .map(target -> asked(column, target))
            .orElseGet(() -> usual(column, rules));
    if (!CellRule.converts(column.type(), type)) {
      throw new RefusedTypeException(
          "Column '"
              + Text.shown(column.name())
              + "' of type "
              + column.type()
              + " cannot be written as "
              + column.targetType().map(TargetType::toString).orElse(type.toString())
              + ". Choose another target type, such as string, or none.");
    }
    return type;
  }

  private static ParquetType usual(Column column, TypeRules rules) {
    ColumnType type = column.type();
    return switch (type.kind()) {
      case SHORT, INT -> ParquetType.INT32;
      case LONG -> ParquetType.INT64;
      case FLOAT -> ParquetType.FLOAT;
      case DOUBLE -> ParquetType.DOUBLE;
      case BIG_DECIMAL -> decimal(column);
      case BOOLEAN -> ParquetType.BOOLEAN;
      case STRING, ARRAY, MAP -> ParquetType.STRING;
      case BYTE_ARRAY -> ParquetType.BINARY;
      case LOCAL_DATE -> ParquetType.DATE;
      case LOCAL_TIME -> rules.timeAsText() ? ParquetType.STRING : ParquetType.TIME_MICROS;
      case OFFSET_TIME -> rules.timeAsText() ? ParquetType.STRING : ParquetType.TIME_MICROS_UTC;
      case LOCAL_DATE_TIME ->
          switch (rules.localTimestamp()) {
            case LOCAL -> ParquetType.TIMESTAMP_MICROS;
            case UTC -> ParquetType.TIMESTAMP_MICROS_UTC;
            case TEXT -> ParquetType.STRING;
          };
      case OFFSET_DATE_TIME -> ParquetType.TIMESTAMP_MICROS_UTC;
    };
  }

  private static ParquetType decimal(Column column) {
    ColumnType type = column.type();
    if (type.decimalWithoutPrecision() || type.precision() > ParquetType.MAX_DECIMAL_PRECISION) {
      throw new RefusedTypeException(
          "Column '"
              + Text.shown(column.name())
              + "' is a "
              + (type.decimalWithoutPrecision() ? "BIG_DECIMAL without precision" : type)
              + ", and a decimal in the files has 1 to 38 digits. Give the column the target type"
              + " bigdecimal(p,s) with p up to 38, or string.");
    }
    return ParquetType.decimal(type.precision(), type.scale());
  }

  private static ParquetType asked(Column column, TargetType target) {
    return switch (target.kind()) {
      case SMALLINT, INT -> ParquetType.INT32;
      case LONG -> ParquetType.INT64;
      case FLOAT -> ParquetType.FLOAT;
      case DOUBLE -> ParquetType.DOUBLE;
      case BIGDECIMAL -> askedDecimal(column, target);
      case BOOLEAN -> ParquetType.BOOLEAN;
      case STRING -> ParquetType.STRING;
      case BINARY -> ParquetType.BINARY;
      case DATE -> ParquetType.DATE;
      case TIME -> ParquetType.TIME_MICROS;
      case OFFSET_TIME -> ParquetType.TIME_MICROS_UTC;
      case DATETIME -> ParquetType.TIMESTAMP_MICROS;
      case OFFSET_DATE_TIME, TIMESTAMP -> ParquetType.TIMESTAMP_MICROS_UTC;
    };
  }

  private static ParquetType askedDecimal(Column column, TargetType target) {
    if (target.precision() > ParquetType.MAX_DECIMAL_PRECISION) {
      throw new RefusedTypeException(
          "Column '"
              + Text.shown(column.name())
              + "' has the target type "
              + target
              + ", and a decimal in the files has at most 38 digits. Use fewer, or string.");
    }
    return ParquetType.decimal(target.precision(), target.scale());
  }

  /** A column cannot be written with the type it has; the message says what to change. */
  public static final class RefusedTypeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedTypeException(String message) {
      super(message);
    }
  }
}
