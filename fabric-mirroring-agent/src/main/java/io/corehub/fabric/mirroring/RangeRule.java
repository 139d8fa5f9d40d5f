package io.corehub.fabric.mirroring;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import java.util.Arrays;

/** Keeps dates, times and timestamps within what Parquet and Fabric hold. Thread-safe. */
final class RangeRule implements CellRule {

  private static final int FIRST_DAY = -719_162;
  private static final int LAST_DAY = 2_932_896;
  private static final long LAST_MICRO = CellValues.MICROS_PER_DAY - 1;

  private final Column column;
  private final TypeRules.Unrepresentable policy;
  private final long least;
  private final long greatest;

  RangeRule(Column column, TypeRules.Unrepresentable policy) {
    this.column = column;
    this.policy = policy;
    Kind kind = column.type().kind();
    if (kind == Kind.LOCAL_DATE) {
      this.least = FIRST_DAY;
      this.greatest = LAST_DAY;
    } else if (kind == Kind.LOCAL_TIME || kind == Kind.OFFSET_TIME) {
      this.least = 0;
      this.greatest = LAST_MICRO;
    } else {
      this.least = FIRST_DAY * CellValues.MICROS_PER_DAY;
      this.greatest = LAST_DAY * CellValues.MICROS_PER_DAY + LAST_MICRO;
    }
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
      if ((values[row] < least || values[row] > greatest) && !(anyNull && in.nulls().isNull(row))) {
        return row;
      }
    }
    return -1;
  }

  private int badMicros(ColumnVector in, int from, int to) {
    long[] values = ((ColumnVector.OfLong) in).values();
    boolean anyNull = in.nulls().any();
    for (int row = from; row < to; row++) {
      if ((values[row] < least || values[row] > greatest) && !(anyNull && in.nulls().isNull(row))) {
        return row;
      }
    }
    return -1;
  }

  private ColumnVector repaired(ColumnVector in, int first, int to, Replacements replacements) {
    if (policy == TypeRules.Unrepresentable.STOP) {
      throw new RefusedValueException(
          first,
          "column '"
              + Text.shown(column.name())
              + "': "
              + CellValues.shown(column.type(), in, first)
              + " lies outside what a "
              + column.type()
              + " can be in Fabric ("
              + range()
              + "). Correct it in the source, or set unrepresentableValues to null or replace.");
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
      if (!in.nulls().isNull(row) && (values[row] < least || values[row] > greatest)) {
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
      if (!in.nulls().isNull(row) && (values[row] < least || values[row] > greatest)) {
        values[row] = nearest(values[row]);
        forget(present, row, replacements);
      }
    }
    return new ColumnVector.OfLong(values, in.size(), Nulls.ofPresentBits(present, in.size()));
  }

  private void forget(long[] present, int row, Replacements replacements) {
    if (policy == TypeRules.Unrepresentable.NULL) {
      Vectors.clear(present, row);
    }
    replacements.count();
  }

  private long nearest(long value) {
    return value < least ? least : greatest;
  }

  private String range() {
    return switch (column.type().kind()) {
      case LOCAL_TIME, OFFSET_TIME -> "00:00 to 23:59:59.999999";
      default -> "years 0001 to 9999 in UTC";
    };
  }

  /** Dates as the timestamps of their midnights. */
  static ColumnVector midnights(ColumnVector in, int from, int to, Replacements replacements) {
    int[] days = ((ColumnVector.OfInt) in).values();
    long[] micros = new long[in.size()];
    for (int row = from; row < to; row++) {
      micros[row] = days[row] * CellValues.MICROS_PER_DAY;
    }
    return new ColumnVector.OfLong(micros, in.size(), in.nulls());
  }
}
