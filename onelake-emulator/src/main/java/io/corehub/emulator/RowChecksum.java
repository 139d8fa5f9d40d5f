package io.corehub.emulator;

import java.math.BigDecimal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A checksum of a set of rows that does not depend on their order, so that two sides that hold the
 * same table can be compared without sorting it.
 *
 * <p>A row becomes one JSON object in UTF-8 without blanks: its columns ordered by name (as Java
 * orders strings), NULL columns left out, values as {@link CanonicalValue} says, except that
 * decimals lose their trailing zeros. The first eight bytes of its SHA-256, big-endian, are the
 * row's number; the checksum is the sum of all of them modulo 2^64. Equal rows that appear twice
 * count twice, and a column that is NULL everywhere counts as absent.
 *
 * <p>Confined to one caller at a time.
 */
public final class RowChecksum {
  private final MessageDigest digest;
  private final StringBuilder text = new StringBuilder();
  private List<String> columns = List.of();
  private int[] order = new int[0];
  private long sum;
  private long rows;

  /** The checksum of no rows. */
  public RowChecksum() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Adds a row.
   *
   * @param names of the columns; giving the same list for many rows is fastest
   * @param values one per name, of the types that {@link CanonicalValue} lists or canonical already
   */
  public void add(List<String> names, @Nullable Object[] values) {
    if (names.size() != values.length) {
      throw new IllegalArgumentException(
          names.size() + " column names but " + values.length + " values");
    }
    if (!names.equals(columns)) {
      columns = List.copyOf(names);
      order = order(columns);
    }
    text.setLength(0);
    text.append('{');
    for (int index : order) {
      @Nullable Object value = canonical(values[index]);
      if (value != null) {
        if (text.length() > 1) {
          text.append(',');
        }
        CanonicalValue.appendQuoted(text, columns.get(index));
        text.append(':');
        CanonicalValue.appendJson(text, value);
      }
    }
    text.append('}');
    byte[] hash = digest.digest(CanonicalValue.utf8(text));
    long number = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      number = (number << 8) | (hash[i] & 0xff);
    }
    sum += number;
    rows++;
  }

  /** The sum so far; an unsigned 64-bit number. */
  public long value() {
    return sum;
  }

  /** Rows added so far. */
  public long rows() {
    return rows;
  }

  /** The sum as 16 hexadecimal digits. */
  @Override
  public String toString() {
    return String.format("%016x", sum);
  }

  private static @Nullable Object canonical(@Nullable Object value) {
    if (value instanceof BigDecimal decimal) {
      return decimal.signum() == 0 ? "0" : decimal.stripTrailingZeros().toPlainString();
    }
    return CanonicalValue.of(value);
  }

  private static int[] order(List<String> names) {
    TreeMap<String, Integer> byName = new TreeMap<>();
    for (int i = 0; i < names.size(); i++) {
      byName.put(names.get(i), i);
    }
    if (byName.size() != names.size()) {
      throw new IllegalArgumentException("a column name appears twice in " + names);
    }
    List<Integer> indexes = new ArrayList<>(byName.values());
    return indexes.stream().mapToInt(Integer::intValue).toArray();
  }
}
