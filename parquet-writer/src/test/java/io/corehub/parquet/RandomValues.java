package io.corehub.parquet;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded values of every type, edges included. */
final class RandomValues {

  private static final long DAY_MICROS = 86_400_000_000L;
  private static final int FIRST_DAY = (int) LocalDate.of(1, 1, 1).toEpochDay();
  private static final int LAST_DAY = (int) LocalDate.of(9999, 12, 31).toEpochDay();
  private static final List<String> TEXTS =
      List.of("", "a", "\u0000", "Grüße", "日本語", "😀😀", "a\u0000b", "\uFFFF", "'\"\\", "\n");

  private final Random random;

  RandomValues(long seed) {
    random = new Random(seed);
  }

  /** Every kind of column there is. */
  static List<ParquetType> types() {
    List<ParquetType> types = new ArrayList<>();
    for (ParquetType.Kind kind : ParquetType.Kind.values()) {
      if (kind != ParquetType.Kind.DECIMAL) {
        types.add(new ParquetType(kind, 0, 0));
      }
    }
    for (int precision = 1; precision <= ParquetType.MAX_DECIMAL_PRECISION; precision++) {
      types.add(ParquetType.decimal(precision, precision / 2));
    }
    return types;
  }

  /**
   * A column of values.
   *
   * @param nullShare share of NULLs, 0 to 1
   * @param distinct about how many different values; 0 for any number
   */
  List<Object> column(ParquetType type, int rows, double nullShare, int distinct) {
    List<Object> pool = new ArrayList<>();
    for (int i = 0; i < distinct; i++) {
      pool.add(value(type));
    }
    List<Object> values = new ArrayList<>(rows);
    while (values.size() < rows) {
      boolean isNull = random.nextDouble() < nullShare;
      Object value = pool.isEmpty() ? value(type) : pool.get(random.nextInt(pool.size()));
      // Runs of equal values now and then.
      int run = random.nextInt(50) == 0 ? random.nextInt(40) : 1;
      for (int i = 0; i < run && values.size() < rows; i++) {
        values.add(isNull ? null : value);
      }
    }
    return values;
  }

  Object value(ParquetType type) {
    return switch (type.kind()) {
      case BOOLEAN -> random.nextBoolean();
      case INT32 -> edge() ? Integer.MIN_VALUE : edge() ? Integer.MAX_VALUE : random.nextInt();
      case INT64 -> edge() ? Long.MIN_VALUE : edge() ? Long.MAX_VALUE : random.nextLong();
      case FLOAT -> floatValue();
      case DOUBLE -> doubleValue();
      case STRING -> text().getBytes(StandardCharsets.UTF_8);
      case BINARY -> bytes();
      case DATE -> FIRST_DAY + random.nextInt(LAST_DAY - FIRST_DAY + 1);
      case TIME_MICROS, TIME_MICROS_UTC -> edge() ? DAY_MICROS - 1 : below(DAY_MICROS);
      case TIMESTAMP_MICROS, TIMESTAMP_MICROS_UTC ->
          (FIRST_DAY + below(LAST_DAY - FIRST_DAY + 1L)) * DAY_MICROS + below(DAY_MICROS);
      case DECIMAL -> decimal(type.precision());
    };
  }

  private boolean edge() {
    return random.nextInt(20) == 0;
  }

  private long below(long bound) {
    return Math.floorMod(random.nextLong(), bound);
  }

  private Float floatValue() {
    return switch (random.nextInt(20)) {
      case 0 -> -0.0f;
      case 1 -> 0.0f;
      case 2 -> Float.POSITIVE_INFINITY;
      case 3 -> Float.NEGATIVE_INFINITY;
      case 4 -> Float.NaN;
      case 5 -> Float.MIN_VALUE;
      default -> (float) random.nextGaussian();
    };
  }

  private Double doubleValue() {
    return switch (random.nextInt(20)) {
      case 0 -> -0.0;
      case 1 -> 0.0;
      case 2 -> Double.POSITIVE_INFINITY;
      case 3 -> Double.NEGATIVE_INFINITY;
      case 4 -> Double.NaN;
      case 5 -> Double.MIN_VALUE;
      default -> random.nextGaussian();
    };
  }

  private String text() {
    int parts = random.nextInt(random.nextInt(10) == 0 ? 30 : 4);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < parts; i++) {
      text.append(TEXTS.get(random.nextInt(TEXTS.size())));
    }
    return text.append(random.nextInt(1000)).toString();
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(edge() ? 300 : 12)];
    random.nextBytes(bytes);
    return bytes;
  }

  private BigInteger decimal(int precision) {
    BigInteger limit = BigInteger.TEN.pow(precision);
    BigInteger greatest = limit.subtract(BigInteger.ONE);
    return switch (random.nextInt(12)) {
      case 0 -> greatest;
      case 1 -> greatest.negate();
      case 2 -> BigInteger.ZERO;
      case 3 -> BigInteger.valueOf(-1);
      default -> {
        BigInteger value = new BigInteger(limit.bitLength() + 8, random).mod(limit);
        yield random.nextBoolean() ? value : value.negate();
      }
    };
  }
}
