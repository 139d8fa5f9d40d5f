package io.corehub.parquet.internal;

import io.corehub.parquet.ParquetType;
import org.apache.parquet.format.Statistics;

/** Least and greatest number of a row group, and its NaN count. */
final class NumberBounds {

  private enum Order {
    SIGNED,
    FLOAT,
    DOUBLE
  }

  private final Order order;
  private long min;
  private long max;
  private double floatingMin;
  private double floatingMax;
  private long nans;
  private long values;

  NumberBounds(ParquetType type) {
    order =
        switch (type.kind()) {
          case FLOAT -> Order.FLOAT;
          case DOUBLE -> Order.DOUBLE;
          default -> Order.SIGNED;
        };
    reset();
  }

  void reset() {
    min = Long.MAX_VALUE;
    max = Long.MIN_VALUE;
    floatingMin = Double.POSITIVE_INFINITY;
    floatingMax = Double.NEGATIVE_INFINITY;
    nans = 0;
    values = 0;
  }

  long min() {
    return min;
  }

  long max() {
    return max;
  }

  /** Takes numbers, or the raw bits of floating point numbers. */
  void add(long[] numbers, int count) {
    values += count;
    switch (order) {
      case SIGNED -> addSigned(numbers, count);
      case FLOAT -> addFloats(numbers, count);
      case DOUBLE -> addDoubles(numbers, count);
    }
  }

  private void addSigned(long[] numbers, int count) {
    long least = min;
    long greatest = max;
    for (int i = 0; i < count; i++) {
      least = Math.min(least, numbers[i]);
      greatest = Math.max(greatest, numbers[i]);
    }
    min = least;
    max = greatest;
  }

  private void addFloats(long[] bits, int count) {
    for (int i = 0; i < count; i++) {
      addFloating(Float.intBitsToFloat((int) bits[i]));
    }
  }

  private void addDoubles(long[] bits, int count) {
    for (int i = 0; i < count; i++) {
      addFloating(Double.longBitsToDouble(bits[i]));
    }
  }

  private void addFloating(double value) {
    // Comparisons with NaN are false, so that NaN never becomes a bound.
    if (value < floatingMin) {
      floatingMin = value;
    }
    if (value > floatingMax) {
      floatingMax = value;
    }
    if (Double.isNaN(value)) {
      nans++;
    }
  }

  /** The statistics; each bound as {@code width} bytes, big-endian for a decimal. */
  Statistics statistics(int width, boolean bigEndian) {
    Statistics statistics = new Statistics();
    if (order != Order.SIGNED) {
      statistics.setNan_count(nans);
    }
    // The type's own order has no place for NaN: a chunk that holds one has no bounds.
    if (values == 0 || nans > 0) {
      return statistics;
    }
    statistics.setMin_value(bytes(least(), width, bigEndian));
    statistics.setMax_value(bytes(greatest(), width, bigEndian));
    statistics.setIs_min_value_exact(true);
    statistics.setIs_max_value_exact(true);
    return statistics;
  }

  // Readers may not tell the zeros apart: a least zero stands for both and is written as -0.0, a
  // greatest zero as +0.0.
  private long least() {
    double value = floatingMin == 0 ? -0.0 : floatingMin;
    return switch (order) {
      case SIGNED -> min;
      case FLOAT -> Float.floatToRawIntBits((float) value);
      case DOUBLE -> Double.doubleToRawLongBits(value);
    };
  }

  private long greatest() {
    double value = floatingMax == 0 ? 0.0 : floatingMax;
    return switch (order) {
      case SIGNED -> max;
      case FLOAT -> Float.floatToRawIntBits((float) value);
      case DOUBLE -> Double.doubleToRawLongBits(value);
    };
  }

  private static byte[] bytes(long value, int width, boolean bigEndian) {
    byte[] bytes = new byte[width];
    for (int i = 0; i < width; i++) {
      int shift = 8 * (bigEndian ? width - 1 - i : i);
      bytes[i] = (byte) (value >>> shift);
    }
    return bytes;
  }
}
