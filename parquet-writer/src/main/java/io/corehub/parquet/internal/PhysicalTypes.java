package io.corehub.parquet.internal;

import io.corehub.parquet.Compression;
import io.corehub.parquet.ParquetColumn;
import io.corehub.parquet.ParquetType;
import java.math.BigInteger;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DateType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;

/** How the format stores and annotates each type. */
final class PhysicalTypes {

  private PhysicalTypes() {}

  static Type physical(ParquetType type) {
    return switch (type.kind()) {
      case BOOLEAN -> Type.BOOLEAN;
      case INT32, DATE -> Type.INT32;
      case INT64, TIME_MICROS, TIME_MICROS_UTC, TIMESTAMP_MICROS, TIMESTAMP_MICROS_UTC ->
          Type.INT64;
      case FLOAT -> Type.FLOAT;
      case DOUBLE -> Type.DOUBLE;
      case STRING, BINARY -> Type.BYTE_ARRAY;
      case DECIMAL -> Type.FIXED_LEN_BYTE_ARRAY;
    };
  }

  /** Bytes of a PLAIN value of a type whose values all have the same whole number of bytes. */
  static int width(ParquetType type) {
    return switch (type.kind()) {
      case INT32, DATE, FLOAT -> Integer.BYTES;
      case INT64, DOUBLE, TIME_MICROS, TIME_MICROS_UTC, TIMESTAMP_MICROS, TIMESTAMP_MICROS_UTC ->
          Long.BYTES;
      case DECIMAL -> decimalLength(type.precision());
      case BOOLEAN, STRING, BINARY ->
          throw new IllegalArgumentException(type + " has no fixed width");
    };
  }

  /** Least length in bytes that holds every unscaled value of a precision. */
  static int decimalLength(int precision) {
    return BigInteger.TEN.pow(precision).subtract(BigInteger.ONE).bitLength() / 8 + 1;
  }

  /** Greatest unscaled value of a precision of at most 18. */
  static long greatestUnscaled(int precision) {
    return BigInteger.TEN.pow(precision).subtract(BigInteger.ONE).longValueExact();
  }

  static CompressionCodec codec(Compression compression) {
    return switch (compression.codec()) {
      case UNCOMPRESSED -> CompressionCodec.UNCOMPRESSED;
      case SNAPPY -> CompressionCodec.SNAPPY;
      case GZIP -> CompressionCodec.GZIP;
      case ZSTD -> CompressionCodec.ZSTD;
    };
  }

  static SchemaElement element(ParquetColumn column) {
    ParquetType type = column.type();
    SchemaElement element = new SchemaElement(column.name());
    element.setType(physical(type));
    element.setRepetition_type(
        column.required() ? FieldRepetitionType.REQUIRED : FieldRepetitionType.OPTIONAL);
    switch (type.kind()) {
      case BOOLEAN, INT32, INT64, FLOAT, DOUBLE, BINARY -> {}
      case STRING -> annotate(element, ConvertedType.UTF8, LogicalType.STRING(new StringType()));
      case DATE -> annotate(element, ConvertedType.DATE, LogicalType.DATE(new DateType()));
      case DECIMAL -> {
        annotate(
            element,
            ConvertedType.DECIMAL,
            LogicalType.DECIMAL(new DecimalType(type.scale(), type.precision())));
        element.setType_length(decimalLength(type.precision()));
        element.setPrecision(type.precision());
        element.setScale(type.scale());
      }
      // The format wants the old annotations for local times too, though they mean UTC.
      case TIME_MICROS -> annotate(element, ConvertedType.TIME_MICROS, time(false));
      case TIME_MICROS_UTC -> annotate(element, ConvertedType.TIME_MICROS, time(true));
      case TIMESTAMP_MICROS -> annotate(element, ConvertedType.TIMESTAMP_MICROS, timestamp(false));
      case TIMESTAMP_MICROS_UTC ->
          annotate(element, ConvertedType.TIMESTAMP_MICROS, timestamp(true));
    }
    return element;
  }

  private static void annotate(SchemaElement element, ConvertedType converted, LogicalType type) {
    element.setConverted_type(converted);
    element.setLogicalType(type);
  }

  private static LogicalType time(boolean utc) {
    return LogicalType.TIME(new TimeType(utc, TimeUnit.MICROS(new MicroSeconds())));
  }

  private static LogicalType timestamp(boolean utc) {
    return LogicalType.TIMESTAMP(new TimestampType(utc, TimeUnit.MICROS(new MicroSeconds())));
  }
}
