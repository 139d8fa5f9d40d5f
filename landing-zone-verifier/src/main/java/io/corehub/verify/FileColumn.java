package io.corehub.verify;

import java.util.Optional;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * A column of a file, as a Delta table would take it. Immutable.
 *
 * @param name its name
 * @param type its type as Delta knows it, or as Parquet writes it if Delta does not; two columns
 *     with equal texts have the same type
 * @param nullable whether it may be NULL
 * @param decimal whether it is a decimal
 * @param broken the rule that its type breaks
 */
record FileColumn(
    String name, String type, boolean nullable, boolean decimal, Optional<Rule> broken) {

  private static final int MAX_DECIMAL_DIGITS = 38;

  private record Judged(String type, Optional<Rule> broken) {
    static Judged good(String type) {
      return new Judged(type, Optional.empty());
    }

    static Judged bad(String type, Rule rule) {
      return new Judged(type, Optional.of(rule));
    }
  }

  static FileColumn of(Type field) {
    boolean nullable = !field.isRepetition(Type.Repetition.REQUIRED);
    if (!field.isPrimitive() || field.isRepetition(Type.Repetition.REPEATED)) {
      return new FileColumn(
          field.getName(), written(field), nullable, false, Optional.of(Rule.TYPE_NESTED));
    }
    PrimitiveType primitive = field.asPrimitiveType();
    Judged judged = judge(primitive);
    return new FileColumn(
        field.getName(),
        judged.type,
        nullable,
        primitive.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation,
        judged.broken);
  }

  private static Judged judge(PrimitiveType type) {
    @Nullable LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    if (annotation instanceof DecimalLogicalTypeAnnotation decimal) {
      return decimal(type, decimal);
    }
    String text = written(type);
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> plain(annotation, "boolean", text);
      case FLOAT -> plain(annotation, "float", text);
      case DOUBLE -> plain(annotation, "double", text);
      case INT32 -> ofInt(annotation, text);
      case INT64 -> ofLong(annotation, text);
      case INT96 -> Judged.bad(text, Rule.TYPE_PRECISION);
      case BINARY ->
          annotation instanceof StringLogicalTypeAnnotation
              ? Judged.good("string")
              : plain(annotation, "binary", text);
      case FIXED_LEN_BYTE_ARRAY -> plain(annotation, "binary", text);
    };
  }

  private static Judged plain(
      @Nullable LogicalTypeAnnotation annotation, String type, String text) {
    return annotation == null ? Judged.good(type) : Judged.bad(text, Rule.TYPE_UNKNOWN);
  }

  private static Judged decimal(PrimitiveType type, DecimalLogicalTypeAnnotation decimal) {
    String text = "decimal(" + decimal.getPrecision() + "," + decimal.getScale() + ")";
    boolean varying = type.getPrimitiveTypeName() == PrimitiveTypeName.BINARY;
    return varying || decimal.getPrecision() > MAX_DECIMAL_DIGITS
        ? Judged.bad(varying ? text + " as BYTE_ARRAY" : text, Rule.TYPE_DECIMAL)
        : Judged.good(text);
  }

  private static Judged ofInt(@Nullable LogicalTypeAnnotation annotation, String text) {
    if (annotation == null) {
      return Judged.good("integer");
    }
    if (annotation instanceof DateLogicalTypeAnnotation) {
      return Judged.good("date");
    }
    if (annotation instanceof TimeLogicalTypeAnnotation) {
      return Judged.bad(text, Rule.TYPE_PRECISION);
    }
    if (annotation instanceof IntLogicalTypeAnnotation integer && integer.isSigned()) {
      return switch (integer.getBitWidth()) {
        case 8 -> Judged.good("byte");
        case 16 -> Judged.good("short");
        default -> Judged.good("integer");
      };
    }
    return Judged.bad(text, Rule.TYPE_UNKNOWN);
  }

  private static Judged ofLong(@Nullable LogicalTypeAnnotation annotation, String text) {
    if (annotation == null
        || (annotation instanceof IntLogicalTypeAnnotation integer && integer.isSigned())) {
      return Judged.good("long");
    }
    if (annotation instanceof TimeLogicalTypeAnnotation time) {
      return time.getUnit() == TimeUnit.MICROS
          ? Judged.bad(time.isAdjustedToUTC() ? "time in UTC" : "time", Rule.TYPE_TIME)
          : Judged.bad(text, Rule.TYPE_PRECISION);
    }
    if (annotation instanceof TimestampLogicalTypeAnnotation timestamp) {
      if (timestamp.getUnit() != TimeUnit.MICROS) {
        return Judged.bad(text, Rule.TYPE_PRECISION);
      }
      return Judged.good(timestamp.isAdjustedToUTC() ? "timestamp" : "timestamp without zone");
    }
    return Judged.bad(text, Rule.TYPE_UNKNOWN);
  }

  /** The type as Parquet writes it, without the name. */
  private static String written(Type field) {
    if (!field.isPrimitive()) {
      LogicalTypeAnnotation annotation = field.getLogicalTypeAnnotation();
      return "group" + (annotation == null ? "" : " (" + annotation + ")");
    }
    LogicalTypeAnnotation annotation = field.getLogicalTypeAnnotation();
    String type = field.asPrimitiveType().getPrimitiveTypeName().name();
    return (field.isRepetition(Type.Repetition.REPEATED) ? "repeated " : "")
        + type
        + (annotation == null ? "" : " (" + annotation + ")");
  }
}
