package io.corehub.runtime.rows;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import io.corehub.runtime.text.Text;
import java.util.Arrays;

/** Keeps dates, times and timestamps within what Parquet and its readers hold. Thread-safe. */
final class RangeRule implements CellRule {

  private static final int FIRST_DAY = -719_162;
  private static final int LAST_DAY = 2_932_896;
  private static final long LAST_MICRO = ColumnType.END_OF_DAY - 1;
  private static final long FIRST_MOMENT = FIRST_DAY * ColumnType.END_OF_DAY;
  private static final long LAST_MOMENT = LAST_DAY * ColumnType.END_OF_DAY + LAST_MICRO;

  private final Column column;
  private final Unfit unfit;
  private final boolean text;
  private final long least;
  private final long greatest;

  /**
   * A rule.
   *
   * @param column the column
   * @param text whether it is written as text, which holds everything but 24:00 at an offset: that
   *     is told in UTC, where it is another time of day
   * @param unfit what becomes of values beyond the range
   */
  RangeRule(Column column, boolean text, Unfit unfit) {
    this.column = column;
    this.text = text;
    this.unfit = unfit;
    switch (column.type().kind()) {
      case LOCAL_DATE -> {
        this.least = FIRST_DAY;
        this.greatest = LAST_DAY;
      }
      case LOCAL_TIME -> {
        this.least = 0;
        this.greatest = text ? ColumnType.END_OF_DAY : LAST_MICRO;
      }
      case OFFSET_TIME -> {
        this.least = 0;
        this.greatest = LAST_MICRO;
      }
      default -> {
        this.least = text ? ColumnType.FIRST_TIMESTAMP : FIRST_MOMENT;
        this.greatest = text ? ColumnType.INFINITE_TIMESTAMP : LAST_MOMENT;
      }
    }
  }

  private boolean bad(long value) {
    return (value < least || value > greatest)
        && !(text && value == ColumnType.MINUS_INFINITE_TIMESTAMP);
  }

  @Override
  public ColumnVector apply(ColumnVector in, int from, int to, Replacements replacements) {
    int bad =
        in instanceof ColumnVector.OfInt days ? badDay(days, from, to) : badMicros(in, from, to);
    return bad < 0 ? in : repaired(in, bad, to, replacements);
  }

  private int badDay(ColumnVector.OfInt in, int from, int to) {
    int[] values = in.values();
    boolean anyNull = in.nulls().any();
    for (int row = from; row < to; row++) {
      if (bad(values[row]) && !(anyNull && in.nulls().isNull(row))) {
        return row;
      }
    }
    return -1;
  }

  private int badMicros(ColumnVector in, int from, int to) {
    long[] values = ((ColumnVector.OfLong) in).values();
    boolean anyNull = in.nulls().any();
    for (int row = from; row < to; row++) {
      if (bad(values[row]) && !(anyNull && in.nulls().isNull(row))) {
        return row;
      }
    }
    return -1;
  }

  private ColumnVector repaired(ColumnVector in, int first, int to, Replacements replacements) {
    if (unfit.stops()) {
      throw new RefusedValueException(
          first,
          "column '"
              + Text.shown(column.name())
              + "': "
              + CellValues.shown(column.type(), in, first)
              + " lies outside what a "
              + column.type()
              + " can be in the files ("
              + range()
              + "). "
              + unfit.advice());
    }
    return in instanceof ColumnVector.OfInt days
        ? repairedDays(days, first, to, replacements)
        : repairedMicros((ColumnVector.OfLong) in, first, to, replacements);
  }

  private ColumnVector repairedDays(
      ColumnVector.OfInt in, int first, int to, Replacements replacements) {
    int[] values = Arrays.copyOf(in.values(), in.size());
    long[] present = Vectors.presentBits(in);
    for (int row = first; row < to; row++) {
      if (!in.nulls().isNull(row) && bad(values[row])) {
        values[row] = (int) nearest(values[row]);
        forget(present, row, replacements);
      }
    }
    return new ColumnVector.OfInt(values, in.size(), Nulls.ofPresentBits(present, in.size()));
  }

  private ColumnVector repairedMicros(
      ColumnVector.OfLong in, int first, int to, Replacements replacements) {
    long[] values = Arrays.copyOf(in.values(), in.size());
    long[] present = Vectors.presentBits(in);
    for (int row = first; row < to; row++) {
      if (!in.nulls().isNull(row) && bad(values[row])) {
        values[row] = nearest(values[row]);
        forget(present, row, replacements);
      }
    }
    return new ColumnVector.OfLong(values, in.size(), Nulls.ofPresentBits(present, in.size()));
  }

  private void forget(long[] present, int row, Replacements replacements) {
    if (unfit.nulls()) {
      Vectors.clear(present, row);
    }
    replacements.count();
  }

  /** The last microsecond of its day for 24:00, otherwise the end of the range. */
  private long nearest(long value) {
    return switch (column.type().kind()) {
      case OFFSET_TIME -> Math.floorMod(value - 1, ColumnType.END_OF_DAY);
      case LOCAL_DATE_TIME, OFFSET_DATE_TIME ->
          clamped(ColumnType.isEndOfDay(value) ? ColumnType.midnightOf(value) - 1 : value);
      default -> clamped(value);
    };
  }

  private long clamped(long value) {
    return Math.max(least, Math.min(greatest, value));
  }

  private String range() {
    return switch (column.type().kind()) {
      case LOCAL_TIME, OFFSET_TIME -> "00:00 to 23:59:59.999999";
      case LOCAL_DATE -> "years 0001 to 9999";
      default -> "years 0001 to 9999 in UTC, and no 24:00";
    };
  }

  /** Dates as the timestamps of their midnights. */
  static ColumnVector midnights(ColumnVector in, int from, int to, Replacements replacements) {
    int[] days = ((ColumnVector.OfInt) in).values();
    long[] micros = new long[in.size()];
    for (int row = from; row < to; row++) {
      micros[row] = days[row] * ColumnType.END_OF_DAY;
    }
    return new ColumnVector.OfLong(micros, in.size(), in.nulls());
  }
}
