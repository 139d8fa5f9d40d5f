package io.corehub.fabric.mirroring;

import io.corehub.parquet.ParquetType;

/** What Fabric makes of the columns of landed files. */
final class FabricTypes {

  private FabricTypes() {}

  /**
   * The type of a table's column, in the words of the Delta protocol; a time of day, which Delta
   * does not have, is {@code time}.
   */
  static String of(ParquetType type) {
    return switch (type.kind()) {
      case BOOLEAN -> "boolean";
      case INT32 -> "integer";
      case INT64 -> "long";
      case FLOAT -> "float";
      case DOUBLE -> "double";
      case STRING -> "string";
      case BINARY -> "binary";
      case DATE -> "date";
      case TIME_MICROS, TIME_MICROS_UTC -> "time";
      case TIMESTAMP_MICROS -> "timestamp_ntz";
      case TIMESTAMP_MICROS_UTC -> "timestamp";
      case DECIMAL -> "decimal(" + type.precision() + "," + type.scale() + ")";
    };
  }
}
