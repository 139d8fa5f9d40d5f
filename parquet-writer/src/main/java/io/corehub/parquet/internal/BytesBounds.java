package io.corehub.parquet.internal;

import java.util.Arrays;
import java.util.Optional;
import org.apache.parquet.format.Statistics;

/**
 * Bounds of the byte strings of a row group in unsigned order, each of at most {@link
 * #LONGEST_BOUND} bytes: a longer least value is cut, a longer greatest value is cut and raised.
 */
final class BytesBounds {

  static final int LONGEST_BOUND = 64;

  private final boolean text;
  private final Candidate least = new Candidate();
  private final Candidate greatest = new Candidate();
  private boolean any;

  BytesBounds(boolean text) {
    this.text = text;
  }

  void reset() {
    any = false;
  }

  void add(byte[] data, int from, int length) {
    long prefix = Bytes.prefix(data, from, length) ^ Long.MIN_VALUE;
    if (!any) {
      any = true;
      least.take(prefix, data, from, length);
      greatest.take(prefix, data, from, length);
      return;
    }
    if (prefix < least.prefix
        || (prefix == least.prefix && least.compareTo(data, from, length) > 0)) {
      least.take(prefix, data, from, length);
    }
    if (prefix > greatest.prefix
        || (prefix == greatest.prefix && greatest.compareTo(data, from, length) < 0)) {
      greatest.take(prefix, data, from, length);
    }
  }

  /**
   * Takes values that lie one behind the other.
   *
   * @param data their bytes
   * @param offsets where each begins, and where the last ends
   * @param from the first
   * @param count how many, at least one
   */
  void addAll(byte[] data, int[] offsets, int from, int count) {
    int low = from;
    int high = from;
    long lowPrefix = prefix(data, offsets, from);
    long highPrefix = lowPrefix;
    for (int row = from + 1; row < from + count; row++) {
      long prefix = prefix(data, offsets, row);
      if (prefix > highPrefix || (prefix == highPrefix && compare(data, offsets, row, high) > 0)) {
        high = row;
        highPrefix = prefix;
      } else if (prefix < lowPrefix
          || (prefix == lowPrefix && compare(data, offsets, row, low) < 0)) {
        low = row;
        lowPrefix = prefix;
      }
    }
    add(data, offsets[low], offsets[low + 1] - offsets[low]);
    add(data, offsets[high], offsets[high + 1] - offsets[high]);
  }

  private static long prefix(byte[] data, int[] offsets, int row) {
    return Bytes.prefix(data, offsets[row], offsets[row + 1] - offsets[row]) ^ Long.MIN_VALUE;
  }

  private static int compare(byte[] data, int[] offsets, int left, int right) {
    return Arrays.compareUnsigned(
        data, offsets[left], offsets[left + 1], data, offsets[right], offsets[right + 1]);
  }

  Statistics statistics() {
    Statistics statistics = new Statistics();
    if (any) {
      if (least.isWhole()) {
        statistics.setMin_value(least.copy());
        statistics.setIs_min_value_exact(true);
      } else {
        cut(least).ifPresent(min -> statistics.setMin_value(min).setIs_min_value_exact(false));
      }
      if (greatest.isWhole()) {
        statistics.setMax_value(greatest.copy());
        statistics.setIs_max_value_exact(true);
      } else {
        cut(greatest)
            .flatMap(max -> text ? BoundTruncation.raiseText(max) : BoundTruncation.raise(max))
            .ifPresent(max -> statistics.setMax_value(max).setIs_max_value_exact(false));
      }
    }
    return statistics;
  }

  private Optional<byte[]> cut(Candidate value) {
    return text
        ? BoundTruncation.cutText(value.bytes, LONGEST_BOUND)
        : Optional.of(Arrays.copyOf(value.bytes, LONGEST_BOUND));
  }

  /** The start of a value: one byte more than a bound may have, which tells whether it is whole. */
  private static final class Candidate {
    final byte[] bytes = new byte[LONGEST_BOUND + 1];
    long prefix;
    int length;

    void take(long newPrefix, byte[] data, int from, int valueLength) {
      prefix = newPrefix;
      length = Math.min(valueLength, bytes.length);
      System.arraycopy(data, from, bytes, 0, length);
    }

    int compareTo(byte[] data, int from, int valueLength) {
      int compared = Math.min(valueLength, bytes.length);
      return Arrays.compareUnsigned(bytes, 0, length, data, from, from + compared);
    }

    boolean isWhole() {
      return length <= LONGEST_BOUND;
    }

    byte[] copy() {
      return Arrays.copyOf(bytes, length);
    }
  }
}
