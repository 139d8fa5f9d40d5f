package io.corehub.fabric.mirroring;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.TargetType;
import io.corehub.parquet.ParquetType;

/**
 * Turns the values of one column into those of the files. A value either goes over exactly, or is
 * treated as the agent's policy says, or is refused; none is changed quietly. Thread-safe.
 */
interface CellRule {

  /** Told of each value that was replaced by policy. */
  interface Replacements {
    /** One more value. */
    void count();
  }

  /**
   * Turns a run of rows.
   *
   * @param in values of the column
   * @param from first row
   * @param to row behind the last
   * @param replacements told of values replaced by policy
   * @return values with the same row indexes; what lies outside the run is unspecified
   * @throws RefusedValueException if a value of the run cannot be written
   */
  ColumnVector apply(ColumnVector in, int from, int to, Replacements replacements);

  /** Whether values of a type can be written to a file's column of another, each exactly or not. */
  static boolean converts(ColumnType from, ParquetType to) {
    return switch (to.kind()) {
      case INT32, INT64 ->
          switch (from.kind()) {
            case SHORT, INT, LONG, BOOLEAN, BIG_DECIMAL -> true;
            default -> false;
          };
      case FLOAT, DOUBLE, DECIMAL ->
          switch (from.kind()) {
            case SHORT, INT, LONG, FLOAT, DOUBLE, BIG_DECIMAL -> true;
            default -> false;
          };
      case BOOLEAN -> from.kind() == Kind.BOOLEAN;
      case STRING -> from.kind() != Kind.BYTE_ARRAY;
      case BINARY -> from.kind() == Kind.BYTE_ARRAY || from.kind() == Kind.STRING;
      case DATE -> from.kind() == Kind.LOCAL_DATE;
      case TIME_MICROS -> from.kind() == Kind.LOCAL_TIME || from.kind() == Kind.OFFSET_TIME;
      case TIME_MICROS_UTC -> from.kind() == Kind.OFFSET_TIME;
      case TIMESTAMP_MICROS ->
          from.kind() == Kind.LOCAL_DATE_TIME
              || from.kind() == Kind.OFFSET_DATE_TIME
              || from.kind() == Kind.LOCAL_DATE;
      case TIMESTAMP_MICROS_UTC ->
          from.kind() == Kind.LOCAL_DATE_TIME || from.kind() == Kind.OFFSET_DATE_TIME;
    };
  }

  /** The rule from a column to its type in the files; {@link #converts} holds. */
  static CellRule of(Column column, ParquetType type, TypeRules.Unrepresentable policy) {
    ColumnType from = column.type();
    boolean narrow =
        column.targetType().map(t -> t.kind() == TargetType.Kind.SMALLINT).orElse(false);
    CellRule checked = rangeOf(column, policy);
    CellRule converted =
        switch (type.kind()) {
          case INT32, INT64 -> integers(column, type, narrow);
          case FLOAT -> from.kind() == Kind.FLOAT ? UNCHANGED : new NumberRule.ToFloat(column);
          case DOUBLE -> from.kind() == Kind.DOUBLE ? UNCHANGED : new NumberRule.ToDouble(column);
          case DECIMAL ->
              from.kind() == Kind.BIG_DECIMAL
                      && from.precision() == type.precision()
                      && from.scale() == type.scale()
                  ? UNCHANGED
                  : new NumberRule.ToDecimal(column, type);
          case STRING ->
              switch (from.kind()) {
                case STRING, ARRAY, MAP -> UNCHANGED;
                default -> new TextRule(from);
              };
          case TIMESTAMP_MICROS ->
              from.kind() == Kind.LOCAL_DATE ? RangeRule::midnights : UNCHANGED;
          case BOOLEAN, BINARY, DATE, TIME_MICROS, TIME_MICROS_UTC, TIMESTAMP_MICROS_UTC ->
              UNCHANGED;
        };
    if (checked == UNCHANGED) {
      return converted;
    }
    if (converted == UNCHANGED) {
      return checked;
    }
    return (in, begin, end, replaced) ->
        converted.apply(checked.apply(in, begin, end, replaced), begin, end, replaced);
  }

  /** Hands the vector over as it is. */
  CellRule UNCHANGED = (in, from, to, replacements) -> in;

  private static CellRule integers(Column column, ParquetType type, boolean narrow) {
    boolean same =
        switch (column.type().kind()) {
          case SHORT -> type.kind() == ParquetType.Kind.INT32;
          case INT -> type.kind() == ParquetType.Kind.INT32 && !narrow;
          case LONG -> type.kind() == ParquetType.Kind.INT64;
          default -> false;
        };
    if (same) {
      return UNCHANGED;
    }
    return type.kind() == ParquetType.Kind.INT64
        ? new NumberRule.ToLong(column)
        : new NumberRule.ToInt(column, narrow);
  }

  private static CellRule rangeOf(Column column, TypeRules.Unrepresentable policy) {
    return switch (column.type().kind()) {
      case STRING, ARRAY, MAP -> new Utf8Rule(column, policy);
      case LOCAL_DATE, LOCAL_TIME, OFFSET_TIME, LOCAL_DATE_TIME, OFFSET_DATE_TIME ->
          new RangeRule(column, policy);
      case SHORT, INT, LONG, FLOAT, DOUBLE, BIG_DECIMAL, BOOLEAN, BYTE_ARRAY -> UNCHANGED;
    };
  }
}
