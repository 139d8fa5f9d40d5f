package io.corehub.hub.stream;

import io.corehub.agent.table.ColumnType;
import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * Reads ISO-8601 dates, times and timestamps into the units of column vectors. Digits below a
 * microsecond are cut toward the past and counted. Confined to one caller.
 */
final class TemporalText {

  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final long MICROS_PER_DAY = ColumnType.END_OF_DAY;
  private static final int MAX_OFFSET_SECONDS = 18 * 3600;

  private String text = "";
  private int at;
  private long truncated;

  /** Values whose digits below a microsecond were cut, since the last call. */
  long takeTruncated() {
    long count = truncated;
    truncated = 0;
    return count;
  }

  int date(String value) throws MalformedException, UnfitException {
    int infinity = infinity(value);
    if (infinity != 0) {
      return infinity > 0 ? ColumnType.INFINITE_DATE : ColumnType.MINUS_INFINITE_DATE;
    }
    begin(value);
    long day = day();
    end();
    if (day >= ColumnType.INFINITE_DATE || day <= ColumnType.MINUS_INFINITE_DATE) {
      throw new UnfitException("the date is out of range");
    }
    return (int) day;
  }

  long time(String value) throws MalformedException {
    begin(value);
    long micros = timeOfDay();
    end();
    return micros;
  }

  long offsetTime(String value) throws MalformedException {
    begin(value);
    long micros = timeOfDay();
    long offset = offset() * MICROS_PER_SECOND;
    end();
    long inUtc = Math.floorMod(micros - offset, MICROS_PER_DAY);
    return micros == MICROS_PER_DAY ? ColumnType.END_OF_DAY + inUtc : inUtc;
  }

  long dateTime(String value) throws MalformedException, UnfitException {
    int infinity = infinity(value);
    if (infinity != 0) {
      return infinityMicros(infinity);
    }
    begin(value);
    long micros = dayAndTime(0);
    end();
    return micros;
  }

  long instant(String value) throws MalformedException, UnfitException {
    int infinity = infinity(value);
    if (infinity != 0) {
      return infinityMicros(infinity);
    }
    begin(value);
    long day = day();
    expect('T');
    long time = timeOfDay();
    long offset = offset();
    end();
    return micros(day, time, offset);
  }

  private long dayAndTime(long offset) throws MalformedException, UnfitException {
    long day = day();
    expect('T');
    return micros(day, timeOfDay(), offset);
  }

  private static long micros(long day, long timeOfDay, long offsetSeconds) throws UnfitException {
    try {
      long micros =
          Math.addExact(
              Math.multiplyExact(day, MICROS_PER_DAY),
              timeOfDay - offsetSeconds * MICROS_PER_SECOND);
      if (timeOfDay == MICROS_PER_DAY) {
        return ColumnType.endOfDay(micros);
      }
      if (micros >= ColumnType.FIRST_TIMESTAMP && micros != ColumnType.INFINITE_TIMESTAMP) {
        return micros;
      }
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw new UnfitException("the timestamp is out of range");
    }
    throw new UnfitException("the timestamp is out of range");
  }

  private static int infinity(String value) {
    return value.equalsIgnoreCase("infinity") || value.equalsIgnoreCase("+infinity")
        ? 1
        : value.equalsIgnoreCase("-infinity") ? -1 : 0;
  }

  private static long infinityMicros(int sign) {
    return sign > 0 ? ColumnType.INFINITE_TIMESTAMP : ColumnType.MINUS_INFINITE_TIMESTAMP;
  }

  private void begin(String value) {
    text = value;
    at = 0;
  }

  private long day() throws MalformedException {
    char sign = peek();
    boolean signed = sign == '+' || sign == '-';
    if (signed) {
      at++;
    }
    int from = at;
    int year = digits(4, signed ? 9 : 4);
    if (sign == '-') {
      year = -year;
    }
    if (from == at) {
      throw malformed();
    }
    expect('-');
    int month = digits(2, 2);
    expect('-');
    int day = digits(2, 2);
    try {
      return LocalDate.of(year, month, day).toEpochDay();
    } catch (DateTimeException e) {
      throw malformed();
    }
  }

  private long timeOfDay() throws MalformedException {
    int hour = digits(2, 2);
    expect(':');
    int minute = digits(2, 2);
    int second = 0;
    long fraction = 0;
    if (peek() == ':') {
      at++;
      second = digits(2, 2);
      if (peek() == '.' || peek() == ',') {
        at++;
        fraction = fraction();
      }
    }
    long micros = ((hour * 60L + minute) * 60 + second) * MICROS_PER_SECOND + fraction;
    if (minute > 59 || second > 59 || hour > 24 || micros > MICROS_PER_DAY) {
      throw malformed();
    }
    return micros;
  }

  /** Microseconds of up to nine fraction digits. */
  private long fraction() throws MalformedException {
    int from = at;
    long nanos = digits(1, 9);
    for (int i = at - from; i < 9; i++) {
      nanos *= 10;
    }
    if (nanos % 1000 != 0) {
      truncated++;
    }
    return nanos / 1000;
  }

  private int offset() throws MalformedException {
    char sign = peek();
    if (sign == 'Z' || sign == 'z') {
      at++;
      return 0;
    }
    if (sign != '+' && sign != '-') {
      throw new MalformedException("an offset such as Z or +02:00 is missing");
    }
    at++;
    int seconds = digits(2, 2) * 3600;
    if (at < text.length()) {
      boolean colon = peek() == ':';
      at += colon ? 1 : 0;
      seconds += sixty() * 60;
      if (at < text.length()) {
        if (colon) {
          expect(':');
        }
        seconds += sixty();
      }
    }
    if (seconds > MAX_OFFSET_SECONDS) {
      throw malformed();
    }
    return sign == '-' ? -seconds : seconds;
  }

  private int sixty() throws MalformedException {
    int value = digits(2, 2);
    if (value > 59) {
      throw malformed();
    }
    return value;
  }

  private int digits(int least, int most) throws MalformedException {
    int value = 0;
    int from = at;
    while (at < text.length() && at - from < most) {
      char c = text.charAt(at);
      if (c < '0' || c > '9') {
        break;
      }
      value = value * 10 + (c - '0');
      at++;
    }
    if (at - from < least) {
      throw malformed();
    }
    return value;
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private void expect(char wanted) throws MalformedException {
    char c = peek();
    if (c != wanted) {
      throw malformed();
    }
    at++;
  }

  private void end() throws MalformedException {
    if (at != text.length()) {
      throw malformed();
    }
  }

  private static MalformedException malformed() {
    return new MalformedException("it is not ISO-8601");
  }
}
