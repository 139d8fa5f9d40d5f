package io.corehub.runtime.rows;

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
public interface CellRule {

  /**
   * What becomes of values that cannot be held.
   *
   * @param policy the agent's policy
   * @param key whether the column is part of a key: then none is replaced, because two rows could
   *     become one
   */
  record Unfit(TypeRules.Unrepresentable policy, boolean key) {

    /** Whether such a value stops its table. */
    boolean stops() {
      return key || policy == TypeRules.Unrepresentable.STOP;
    }

    /** Whether NULL is written. */
    boolean nulls() {
      return !key && policy == TypeRules.Unrepresentable.NULL;
    }

    /** What the user can do about a value that stops its table. */
    String advice() {
      return key
          ? "Correct it in the source; a value of a key is never replaced."
          : "Correct it in the source, or set unrepresentableValues to null or replace.";
    }
  }

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
  static CellRule of(Column column, ParquetType type, Unfit unfit) {
    ColumnType from = column.type();
    boolean narrow =
        column.targetType().map(t -> t.kind() == TargetType.Kind.SMALLINT).orElse(false);
    CellRule checked = checked(column, type, unfit);
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
    return inOrder(checked, converted);
  }

  private static CellRule inOrder(CellRule first, CellRule second) {
    if (first == UNCHANGED) {
      return second;
    }
    return second == UNCHANGED
        ? first
        : (in, from, to, replaced) ->
            second.apply(first.apply(in, from, to, replaced), from, to, replaced);
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

  private static CellRule checked(Column column, ParquetType type, Unfit unfit) {
    boolean text = type.kind() == ParquetType.Kind.STRING;
    return switch (column.type().kind()) {
      case STRING -> new Utf8Rule(column, unfit);
      case ARRAY, MAP -> inOrder(new JsonDepthRule(column), new Utf8Rule(column, unfit));
      case LOCAL_DATE, LOCAL_DATE_TIME -> text ? UNCHANGED : new RangeRule(column, text, unfit);
      case LOCAL_TIME, OFFSET_TIME, OFFSET_DATE_TIME -> new RangeRule(column, text, unfit);
      case SHORT, INT, LONG, FLOAT, DOUBLE, BIG_DECIMAL, BOOLEAN, BYTE_ARRAY -> UNCHANGED;
    };
  }
}
