package io.corehub.cycles;

import io.corehub.agent.table.ColumnType;

/**
 * Dates and times of the years 0001 to 9999 as CSV holds them: {@code yyyy-MM-dd}, {@code
 * HH:mm:ss.SSSSSS}, and both with a space between.
 */
final class CsvTimes {

  private static final int DAYS_OF_400_YEARS = 146_097;
  private static final int DAYS_TO_1970 = 719_468;
  private static final int MICROS = 1_000_000;

  private CsvTimes() {}

  static void timestamp(long micros, CsvBuffer to) {
    long day = Math.floorDiv(micros, ColumnType.END_OF_DAY);
    date((int) day, to);
    to.put(' ');
    time(micros - day * ColumnType.END_OF_DAY, to);
  }

  /** Counts in years that begin in March, so that the leap day is the last of its year. */
  static void date(int epochDay, CsvBuffer to) {
    int days = epochDay + DAYS_TO_1970;
    int era = Math.floorDiv(days, DAYS_OF_400_YEARS);
    int day = days - era * DAYS_OF_400_YEARS;
    int year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    int dayOfYear = day - (365 * year + year / 4 - year / 100);
    int month = (5 * dayOfYear + 2) / 153;
    int dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1;
    int calendarMonth = month < 10 ? month + 3 : month - 9;
    int calendarYear = year + era * 400 + (calendarMonth <= 2 ? 1 : 0);
    to.two(calendarYear / 100);
    to.two(calendarYear % 100);
    to.put('-');
    to.two(calendarMonth);
    to.put('-');
    to.two(dayOfMonth);
  }

  static void time(long microsOfDay, CsvBuffer to) {
    int seconds = (int) (microsOfDay / MICROS);
    int micros = (int) (microsOfDay - (long) seconds * MICROS);
    to.two(seconds / 3600);
    to.put(':');
    to.two(seconds / 60 % 60);
    to.put(':');
    to.two(seconds % 60);
    to.put('.');
    to.two(micros / 10_000);
    to.two(micros / 100 % 100);
    to.two(micros % 100);
  }
}
