package io.corehub.runtime.rows;

import io.corehub.agent.table.ColumnVector;
import java.util.Arrays;

/** Compares cells of one column. Pure. */
public final class Cells {

  private Cells() {}

  /** Whether two rows hold the same value; NULL equals NULL, NaN equals NaN. */
  public static boolean equal(ColumnVector column, int row, int other) {
    return equal(column, row, column, other);
  }

  /** Whether two rows of vectors of one storage hold the same value. */
  public static boolean equal(ColumnVector column, int row, ColumnVector second, int other) {
    boolean isNull = column.nulls().isNull(row);
    if (isNull || second.nulls().isNull(other)) {
      return isNull && second.nulls().isNull(other);
    }
    if (column instanceof ColumnVector.OfInt ints) {
      return ints.values()[row] == ((ColumnVector.OfInt) second).values()[other];
    }
    if (column instanceof ColumnVector.OfLong longs) {
      return longs.values()[row] == ((ColumnVector.OfLong) second).values()[other];
    }
    if (column instanceof ColumnVector.OfBytes bytes) {
      ColumnVector.OfBytes others = (ColumnVector.OfBytes) second;
      return Arrays.equals(
          bytes.data(),
          bytes.offsets()[row],
          bytes.offsets()[row + 1],
          others.data(),
          others.offsets()[other],
          others.offsets()[other + 1]);
    }
    if (column instanceof ColumnVector.OfBoolean booleans) {
      return booleans.values()[row] == ((ColumnVector.OfBoolean) second).values()[other];
    }
    if (column instanceof ColumnVector.OfDouble doubles) {
      return Double.compare(doubles.values()[row], ((ColumnVector.OfDouble) second).values()[other])
          == 0;
    }
    return Float.compare(
            ((ColumnVector.OfFloat) column).values()[row],
            ((ColumnVector.OfFloat) second).values()[other])
        == 0;
  }
}
