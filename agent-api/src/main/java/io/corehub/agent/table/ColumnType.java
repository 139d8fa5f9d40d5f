package io.corehub.agent.table;

import java.util.Locale;

/**
 * The logical type of a column, and how its values are held in a {@link ColumnVector}. Immutable.
 *
 * <table>
 * <caption>Storage of each kind</caption>
 * <tr><th>Kind</th><th>Vector</th><th>Value</th></tr>
 * <tr><td>BOOLEAN</td><td>boolean</td><td></td></tr>
 * <tr><td>SHORT, INT</td><td>int</td><td>the number; SHORT within 16 bits</td></tr>
 * <tr><td>LONG</td><td>long</td><td>the number</td></tr>
 * <tr><td>FLOAT, DOUBLE</td><td>float, double</td><td>the number, NaN and infinities included</td></tr>
 * <tr><td>BIG_DECIMAL, precision 1 to 18</td><td>long</td><td>unscaled value</td></tr>
 * <tr><td>BIG_DECIMAL, precision above 18</td><td>bytes</td>
 *   <td>unscaled value, big-endian two's complement, shortest form</td></tr>
 * <tr><td>BIG_DECIMAL without precision</td><td>bytes</td>
 *   <td>plain decimal text, as {@link java.math.BigDecimal#toPlainString()} writes it: each value has its own scale</td></tr>
 * <tr><td>STRING, ARRAY, MAP</td><td>bytes</td><td>UTF-8 text; ARRAY and MAP hold JSON text. A lone
 *   surrogate of the source travels as its three-byte form, which is not valid UTF-8: the agent decides what becomes of it</td></tr>
 * <tr><td>BYTE_ARRAY</td><td>bytes</td><td>the bytes</td></tr>
 * <tr><td>LOCAL_DATE</td><td>int</td><td>days since 1970-01-01; {@link #INFINITE_DATE} and {@link
 *   #MINUS_INFINITE_DATE} for the infinities of a source that has them</td></tr>
 * <tr><td>LOCAL_TIME</td><td>long</td><td>microseconds since midnight; 86,400,000,000 is 24:00</td></tr>
 * <tr><td>OFFSET_TIME</td><td>long</td><td>microseconds since midnight in UTC; 24:00 at an offset is 86,400,000,000
 *   plus the microseconds of that moment in UTC</td></tr>
 * <tr><td>LOCAL_DATE_TIME</td><td>long</td><td>microseconds since 1970-01-01T00:00:00 of the same local clock;
 *   {@link #INFINITE_TIMESTAMP} and {@link #MINUS_INFINITE_TIMESTAMP} for the infinities, {@link #endOfDay}
 *   for 24:00</td></tr>
 * <tr><td>OFFSET_DATE_TIME</td><td>long</td><td>microseconds since 1970-01-01T00:00:00Z; infinities and 24:00 as
 *   above</td></tr>
 * </table>
 *
 * Digits below a microsecond are cut toward the past by the hub. The vector carries what the source
 * said even where a target cannot hold it (infinite dates, 24:00, lone surrogates): refusing or
 * replacing is the agent's business.
 *
 * @param kind logical kind
 * @param precision decimal digits of a BIG_DECIMAL, 1 or more; 0 when the source declares none, and
 *     for every other kind
 * @param scale digits after the point of a BIG_DECIMAL with precision; 0 otherwise
 */
public record ColumnType(Kind kind, int precision, int scale) {

  /** {@code infinity} in a LOCAL_DATE vector. */
  public static final int INFINITE_DATE = Integer.MAX_VALUE;

  /** {@code -infinity} in a LOCAL_DATE vector. */
  public static final int MINUS_INFINITE_DATE = Integer.MIN_VALUE;

  /** {@code infinity} in a LOCAL_DATE_TIME or OFFSET_DATE_TIME vector. */
  public static final long INFINITE_TIMESTAMP = Long.MAX_VALUE;

  /** {@code -infinity} in a LOCAL_DATE_TIME or OFFSET_DATE_TIME vector. */
  public static final long MINUS_INFINITE_TIMESTAMP = Long.MIN_VALUE;

  /** 24:00 in a LOCAL_TIME vector, in microseconds. */
  public static final long END_OF_DAY = 86_400_000_000L;

  /** The first microsecond a timestamp vector holds as such,, in the year -217,238. */
  public static final long FIRST_TIMESTAMP = Long.MIN_VALUE + (1L << 61);

  private static final long ENDS_OF_DAYS = Long.MIN_VALUE + (1L << 60);

  /** Most digits whose unscaled value is held in a long. */
  public static final int MAX_LONG_DECIMAL_PRECISION = 18;

  /** The sixteen logical kinds. */
  public enum Kind {
    /** 16-bit integer. */
    SHORT,
    /** 32-bit integer. */
    INT,
    /** 64-bit integer. */
    LONG,
    /** 32-bit floating point. */
    FLOAT,
    /** 64-bit floating point. */
    DOUBLE,
    /** Exact decimal number. */
    BIG_DECIMAL,
    /** True or false. */
    BOOLEAN,
    /** Text. */
    STRING,
    /** Bytes. */
    BYTE_ARRAY,
    /** Calendar date. */
    LOCAL_DATE,
    /** Time of day without offset. */
    LOCAL_TIME,
    /** Time of day with an offset, held in UTC. */
    OFFSET_TIME,
    /** Date and time without offset. */
    LOCAL_DATE_TIME,
    /** Instant. */
    OFFSET_DATE_TIME,
    /** JSON array. */
    ARRAY,
    /** JSON object. */
    MAP
  }

  /** How a vector holds the values of a type. */
  public enum Storage {
    /** {@link ColumnVector.OfBoolean}. */
    BOOLEAN,
    /** {@link ColumnVector.OfInt}. */
    INT,
    /** {@link ColumnVector.OfLong}. */
    LONG,
    /** {@link ColumnVector.OfFloat}. */
    FLOAT,
    /** {@link ColumnVector.OfDouble}. */
    DOUBLE,
    /** {@link ColumnVector.OfBytes}. */
    BYTES
  }

  /** Checks precision and scale. */
  public ColumnType {
    if (kind != Kind.BIG_DECIMAL && (precision != 0 || scale != 0)) {
      throw new IllegalArgumentException(
          "Only BIG_DECIMAL has a precision and a scale, not " + kind);
    }
    if (precision < 0 || scale < 0 || scale > precision) {
      throw new IllegalArgumentException(
          "BIG_DECIMAL("
              + precision
              + ","
              + scale
              + "): scale must lie between 0 and the precision");
    }
  }

  /**
   * A type without parameters; BIG_DECIMAL then has no declared precision.
   *
   * @param kind kind
   * @return the type
   */
  public static ColumnType of(Kind kind) {
    return new ColumnType(kind, 0, 0);
  }

  /**
   * A decimal with declared precision.
   *
   * @param precision digits in all, at least 1
   * @param scale digits after the point, 0 to {@code precision}
   * @return the type
   */
  public static ColumnType decimal(int precision, int scale) {
    if (precision < 1) {
      throw new IllegalArgumentException(
          "BIG_DECIMAL needs a precision of at least 1, not " + precision);
    }
    return new ColumnType(Kind.BIG_DECIMAL, precision, scale);
  }

  /**
   * How a timestamp vector holds 24:00 of a day, which is not the same text as the midnight it is.
   *
   * @param midnight that midnight in microseconds since 1970, within 36,000 years of it
   * @return the value, below {@link #FIRST_TIMESTAMP} and above {@link #MINUS_INFINITE_TIMESTAMP}
   * @throws IllegalArgumentException if the midnight lies further away
   */
  public static long endOfDay(long midnight) {
    if (midnight <= -(1L << 60) || midnight >= 1L << 60) {
      throw new IllegalArgumentException("24:00 of a day " + midnight + " microseconds from 1970");
    }
    return ENDS_OF_DAYS + midnight;
  }

  /**
   * Whether a value of a timestamp vector is 24:00 of a day.
   *
   * @param micros value of a LOCAL_DATE_TIME or OFFSET_DATE_TIME vector
   * @return true if {@link #endOfDay} made it
   */
  public static boolean isEndOfDay(long micros) {
    return micros < FIRST_TIMESTAMP && micros != MINUS_INFINITE_TIMESTAMP;
  }

  /**
   * The midnight that a 24:00 is.
   *
   * @param endOfDay value that {@link #endOfDay} made
   * @return microseconds since 1970
   */
  public static long midnightOf(long endOfDay) {
    return endOfDay - ENDS_OF_DAYS;
  }

  /**
   * Whether this is a BIG_DECIMAL whose precision the source does not declare.
   *
   * @return true if each value has its own scale
   */
  public boolean decimalWithoutPrecision() {
    return kind == Kind.BIG_DECIMAL && precision == 0;
  }

  /**
   * How a vector holds values of this type.
   *
   * @return the storage
   */
  public Storage storage() {
    return switch (kind) {
      case BOOLEAN -> Storage.BOOLEAN;
      case SHORT, INT, LOCAL_DATE -> Storage.INT;
      case LONG, LOCAL_TIME, OFFSET_TIME, LOCAL_DATE_TIME, OFFSET_DATE_TIME -> Storage.LONG;
      case FLOAT -> Storage.FLOAT;
      case DOUBLE -> Storage.DOUBLE;
      case BIG_DECIMAL ->
          precision >= 1 && precision <= MAX_LONG_DECIMAL_PRECISION ? Storage.LONG : Storage.BYTES;
      case STRING, BYTE_ARRAY, ARRAY, MAP -> Storage.BYTES;
    };
  }

  /**
   * The type as users write it, such as {@code INT} or {@code BIG_DECIMAL(18,4)}.
   *
   * @return the text
   */
  @Override
  public String toString() {
    return precision == 0 ? kind.name() : kind.name() + "(" + precision + "," + scale + ")";
  }

  /**
   * Finds a kind by its name, whatever its case.
   *
   * @param name such as {@code LOCAL_DATE}
   * @return the kind
   * @throws IllegalArgumentException naming the sixteen kinds if there is none of that name
   */
  public static Kind kindNamed(String name) {
    for (Kind kind : Kind.values()) {
      if (kind.name().equals(name.toUpperCase(Locale.ROOT))) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "Unknown type '" + name + "'. Types are " + java.util.Arrays.toString(Kind.values()));
  }
}
