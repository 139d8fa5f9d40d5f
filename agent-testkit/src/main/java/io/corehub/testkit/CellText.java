package io.corehub.testkit;

import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnVector;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Optional;

/**
 * One text for each value, whatever way it was stored, so that what a source said and what a reader
 * of a target found can be compared. Two values of a type have the same text if and only if they
 * are equal; decimals are equal when their numbers are ({@code 1.50} and {@code 1.5}).
 *
 * <p>Readers of files use the methods for single values; {@link #of} reads a vector.
 */
public final class CellText {

  private static final long MICROS = 1_000_000L;
  private static final String END_OF_DAY = "24:00 that is ";

  private CellText() {}

  /**
   * The text of a cell of a vector.
   *
   * @param type type of the column
   * @param vector its values
   * @param row row index
   * @return the text; empty for NULL
   */
  public static Optional<String> of(ColumnType type, ColumnVector vector, int row) {
    return vector.nulls().isNull(row)
        ? Optional.empty()
        : Optional.of(ofPresent(type, vector, row));
  }

  private static String ofPresent(ColumnType type, ColumnVector vector, int row) {
    return switch (type.kind()) {
      case BOOLEAN -> Boolean.toString(((ColumnVector.OfBoolean) vector).values()[row]);
      case SHORT, INT -> integer(((ColumnVector.OfInt) vector).values()[row]);
      case LONG -> integer(((ColumnVector.OfLong) vector).values()[row]);
      case FLOAT -> floating(((ColumnVector.OfFloat) vector).values()[row]);
      case DOUBLE -> floating(((ColumnVector.OfDouble) vector).values()[row]);
      case BIG_DECIMAL -> decimalOf(type, vector, row);
      case STRING, ARRAY, MAP -> utf8(((ColumnVector.OfBytes) vector).copyOf(row));
      case BYTE_ARRAY -> bytes(((ColumnVector.OfBytes) vector).copyOf(row));
      case LOCAL_DATE -> date(((ColumnVector.OfInt) vector).values()[row]);
      case LOCAL_TIME -> time(((ColumnVector.OfLong) vector).values()[row]);
      case OFFSET_TIME -> utcTime(((ColumnVector.OfLong) vector).values()[row]);
      case LOCAL_DATE_TIME -> localDateTime(((ColumnVector.OfLong) vector).values()[row]);
      case OFFSET_DATE_TIME -> instant(((ColumnVector.OfLong) vector).values()[row]);
    };
  }

  private static String decimalOf(ColumnType type, ColumnVector vector, int row) {
    if (vector instanceof ColumnVector.OfLong longs) {
      return decimal(BigDecimal.valueOf(longs.values()[row], type.scale()));
    }
    byte[] stored = ((ColumnVector.OfBytes) vector).copyOf(row);
    return type.decimalWithoutPrecision()
        ? decimal(new BigDecimal(new String(stored, StandardCharsets.US_ASCII)))
        : decimal(new BigDecimal(new BigInteger(stored), type.scale()));
  }

  /**
   * A whole number.
   *
   * @param value value
   * @return its text
   */
  public static String integer(long value) {
    return Long.toString(value);
  }

  /**
   * A 32-bit floating point number; {@code -0.0}, NaN and the infinities have texts of their own.
   *
   * @param value value
   * @return its text
   */
  public static String floating(float value) {
    return Float.toString(value);
  }

  /**
   * A 64-bit floating point number; {@code -0.0}, NaN and the infinities have texts of their own.
   *
   * @param value value
   * @return its text
   */
  public static String floating(double value) {
    return Double.toString(value);
  }

  /**
   * A decimal, whatever its scale.
   *
   * @param value value
   * @return its text, without zeros at the end of the fraction
   */
  public static String decimal(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  /**
   * Text stored as UTF-8.
   *
   * @param stored bytes
   * @return the text, or the form of {@link #bytes} when they are not valid UTF-8
   */
  public static String utf8(byte[] stored) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(stored)).toString();
    } catch (CharacterCodingException notUtf8) {
      return bytes(stored);
    }
  }

  /**
   * Bytes.
   *
   * @param value bytes
   * @return {@code 0x} and their hexadecimal digits
   */
  public static String bytes(byte[] value) {
    return "0x" + HexFormat.of().formatHex(value);
  }

  /**
   * A date.
   *
   * @param epochDays days since 1970-01-01
   * @return its ISO text; infinities are {@code infinity} and {@code -infinity}
   */
  public static String date(int epochDays) {
    return switch (epochDays) {
      case ColumnType.INFINITE_DATE -> "infinity";
      case ColumnType.MINUS_INFINITE_DATE -> "-infinity";
      default -> LocalDate.ofEpochDay(epochDays).toString();
    };
  }

  /**
   * A time of day.
   *
   * @param micros microseconds since midnight
   * @return its ISO text; {@code 24:00} for the end of the day
   */
  public static String time(long micros) {
    return micros == 86_400 * MICROS
        ? "24:00"
        : LocalTime.ofNanoOfDay(Math.multiplyExact(micros, 1000L)).toString();
  }

  /**
   * A time of day in UTC.
   *
   * @param micros microseconds since midnight in UTC; 24:00 as {@link ColumnType} says
   * @return its ISO text with a {@code Z}; {@code 24:00 that is …} for the end of the day
   */
  public static String utcTime(long micros) {
    return micros >= ColumnType.END_OF_DAY
        ? END_OF_DAY + time(micros - ColumnType.END_OF_DAY) + "Z"
        : time(micros) + "Z";
  }

  /**
   * A date and time without offset.
   *
   * @param micros microseconds since 1970-01-01T00:00 of the same clock
   * @return its ISO text; infinities are {@code infinity} and {@code -infinity}, 24:00 is {@code
   *     24:00 that is …}
   */
  public static String localDateTime(long micros) {
    if (ColumnType.isEndOfDay(micros)) {
      return END_OF_DAY + localDateTime(ColumnType.midnightOf(micros));
    }
    return infinity(micros)
        .orElseGet(() -> LocalDateTime.ofInstant(instantOf(micros), ZoneOffset.UTC).toString());
  }

  /**
   * An instant.
   *
   * @param micros microseconds since 1970-01-01T00:00Z
   * @return its ISO text in UTC; infinities are {@code infinity} and {@code -infinity}, 24:00 is
   *     {@code 24:00 that is …}
   */
  public static String instant(long micros) {
    if (ColumnType.isEndOfDay(micros)) {
      return END_OF_DAY + instant(ColumnType.midnightOf(micros));
    }
    return infinity(micros).orElseGet(() -> instantOf(micros).toString());
  }

  private static Optional<String> infinity(long micros) {
    if (micros == ColumnType.INFINITE_TIMESTAMP) {
      return Optional.of("infinity");
    }
    return micros == ColumnType.MINUS_INFINITE_TIMESTAMP
        ? Optional.of("-infinity")
        : Optional.empty();
  }

  private static Instant instantOf(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000L);
  }
}
