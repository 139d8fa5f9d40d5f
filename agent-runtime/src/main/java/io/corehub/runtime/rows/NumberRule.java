package io.corehub.runtime.rows;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.ColumnVector;
import io.corehub.parquet.ParquetType;
import io.corehub.runtime.text.Text;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;

/** Turns numbers into numbers of another type, exactly or not at all. Thread-safe. */
abstract class NumberRule implements CellRule {

  private final Column column;
  private final String wanted;

  private NumberRule(Column column, String wanted) {
    this.column = column;
    this.wanted = wanted;
  }

  final BigDecimal number(ColumnVector in, int row) {
    return CellValues.number(column.type(), in, row);
  }

  final Column column() {
    return column;
  }

  final RefusedValueException refused(ColumnVector in, int row) {
    return new RefusedValueException(
        row,
        "column '"
            + Text.shown(column.name())
            + "': "
            + CellValues.shown(column.type(), in, row)
            + " does not fit "
            + wanted
            + " exactly. Choose a wider target type, or string.");
  }

  /** To 32-bit integers, or those of 16 bits. */
  static final class ToInt extends NumberRule {
    private final BigDecimal least;
    private final BigDecimal greatest;

    ToInt(Column column, boolean narrow) {
      super(column, narrow ? "smallint" : "int");
      this.least = BigDecimal.valueOf(narrow ? Short.MIN_VALUE : Integer.MIN_VALUE);
      this.greatest = BigDecimal.valueOf(narrow ? Short.MAX_VALUE : Integer.MAX_VALUE);
    }

    @Override
    public ColumnVector apply(ColumnVector in, int from, int to, Replacements replacements) {
      int[] values = new int[in.size()];
      for (int row = from; row < to; row++) {
        if (!in.nulls().isNull(row)) {
          BigDecimal number = number(in, row);
          if (number.compareTo(least) < 0 || number.compareTo(greatest) > 0 || !whole(number)) {
            throw refused(in, row);
          }
          values[row] = number.intValueExact();
        }
      }
      return new ColumnVector.OfInt(values, in.size(), in.nulls());
    }
  }

  /** To 64-bit integers. */
  static final class ToLong extends NumberRule {
    private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal GREATEST = BigDecimal.valueOf(Long.MAX_VALUE);

    ToLong(Column column) {
      super(column, "long");
    }

    @Override
    public ColumnVector apply(ColumnVector in, int from, int to, Replacements replacements) {
      long[] values = new long[in.size()];
      for (int row = from; row < to; row++) {
        if (!in.nulls().isNull(row)) {
          BigDecimal number = number(in, row);
          if (number.compareTo(LEAST) < 0 || number.compareTo(GREATEST) > 0 || !whole(number)) {
            throw refused(in, row);
          }
          values[row] = number.longValueExact();
        }
      }
      return new ColumnVector.OfLong(values, in.size(), in.nulls());
    }
  }

  private static boolean whole(BigDecimal number) {
    return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
  }

  /** To 32-bit floating point. */
  static final class ToFloat extends NumberRule {
    ToFloat(Column column) {
      super(column, "float");
    }

    @Override
    public ColumnVector apply(ColumnVector in, int from, int to, Replacements replacements) {
      float[] values = new float[in.size()];
      for (int row = from; row < to; row++) {
        if (in.nulls().isNull(row)) {
          continue;
        }
        if (in instanceof ColumnVector.OfDouble doubles) {
          double value = doubles.values()[row];
          values[row] = (float) value;
          if (Double.compare(values[row], value) != 0 && !Double.isNaN(value)) {
            throw refused(in, row);
          }
        } else {
          BigDecimal number = number(in, row);
          values[row] = number.floatValue();
          if (Float.isInfinite(values[row]) || new BigDecimal(values[row]).compareTo(number) != 0) {
            throw refused(in, row);
          }
        }
      }
      return new ColumnVector.OfFloat(values, in.size(), in.nulls());
    }
  }

  /** To 64-bit floating point. */
  static final class ToDouble extends NumberRule {
    ToDouble(Column column) {
      super(column, "double");
    }

    @Override
    public ColumnVector apply(ColumnVector in, int from, int to, Replacements replacements) {
      double[] values = new double[in.size()];
      for (int row = from; row < to; row++) {
        if (in.nulls().isNull(row)) {
          continue;
        }
        if (in instanceof ColumnVector.OfFloat floats) {
          values[row] = floats.values()[row];
        } else {
          BigDecimal number = number(in, row);
          values[row] = number.doubleValue();
          if (Double.isInfinite(values[row])
              || new BigDecimal(values[row]).compareTo(number) != 0) {
            throw refused(in, row);
          }
        }
      }
      return new ColumnVector.OfDouble(values, in.size(), in.nulls());
    }
  }

  /** To decimals of fixed precision and scale, never rounded. */
  static final class ToDecimal extends NumberRule {
    private final ParquetType type;

    ToDecimal(Column column, ParquetType type) {
      super(column, type.toString());
      this.type = type;
    }

    @Override
    public ColumnVector apply(ColumnVector in, int from, int to, Replacements replacements) {
      ByteArrayOutputStream data = new ByteArrayOutputStream();
      int[] offsets = new int[in.size() + 1];
      for (int row = from; row < to; row++) {
        offsets[row] = data.size();
        if (!in.nulls().isNull(row)) {
          data.writeBytes(scaled(in, row).unscaledValue().toByteArray());
        }
      }
      for (int row = to; row <= in.size(); row++) {
        offsets[row] = data.size();
      }
      return new ColumnVector.OfBytes(data.toByteArray(), offsets, in.size(), in.nulls());
    }

    private BigDecimal scaled(ColumnVector in, int row) {
      if (infinite(in, row)) {
        throw refused(in, row);
      }
      BigDecimal number = number(in, row);
      if (number.signum() == 0) {
        return BigDecimal.ZERO.setScale(type.scale());
      }
      BigDecimal shortest = number.stripTrailingZeros();
      boolean fits =
          shortest.scale() <= type.scale()
              && (long) shortest.precision() - shortest.scale() <= type.precision() - type.scale();
      if (!fits) {
        throw refused(in, row);
      }
      return shortest.setScale(type.scale());
    }

    private boolean infinite(ColumnVector in, int row) {
      Kind kind = column().type().kind();
      return (kind == Kind.FLOAT && !Float.isFinite(((ColumnVector.OfFloat) in).values()[row]))
          || (kind == Kind.DOUBLE && !Double.isFinite(((ColumnVector.OfDouble) in).values()[row]));
    }
  }
}
