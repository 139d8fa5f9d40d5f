package io.corehub.testkit;

import io.corehub.agent.table.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;

/**
 * Makes values that every target can hold exactly, the extreme ones more often than chance would.
 * Confined to one caller at a time.
 */
public final class RandomValues {

  private static final long DAY_MICROS = 86_400_000_000L;
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "NULL",
          "\0",
          "a\0b",
          "it's \"quoted\", \\ and \t\r\n",
          "Größe é e\u0301 \u202E",
          "\uD83D\uDE00 \uD834\uDD1E",
          "\uFFFF\uFEFF",
          "x".repeat(300));
  private static final List<String> ARRAYS =
      List.of("[]", "[1,2,3]", "[null,\"a\",{\"b\":[]}]", "[1.50,\"\\u0000\"]");
  private static final List<String> MAPS =
      List.of("{}", "{\"a\":1}", "{\"\":null,\"b\":{\"c\":[true]}}");

  private final Random random;

  /**
   * A source of values.
   *
   * @param seed equal seeds make equal values
   */
  public RandomValues(long seed) {
    this.random = new Random(seed);
  }

  RandomValues(Random random) {
    this.random = random;
  }

  /**
   * A value.
   *
   * @param type type of the column
   * @return a value of the Java type that {@link ColumnBatches#set} takes
   */
  public Object next(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> random.nextBoolean();
      case SHORT -> (int) pick(random.nextInt(1 << 16) - (1 << 15), -32768, 32767, 0);
      case INT -> (int) pick(random.nextInt(), Integer.MIN_VALUE, Integer.MAX_VALUE, 0);
      case LONG -> pick(random.nextLong(), Long.MIN_VALUE, Long.MAX_VALUE, -1);
      case FLOAT -> nextFloat();
      case DOUBLE -> nextDouble();
      case BIG_DECIMAL -> nextDecimal(type);
      case STRING -> nextText();
      case ARRAY -> ARRAYS.get(random.nextInt(ARRAYS.size()));
      case MAP -> MAPS.get(random.nextInt(MAPS.size()));
      case BYTE_ARRAY -> nextBytes();
      case LOCAL_DATE -> nextDate();
      case LOCAL_TIME, OFFSET_TIME -> pick(nextLong(DAY_MICROS), 0, DAY_MICROS - 1, 1);
      case LOCAL_DATE_TIME -> nextDateTime();
      case OFFSET_DATE_TIME -> nextDateTime().toInstant(ZoneOffset.UTC);
    };
  }

  private long pick(long usual, long... edges) {
    return random.nextInt(4) == 0 ? edges[random.nextInt(edges.length)] : usual;
  }

  private long nextLong(long bound) {
    return Math.floorMod(random.nextLong(), bound);
  }

  private float nextFloat() {
    float[] edges = {
      Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, -0.0f, 0.0f, Float.MIN_VALUE
    };
    return random.nextInt(4) == 0
        ? edges[random.nextInt(edges.length)]
        : (float) random.nextGaussian();
  }

  private double nextDouble() {
    double[] edges = {
      Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 0.0, Double.MAX_VALUE
    };
    return random.nextInt(4) == 0 ? edges[random.nextInt(edges.length)] : random.nextGaussian();
  }

  private BigDecimal nextDecimal(ColumnType type) {
    int digits = type.decimalWithoutPrecision() ? 12 : type.precision();
    int scale = type.decimalWithoutPrecision() ? random.nextInt(6) : type.scale();
    BigInteger bound = BigInteger.TEN.pow(digits);
    BigInteger unscaled =
        switch (random.nextInt(8)) {
          case 0 -> BigInteger.ZERO;
          case 1 -> bound.subtract(BigInteger.ONE);
          case 2 -> bound.subtract(BigInteger.ONE).negate();
          default -> new BigInteger(bound.bitLength() + 8, random).mod(bound);
        };
    return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
  }

  private String nextText() {
    if (random.nextInt(3) == 0) {
      return TEXTS.get(random.nextInt(TEXTS.size()));
    }
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(20); i > 0; i--) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  private byte[] nextBytes() {
    byte[] bytes = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(40)];
    random.nextBytes(bytes);
    return bytes;
  }

  private LocalDate nextDate() {
    return switch (random.nextInt(8)) {
      case 0 -> LocalDate.of(1, 1, 1);
      case 1 -> LocalDate.of(9999, 12, 31);
      case 2 -> LocalDate.of(1582, 10, 4 + random.nextInt(12));
      case 3 -> LocalDate.of(1969, 12, 31);
      default -> LocalDate.of(1900, 1, 1).plusDays(random.nextInt(60_000));
    };
  }

  private LocalDateTime nextDateTime() {
    return switch (random.nextInt(6)) {
      case 0 -> LocalDateTime.of(1, 1, 1, 0, 0);
      case 1 -> LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_000);
      case 2 -> LocalDateTime.ofInstant(Instant.EPOCH, ZoneOffset.UTC).minusNanos(1000);
      default -> nextDate().atStartOfDay().plusNanos(nextLong(DAY_MICROS) * 1000);
    };
  }
}
