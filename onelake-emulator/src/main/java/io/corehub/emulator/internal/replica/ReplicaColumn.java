package io.corehub.emulator.internal.replica;

import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * A column as the mirrored table knows it. Immutable.
 *
 * @param precision of a decimal, else 0
 * @param scale of a decimal, else 0
 */
record ReplicaColumn(String name, CellKind kind, int precision, int scale, boolean nullable) {

  /**
   * The column of a Parquet field.
   *
   * @throws TableFailedException when a mirrored table has no counterpart
   */
  static ReplicaColumn of(Type field) throws TableFailedException {
    if (!field.isPrimitive() || field.isRepetition(Type.Repetition.REPEATED)) {
      throw unsupported(field);
    }
    PrimitiveType type = field.asPrimitiveType();
    @Nullable LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    boolean nullable = field.isRepetition(Type.Repetition.OPTIONAL);
    if (annotation instanceof DecimalLogicalTypeAnnotation decimal) {
      if (decimal.getPrecision() > 38) {
        throw unsupported(field);
      }
      return new ReplicaColumn(
          field.getName(), CellKind.DECIMAL, decimal.getPrecision(), decimal.getScale(), nullable);
    }
    CellKind kind =
        switch (type.getPrimitiveTypeName()) {
          case BOOLEAN -> annotation == null ? CellKind.BOOLEAN : null;
          case INT32 -> ofInt(annotation);
          case INT64 -> ofLong(annotation);
          case FLOAT -> annotation == null ? CellKind.FLOAT : null;
          case DOUBLE -> annotation == null ? CellKind.DOUBLE : null;
          case BINARY ->
              annotation == null
                  ? CellKind.BINARY
                  : annotation instanceof StringLogicalTypeAnnotation ? CellKind.STRING : null;
          case FIXED_LEN_BYTE_ARRAY -> annotation == null ? CellKind.BINARY : null;
          case INT96 -> null;
        };
    if (kind == null) {
      throw unsupported(field);
    }
    return new ReplicaColumn(field.getName(), kind, 0, 0, nullable);
  }

  private static @Nullable CellKind ofInt(@Nullable LogicalTypeAnnotation annotation) {
    if (annotation == null) {
      return CellKind.INT;
    }
    if (annotation instanceof DateLogicalTypeAnnotation) {
      return CellKind.DATE;
    }
    if (annotation instanceof IntLogicalTypeAnnotation integer && integer.isSigned()) {
      return switch (integer.getBitWidth()) {
        case 8 -> CellKind.BYTE;
        case 16 -> CellKind.SHORT;
        default -> CellKind.INT;
      };
    }
    return null;
  }

  private static @Nullable CellKind ofLong(@Nullable LogicalTypeAnnotation annotation) {
    if (annotation == null
        || (annotation instanceof IntLogicalTypeAnnotation integer && integer.isSigned())) {
      return CellKind.LONG;
    }
    if (annotation instanceof TimeLogicalTypeAnnotation time && time.getUnit() == TimeUnit.MICROS) {
      return time.isAdjustedToUTC() ? CellKind.UTC_TIME : CellKind.LOCAL_TIME;
    }
    if (annotation instanceof TimestampLogicalTypeAnnotation timestamp
        && timestamp.getUnit() == TimeUnit.MICROS) {
      return timestamp.isAdjustedToUTC() ? CellKind.UTC_TIMESTAMP : CellKind.LOCAL_TIMESTAMP;
    }
    return null;
  }

  private static TableFailedException unsupported(Type field) {
    return new TableFailedException(
        "UnsupportedDataType",
        "Column '"
            + field.getName()
            + "' is "
            + field
            + ", which a mirrored table cannot hold. Write one of the simple types, dates, timestamps in"
            + " microseconds, or text.");
  }

  boolean sameType(ReplicaColumn other) {
    return kind == other.kind && precision == other.precision && scale == other.scale;
  }

  String describeType() {
    String type =
        kind == CellKind.DECIMAL ? "decimal(" + precision + "," + scale + ")" : kind.word();
    return type + " (Nullable " + (nullable ? "True" : "False") + ")";
  }
}
