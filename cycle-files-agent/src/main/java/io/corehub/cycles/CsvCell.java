package io.corehub.cycles;

import io.corehub.agent.table.ColumnVector;
import io.corehub.parquet.ParquetType;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Base64;

/**
 * Writes the values of one vector into CSV, without the quotes around them. A row that is NULL must
 * not be asked for.
 */
interface CsvCell {

  /**
   * Writes a value; {@link CsvBuffer#SPARE} bytes are free before.
   *
   * @param row row index
   * @param to takes it
   * @throws IOException if the bytes cannot be written
   */
  void put(int row, CsvBuffer to) throws IOException;

  /**
   * The values of a column.
   *
   * @param type type of the column in the files
   * @param vector its values
   */
  static CsvCell of(ParquetType type, ColumnVector vector) {
    return switch (type.kind()) {
      case BOOLEAN -> booleans((ColumnVector.OfBoolean) vector);
      case INT32 -> ints((ColumnVector.OfInt) vector);
      case INT64 -> longs((ColumnVector.OfLong) vector);
      case FLOAT -> floats((ColumnVector.OfFloat) vector);
      case DOUBLE -> doubles((ColumnVector.OfDouble) vector);
      case STRING -> texts((ColumnVector.OfBytes) vector);
      case BINARY -> binaries((ColumnVector.OfBytes) vector);
      case DATE -> dates((ColumnVector.OfInt) vector);
      case TIME_MICROS -> times((ColumnVector.OfLong) vector, false);
      case TIME_MICROS_UTC -> times((ColumnVector.OfLong) vector, true);
      case TIMESTAMP_MICROS -> timestamps((ColumnVector.OfLong) vector, false);
      case TIMESTAMP_MICROS_UTC -> timestamps((ColumnVector.OfLong) vector, true);
      case DECIMAL ->
          vector instanceof ColumnVector.OfLong unscaled
              ? decimals(unscaled, type.scale())
              : wideDecimals((ColumnVector.OfBytes) vector, type.scale());
    };
  }

  private static CsvCell booleans(ColumnVector.OfBoolean vector) {
    boolean[] values = vector.values();
    return (row, to) -> to.ascii(values[row] ? "true" : "false");
  }

  private static CsvCell ints(ColumnVector.OfInt vector) {
    int[] values = vector.values();
    return (row, to) -> to.number(values[row]);
  }

  private static CsvCell longs(ColumnVector.OfLong vector) {
    long[] values = vector.values();
    return (row, to) -> to.number(values[row]);
  }

  private static CsvCell floats(ColumnVector.OfFloat vector) {
    float[] values = vector.values();
    return (row, to) -> to.ascii(Float.toString(values[row]));
  }

  private static CsvCell doubles(ColumnVector.OfDouble vector) {
    double[] values = vector.values();
    return (row, to) -> to.ascii(Double.toString(values[row]));
  }

  private static CsvCell texts(ColumnVector.OfBytes vector) {
    byte[] data = vector.data();
    int[] offsets = vector.offsets();
    return (row, to) -> to.escaped(data, offsets[row], offsets[row + 1] - offsets[row]);
  }

  private static CsvCell binaries(ColumnVector.OfBytes vector) {
    // A whole number of groups of three, so that the pieces join into one text.
    int piece = 3 << 11;
    byte[] data = vector.data();
    int[] offsets = vector.offsets();
    Base64.Encoder base64 = Base64.getEncoder();
    return (row, to) -> {
      for (int from = offsets[row]; from < offsets[row + 1]; from += piece) {
        byte[] text =
            base64.encode(Arrays.copyOfRange(data, from, Math.min(offsets[row + 1], from + piece)));
        to.raw(text, 0, text.length);
      }
    };
  }

  private static CsvCell dates(ColumnVector.OfInt vector) {
    int[] values = vector.values();
    return (row, to) -> CsvTimes.date(values[row], to);
  }

  private static CsvCell times(ColumnVector.OfLong vector, boolean utc) {
    long[] values = vector.values();
    return (row, to) -> {
      CsvTimes.time(values[row], to);
      if (utc) {
        to.put('Z');
      }
    };
  }

  private static CsvCell timestamps(ColumnVector.OfLong vector, boolean utc) {
    long[] values = vector.values();
    return (row, to) -> {
      CsvTimes.timestamp(values[row], to);
      if (utc) {
        to.put('Z');
      }
    };
  }

  private static CsvCell decimals(ColumnVector.OfLong vector, int scale) {
    long[] values = vector.values();
    long one = power(scale);
    return (row, to) -> {
      long value = values[row];
      if (value < 0) {
        to.put('-');
      }
      // No BIG_DECIMAL of 18 digits is the least long, so its sign can be turned.
      long unsigned = Math.abs(value);
      to.digits(unsigned / one, 1);
      if (scale > 0) {
        to.put('.');
        to.digits(unsigned % one, scale);
      }
    };
  }

  private static long power(int scale) {
    long power = 1;
    for (int i = 0; i < scale; i++) {
      power *= 10;
    }
    return power;
  }

  private static CsvCell wideDecimals(ColumnVector.OfBytes vector, int scale) {
    return (row, to) ->
        to.ascii(new BigDecimal(new BigInteger(vector.copyOf(row)), scale).toPlainString());
  }
}
