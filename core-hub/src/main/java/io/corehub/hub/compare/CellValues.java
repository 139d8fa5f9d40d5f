package io.corehub.hub.compare;

import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnVector;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Values of both sides as Java objects of the source column's type. Stateless. */
final class CellValues {

  private static final long MICROS = 1_000_000L;

  private CellValues() {}

  /** A cell of the source; null for NULL. */
  static @Nullable Object of(ColumnType type, ColumnVector vector, int row) {
    if (vector.nulls().isNull(row)) {
      return null;
    }
    return switch (type.kind()) {
      case BOOLEAN -> ((ColumnVector.OfBoolean) vector).values()[row];
      case SHORT, INT -> (long) ((ColumnVector.OfInt) vector).values()[row];
      case LONG -> ((ColumnVector.OfLong) vector).values()[row];
      case FLOAT -> ((ColumnVector.OfFloat) vector).values()[row];
      case DOUBLE -> ((ColumnVector.OfDouble) vector).values()[row];
      case BIG_DECIMAL -> decimal(type, vector, row);
      case STRING, ARRAY, MAP ->
          new String(((ColumnVector.OfBytes) vector).copyOf(row), StandardCharsets.UTF_8);
      case BYTE_ARRAY -> ((ColumnVector.OfBytes) vector).copyOf(row);
      case LOCAL_DATE -> LocalDate.ofEpochDay(((ColumnVector.OfInt) vector).values()[row]);
      case LOCAL_TIME -> time(((ColumnVector.OfLong) vector).values()[row]);
      case OFFSET_TIME ->
          time(((ColumnVector.OfLong) vector).values()[row]).atOffset(ZoneOffset.UTC);
      case LOCAL_DATE_TIME -> dateTime(((ColumnVector.OfLong) vector).values()[row]);
      case OFFSET_DATE_TIME ->
          dateTime(((ColumnVector.OfLong) vector).values()[row]).atOffset(ZoneOffset.UTC);
    };
  }

  private static BigDecimal decimal(ColumnType type, ColumnVector vector, int row) {
    if (vector instanceof ColumnVector.OfLong longs) {
      return BigDecimal.valueOf(longs.values()[row], type.scale());
    }
    byte[] stored = ((ColumnVector.OfBytes) vector).copyOf(row);
    return type.decimalWithoutPrecision()
        ? new BigDecimal(new String(stored, StandardCharsets.US_ASCII))
        : new BigDecimal(new BigInteger(stored), type.scale());
  }

  private static LocalTime time(long micros) {
    return LocalTime.ofNanoOfDay(Math.floorMod(micros, 86_400 * MICROS) * 1000);
  }

  private static LocalDateTime dateTime(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, MICROS), (int) Math.floorMod(micros, MICROS) * 1000, ZoneOffset.UTC);
  }

  /**
   * A mirrored value, read back as the source's type where the target has it as another one: a text
   * for a number, a UTC timestamp for a local one.
   *
   * @param type type of the source's column
   * @param mirrored canonical value: null, a Boolean, a number or text
   * @return a value of the source's type; the mirrored value itself if it is none
   */
  static @Nullable Object as(ColumnType type, @Nullable Object mirrored) {
    if (mirrored == null) {
      return null;
    }
    String text = mirrored.toString();
    try {
      return switch (type.kind()) {
        case BOOLEAN ->
            text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : mirrored;
        case SHORT, INT, LONG -> new BigDecimal(text).longValueExact();
        case FLOAT -> Float.valueOf(text);
        case DOUBLE -> Double.valueOf(text);
        case BIG_DECIMAL -> new BigDecimal(text);
        case STRING, ARRAY, MAP -> text;
        case BYTE_ARRAY -> Base64.getDecoder().decode(text);
        case LOCAL_DATE -> LocalDate.parse(text.length() > 10 ? text.substring(0, 10) : text);
        case LOCAL_TIME -> LocalTime.parse(text);
        case OFFSET_TIME -> OffsetTime.parse(text);
        case LOCAL_DATE_TIME ->
            text.endsWith("Z") ? OffsetDateTime.parse(text).toLocalDateTime() : local(text);
        case OFFSET_DATE_TIME ->
            text.endsWith("Z") ? OffsetDateTime.parse(text) : local(text).atOffset(ZoneOffset.UTC);
      };
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException otherKind) {
      // It differs from whatever the source has, which is what the comparison is to show.
      return "not " + type + ": " + text;
    }
  }

  private static LocalDateTime local(String text) {
    return LocalDateTime.parse(text.replace(' ', 'T'));
  }
}
