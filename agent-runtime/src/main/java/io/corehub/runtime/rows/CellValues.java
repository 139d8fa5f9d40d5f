package io.corehub.runtime.rows;

import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnVector;
import io.corehub.runtime.text.Text;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

/** Reads single cells as text or as a number. Pure; for conversions and messages, not hot loops. */
public final class CellValues {

  public static final long MICROS_PER_SECOND = 1_000_000L;
  private static final int LONGEST_SHOWN = 60;

  private CellValues() {}

  /** The exact text of a cell that is not NULL, as a text column holds it. */
  public static String text(ColumnType type, ColumnVector vector, int row) {
    return switch (type.kind()) {
      case BOOLEAN -> Boolean.toString(((ColumnVector.OfBoolean) vector).values()[row]);
      case SHORT, INT -> Integer.toString(ints(vector)[row]);
      case LONG -> Long.toString(longs(vector)[row]);
      case FLOAT -> Float.toString(((ColumnVector.OfFloat) vector).values()[row]);
      case DOUBLE -> Double.toString(((ColumnVector.OfDouble) vector).values()[row]);
      case BIG_DECIMAL -> number(type, vector, row).toPlainString();
      case STRING, ARRAY, MAP ->
          new String(((ColumnVector.OfBytes) vector).copyOf(row), StandardCharsets.UTF_8);
      case BYTE_ARRAY -> HexFormat.of().formatHex(((ColumnVector.OfBytes) vector).copyOf(row));
      case LOCAL_DATE -> date(ints(vector)[row]);
      case LOCAL_TIME -> time(longs(vector)[row]);
      case OFFSET_TIME -> offsetTime(longs(vector)[row]);
      case LOCAL_DATE_TIME -> timestamp(longs(vector)[row]);
      case OFFSET_DATE_TIME -> instant(longs(vector)[row]);
    };
  }

  /** A cell for a message: on one line and short. */
  public static String shown(ColumnType type, ColumnVector vector, int row) {
    if (vector.nulls().isNull(row)) {
      return "NULL";
    }
    if (vector instanceof ColumnVector.OfBytes bytes
        && bytes.length(row) > 4 * LONGEST_SHOWN
        && type.kind() != ColumnType.Kind.BIG_DECIMAL) {
      return bytes.length(row) + " bytes";
    }
    String text = Text.shown(text(type, vector, row));
    return text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + "…" : text;
  }

  /** The exact number of a cell that is not NULL; only for numeric kinds and finite values. */
  public static BigDecimal number(ColumnType type, ColumnVector vector, int row) {
    return switch (type.kind()) {
      case SHORT, INT -> BigDecimal.valueOf(ints(vector)[row]);
      case LONG -> BigDecimal.valueOf(longs(vector)[row]);
      case FLOAT -> new BigDecimal(((ColumnVector.OfFloat) vector).values()[row]);
      case DOUBLE -> new BigDecimal(((ColumnVector.OfDouble) vector).values()[row]);
      case BOOLEAN ->
          ((ColumnVector.OfBoolean) vector).values()[row] ? BigDecimal.ONE : BigDecimal.ZERO;
      case BIG_DECIMAL -> decimal(type, vector, row);
      case STRING,
          BYTE_ARRAY,
          LOCAL_DATE,
          LOCAL_TIME,
          OFFSET_TIME,
          LOCAL_DATE_TIME,
          OFFSET_DATE_TIME,
          ARRAY,
          MAP ->
          throw new IllegalArgumentException(type + " is not a number");
    };
  }

  private static BigDecimal decimal(ColumnType type, ColumnVector vector, int row) {
    if (vector instanceof ColumnVector.OfLong unscaled) {
      return BigDecimal.valueOf(unscaled.values()[row], type.scale());
    }
    byte[] bytes = ((ColumnVector.OfBytes) vector).copyOf(row);
    return type.decimalWithoutPrecision()
        ? new BigDecimal(new String(bytes, StandardCharsets.US_ASCII))
        : new BigDecimal(new BigInteger(bytes), type.scale());
  }

  private static int[] ints(ColumnVector vector) {
    return ((ColumnVector.OfInt) vector).values();
  }

  private static long[] longs(ColumnVector vector) {
    return ((ColumnVector.OfLong) vector).values();
  }

  public static String date(int days) {
    return switch (days) {
      case ColumnType.INFINITE_DATE -> "infinity";
      case ColumnType.MINUS_INFINITE_DATE -> "-infinity";
      default -> LocalDate.ofEpochDay(days).toString();
    };
  }

  public static String time(long micros) {
    if (micros < 0 || micros > ColumnType.END_OF_DAY) {
      return micros + " microseconds";
    }
    return micros == ColumnType.END_OF_DAY
        ? "24:00:00"
        : DateTimeFormatter.ISO_LOCAL_TIME.format(LocalTime.ofNanoOfDay(micros * 1000));
  }

  private static String offsetTime(long micros) {
    return micros >= ColumnType.END_OF_DAY && micros < 2 * ColumnType.END_OF_DAY
        ? "24:00 that is " + time(micros - ColumnType.END_OF_DAY) + "Z"
        : time(micros) + "Z";
  }

  public static String timestamp(long micros) {
    if (ColumnType.isEndOfDay(micros)) {
      LocalDateTime midnight =
          LocalDateTime.ofInstant(at(ColumnType.midnightOf(micros)), ZoneOffset.UTC);
      return midnight.toLocalDate().minusDays(1) + "T24:00:00";
    }
    return infinite(micros)
        ? infinity(micros)
        : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
            LocalDateTime.ofInstant(at(micros), ZoneOffset.UTC));
  }

  public static String instant(long micros) {
    if (ColumnType.isEndOfDay(micros)) {
      return "24:00 that is " + instant(ColumnType.midnightOf(micros));
    }
    return infinite(micros) ? infinity(micros) : DateTimeFormatter.ISO_INSTANT.format(at(micros));
  }

  public static boolean infinite(long micros) {
    return micros == ColumnType.INFINITE_TIMESTAMP || micros == ColumnType.MINUS_INFINITE_TIMESTAMP;
  }

  private static String infinity(long micros) {
    return micros == ColumnType.INFINITE_TIMESTAMP ? "infinity" : "-infinity";
  }

  private static Instant at(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, MICROS_PER_SECOND), Math.floorMod(micros, MICROS_PER_SECOND) * 1000);
  }
}
