package io.corehub.parquet;

/**
 * The type of a column of a file: physical type and annotation together. Immutable.
 *
 * @param kind which type
 * @param precision digits of a DECIMAL, 1 to 38; 0 for every other kind
 * @param scale digits after the point of a DECIMAL, 0 to {@code precision}; 0 for every other kind
 */
public record ParquetType(Kind kind, int precision, int scale) {

  /** Most digits of a DECIMAL. */
  public static final int MAX_DECIMAL_PRECISION = 38;

  /** BOOLEAN. */
  public static final ParquetType BOOLEAN = new ParquetType(Kind.BOOLEAN, 0, 0);

  /** INT32 without annotation. */
  public static final ParquetType INT32 = new ParquetType(Kind.INT32, 0, 0);

  /** INT64 without annotation. */
  public static final ParquetType INT64 = new ParquetType(Kind.INT64, 0, 0);

  /** FLOAT. */
  public static final ParquetType FLOAT = new ParquetType(Kind.FLOAT, 0, 0);

  /** DOUBLE. */
  public static final ParquetType DOUBLE = new ParquetType(Kind.DOUBLE, 0, 0);

  /** BYTE_ARRAY annotated STRING. */
  public static final ParquetType STRING = new ParquetType(Kind.STRING, 0, 0);

  /** BYTE_ARRAY without annotation. */
  public static final ParquetType BINARY = new ParquetType(Kind.BINARY, 0, 0);

  /** INT32 annotated DATE. */
  public static final ParquetType DATE = new ParquetType(Kind.DATE, 0, 0);

  /** INT64 annotated TIME in microseconds, not adjusted to UTC. */
  public static final ParquetType TIME_MICROS = new ParquetType(Kind.TIME_MICROS, 0, 0);

  /** INT64 annotated TIME in microseconds, adjusted to UTC. */
  public static final ParquetType TIME_MICROS_UTC = new ParquetType(Kind.TIME_MICROS_UTC, 0, 0);

  /** INT64 annotated TIMESTAMP in microseconds, not adjusted to UTC. */
  public static final ParquetType TIMESTAMP_MICROS = new ParquetType(Kind.TIMESTAMP_MICROS, 0, 0);

  /** INT64 annotated TIMESTAMP in microseconds, adjusted to UTC. */
  public static final ParquetType TIMESTAMP_MICROS_UTC =
      new ParquetType(Kind.TIMESTAMP_MICROS_UTC, 0, 0);

  /** The closed set of types. The vectors a column of each kind takes are named. */
  public enum Kind {
    /** Boolean vectors. */
    BOOLEAN,
    /** Int vectors. */
    INT32,
    /** Long vectors. */
    INT64,
    /** Float vectors. */
    FLOAT,
    /** Double vectors. */
    DOUBLE,
    /** Bytes vectors that hold UTF-8; not checked. */
    STRING,
    /** Bytes vectors. */
    BINARY,
    /** Int vectors of days since 1970-01-01. */
    DATE,
    /** Long vectors of microseconds since midnight. */
    TIME_MICROS,
    /** Long vectors of microseconds since midnight in UTC. */
    TIME_MICROS_UTC,
    /** Long vectors of microseconds since 1970-01-01T00:00:00 of a local clock. */
    TIMESTAMP_MICROS,
    /** Long vectors of microseconds since 1970-01-01T00:00:00Z. */
    TIMESTAMP_MICROS_UTC,
    /**
     * FIXED_LEN_BYTE_ARRAY of the least length that holds the precision. Long vectors of unscaled
     * values, or bytes vectors of big-endian two's complement unscaled values, whatever the
     * precision.
     */
    DECIMAL
  }

  /** Checks precision and scale. */
  public ParquetType {
    if (kind == Kind.DECIMAL
        ? precision < 1 || precision > MAX_DECIMAL_PRECISION || scale < 0 || scale > precision
        : precision != 0 || scale != 0) {
      throw new IllegalArgumentException(
          kind
              + "("
              + precision
              + ","
              + scale
              + "): only DECIMAL has a precision, from 1 to "
              + MAX_DECIMAL_PRECISION
              + ", and a scale, from 0 to the precision");
    }
  }

  /**
   * A decimal type.
   *
   * @param precision digits in all, 1 to 38
   * @param scale digits after the point, 0 to {@code precision}
   * @return the type
   */
  public static ParquetType decimal(int precision, int scale) {
    return new ParquetType(Kind.DECIMAL, precision, scale);
  }

  /**
   * The type as messages show it, such as {@code INT32} or {@code DECIMAL(18,4)}.
   *
   * @return the text
   */
  @Override
  public String toString() {
    return kind == Kind.DECIMAL ? "DECIMAL(" + precision + "," + scale + ")" : kind.name();
  }
}
