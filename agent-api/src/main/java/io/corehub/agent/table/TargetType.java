package io.corehub.agent.table;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type a user asks a column to have in the target, when it is not to be the default of the
 * column's own type. Immutable.
 *
 * @param kind the target type
 * @param precision digits of {@link Kind#BIGDECIMAL}, at least 1; 0 for every other kind
 * @param scale digits after the point of {@link Kind#BIGDECIMAL}; 0 for every other kind
 */
public record TargetType(Kind kind, int precision, int scale) {

  private static final Pattern DECIMAL =
      Pattern.compile("bigdecimal\\s*\\(\\s*(\\d{1,4})\\s*,\\s*(\\d{1,4})\\s*\\)");

  /** The target types. */
  public enum Kind {
    /** 16-bit integer. */
    SMALLINT,
    /** 32-bit integer. */
    INT,
    /** 64-bit integer. */
    LONG,
    /** 32-bit floating point. */
    FLOAT,
    /** 64-bit floating point. */
    DOUBLE,
    /** Exact decimal. */
    BIGDECIMAL,
    /** True or false. */
    BOOLEAN,
    /** Text. */
    STRING,
    /** Bytes. */
    BINARY,
    /** Calendar date. */
    DATE,
    /** Time of day. */
    TIME,
    /** Time of day in UTC. */
    OFFSET_TIME,
    /** Date and time without offset. */
    DATETIME,
    /** Instant. */
    OFFSET_DATE_TIME,
    /** Instant. */
    TIMESTAMP
  }

  /** Checks the parameters. */
  public TargetType {
    Objects.requireNonNull(kind, "kind");
    boolean valid =
        kind == Kind.BIGDECIMAL
            ? precision >= 1 && scale >= 0 && scale <= precision
            : precision == 0 && scale == 0;
    if (!valid) {
      throw new IllegalArgumentException(
          "Target type "
              + kind.name().toLowerCase(Locale.ROOT)
              + "("
              + precision
              + ","
              + scale
              + ") is not valid.");
    }
  }

  /**
   * A target type without parameters.
   *
   * @param kind any kind but BIGDECIMAL
   * @return the type
   */
  public static TargetType of(Kind kind) {
    return new TargetType(kind, 0, 0);
  }

  /**
   * Reads a target type as users write it.
   *
   * @param text such as {@code string} or {@code bigdecimal(18,4)}
   * @return the type
   * @throws IllegalArgumentException naming the known types if it is none
   */
  public static TargetType parse(String text) {
    String name = text.strip().toLowerCase(Locale.ROOT);
    Matcher decimal = DECIMAL.matcher(name);
    if (decimal.matches()) {
      return new TargetType(
          Kind.BIGDECIMAL, Integer.parseInt(decimal.group(1)), Integer.parseInt(decimal.group(2)));
    }
    for (Kind kind : Kind.values()) {
      if (kind != Kind.BIGDECIMAL && kind.name().toLowerCase(Locale.ROOT).equals(name)) {
        return of(kind);
      }
    }
    throw new IllegalArgumentException(
        "Unknown target type '"
            + text
            + "'. Target types are "
            + Arrays.stream(Kind.values())
                .map(
                    k ->
                        k == Kind.BIGDECIMAL
                            ? "bigdecimal(p,s)"
                            : k.name().toLowerCase(Locale.ROOT))
                .toList());
  }

  @Override
  public String toString() {
    String name = kind.name().toLowerCase(Locale.ROOT);
    return kind == Kind.BIGDECIMAL ? name + "(" + precision + "," + scale + ")" : name;
  }
}
