package io.corehub.hub.debezium;

import io.corehub.agent.table.ColumnType;
import io.corehub.hub.source.Shown;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;

/**
 * Dates and times of Connect records as days and microseconds. The infinities of PostgreSQL arrive
 * as overflowed numbers and leave as the sentinels of {@link ColumnType}; what overflowed without
 * being an infinity is refused. Stateless.
 */
final class ConnectTimes {

  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final long MICROS_PER_DAY = 86_400L * MICROS_PER_SECOND;

  /** 4714-11-24 BC and 5874897-12-31, the ends of PostgreSQL's calendar. */
  private static final int FIRST_DAY = -2_440_588;

  private static final int LAST_DAY = 2_145_042_905;

  /** What the PostgreSQL driver says for the infinities, in microseconds. */
  private static final long DRIVER_INFINITY = 9_223_372_036_825_200_000L;

  private static final long DRIVER_MINUS_INFINITY = -9_223_372_036_832_400_000L;

  /** The days before PostgreSQL's calendar that Debezium puts for the infinite dates. */
  private static final int DEBEZIUM_INFINITY = -2_147_472_692;

  private static final int DEBEZIUM_MINUS_INFINITY = -2_147_472_691;

  private static final long FIRST_MICRO = FIRST_DAY * MICROS_PER_DAY;

  private ConnectTimes() {}

  static int date(long days) {
    if (days >= FIRST_DAY && days <= LAST_DAY) {
      return (int) days;
    }
    if (days == DEBEZIUM_INFINITY || days == Integer.MAX_VALUE) {
      return ColumnType.INFINITE_DATE;
    }
    if (days == DEBEZIUM_MINUS_INFINITY || days == Integer.MIN_VALUE) {
      return ColumnType.MINUS_INFINITE_DATE;
    }
    throw new ValueRefusedException("a date " + days + " days from 1970 is outside the calendar");
  }

  static long timestamp(long micros) {
    if (micros >= DRIVER_INFINITY) {
      return ColumnType.INFINITE_TIMESTAMP;
    }
    if (micros <= DRIVER_MINUS_INFINITY) {
      return ColumnType.MINUS_INFINITE_TIMESTAMP;
    }
    if (micros < FIRST_MICRO) {
      throw new ValueRefusedException(
          "a timestamp " + micros + " microseconds from 1970 is outside the calendar");
    }
    return micros;
  }

  static long timestampOfMillis(long millis) {
    try {
      return timestamp(Math.multiplyExact(millis, 1000L));
    } catch (ArithmeticException e) {
      throw new ValueRefusedException(
          "a timestamp " + millis + " milliseconds from 1970 is outside the calendar", e);
    }
  }

  static long timeOfDay(long micros) {
    if (micros < 0 || micros > MICROS_PER_DAY) {
      throw new ValueRefusedException(
          "a time of day of " + micros + " microseconds is not within a day");
    }
    return micros;
  }

  static int isoDate(String text) {
    return switch (text) {
      case "infinity" -> ColumnType.INFINITE_DATE;
      case "-infinity" -> ColumnType.MINUS_INFINITE_DATE;
      default -> parse(text, t -> date(LocalDate.parse(withoutZulu(t)).toEpochDay()));
    };
  }

  static long isoTime(String text) {
    return withoutZulu(text).startsWith("24:00")
        ? MICROS_PER_DAY
        : parse(text, t -> LocalTime.parse(withoutZulu(t)).toNanoOfDay() / 1000);
  }

  /** Microseconds since midnight UTC of an ISO time with offset. */
  static long offsetTime(String text) {
    return parse(
        text,
        t ->
            OffsetTime.parse(t).withOffsetSameInstant(ZoneOffset.UTC).toLocalTime().toNanoOfDay()
                / 1000);
  }

  static long isoTimestamp(String text) {
    return switch (text) {
      case "infinity" -> ColumnType.INFINITE_TIMESTAMP;
      case "-infinity" -> ColumnType.MINUS_INFINITE_TIMESTAMP;
      default -> parse(text, t -> micros(LocalDateTime.parse(withoutZulu(t))));
    };
  }

  /** Microseconds since 1970 UTC of an ISO instant, which Debezium writes in UTC. */
  static long instant(String text) {
    if (text.equals("infinity")) {
      return ColumnType.INFINITE_TIMESTAMP;
    }
    if (text.equals("-infinity")) {
      return ColumnType.MINUS_INFINITE_TIMESTAMP;
    }
    return parse(
        text,
        t ->
            micros(
                OffsetDateTime.parse(t).withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime()));
  }

  static String dateText(int days) {
    return switch (days) {
      case ColumnType.INFINITE_DATE -> "infinity";
      case ColumnType.MINUS_INFINITE_DATE -> "-infinity";
      default -> LocalDate.ofEpochDay(days).toString();
    };
  }

  static String timeText(long micros) {
    return micros == MICROS_PER_DAY ? "24:00" : LocalTime.ofNanoOfDay(micros * 1000).toString();
  }

  static String timestampText(long micros) {
    if (micros == ColumnType.INFINITE_TIMESTAMP) {
      return "infinity";
    }
    if (micros == ColumnType.MINUS_INFINITE_TIMESTAMP) {
      return "-infinity";
    }
    return LocalDateTime.ofEpochSecond(
            Math.floorDiv(micros, MICROS_PER_SECOND),
            (int) Math.floorMod(micros, MICROS_PER_SECOND) * 1000,
            ZoneOffset.UTC)
        .toString();
  }

  private static long micros(LocalDateTime local) {
    return timestamp(
        Math.addExact(
            Math.multiplyExact(local.toEpochSecond(ZoneOffset.UTC), MICROS_PER_SECOND),
            local.get(ChronoField.MICRO_OF_SECOND)));
  }

  private static String withoutZulu(String text) {
    return text.endsWith("Z") ? text.substring(0, text.length() - 1) : text;
  }

  private interface Reading<T> {
    T of(String text);
  }

  private static <T> T parse(String text, Reading<T> reading) {
    try {
      return reading.of(text);
    } catch (DateTimeParseException e) {
      throw new ValueRefusedException("'" + Shown.of(text) + "' is not an ISO date or time", e);
    } catch (DateTimeException | ArithmeticException e) {
      throw new ValueRefusedException("'" + Shown.of(text) + "' is outside the calendar", e);
    }
  }
}
