package io.corehub.emulator;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Column values in the one form in which change-stream files write them.
 *
 * <table>
 * <caption>Forms</caption>
 * <tr><th>Java value</th><th>Canonical value</th></tr>
 * <tr><td>Boolean, Byte, Short, Integer, Long, BigInteger</td><td>the same</td></tr>
 * <tr><td>Float, Double</td><td>the same; not-a-number and the infinities as text</td></tr>
 * <tr><td>BigDecimal</td><td>text without exponent, at its own scale</td></tr>
 * <tr><td>CharSequence</td><td>text</td></tr>
 * <tr><td>byte[]</td><td>base64</td></tr>
 * <tr><td>LocalDate, LocalTime, LocalDateTime</td><td>ISO-8601 with seconds</td></tr>
 * <tr><td>OffsetTime, OffsetDateTime, Instant</td><td>the same moved to UTC, with Z</td></tr>
 * </table>
 *
 * <p>Times are cut to microseconds toward the past; fractions have no trailing zeros.
 */
public final class CanonicalValue {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ISO_LOCAL_TIME;
  private static final DateTimeFormatter DATE_TIME = DateTimeFormatter.ISO_LOCAL_DATE_TIME;

  private CanonicalValue() {}

  /**
   * The canonical form: null, a Boolean, a number or a String.
   *
   * @throws IllegalArgumentException when the value is of a type that no column has
   */
  public static @Nullable Object of(@Nullable Object value) {
    if (value == null
        || value instanceof Boolean
        || value instanceof Byte
        || value instanceof Short
        || value instanceof Integer
        || value instanceof Long
        || value instanceof BigInteger) {
      return value;
    }
    if (value instanceof Float number) {
      return Float.isFinite(number) ? number : (Object) number.toString();
    }
    if (value instanceof Double number) {
      return Double.isFinite(number) ? number : (Object) number.toString();
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    }
    if (value instanceof byte[] bytes) {
      return Base64.getEncoder().encodeToString(bytes);
    }
    if (value instanceof CharSequence text) {
      return text.toString();
    }
    return time(value);
  }

  private static String time(Object value) {
    if (value instanceof LocalDate date) {
      return date.toString();
    }
    if (value instanceof LocalTime time) {
      return TIME.format(time.truncatedTo(ChronoUnit.MICROS));
    }
    if (value instanceof OffsetTime time) {
      return TIME.format(
              time.withOffsetSameInstant(ZoneOffset.UTC)
                  .toLocalTime()
                  .truncatedTo(ChronoUnit.MICROS))
          + "Z";
    }
    if (value instanceof LocalDateTime timestamp) {
      return DATE_TIME.format(timestamp.truncatedTo(ChronoUnit.MICROS));
    }
    if (value instanceof OffsetDateTime timestamp) {
      return time(timestamp.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime()) + "Z";
    }
    if (value instanceof Instant instant) {
      return time(instant.atOffset(ZoneOffset.UTC));
    }
    throw new IllegalArgumentException("no column holds values of " + value.getClass().getName());
  }

  /** JSON text of a canonical value; control characters and lone surrogates are escaped. */
  static void appendJson(StringBuilder out, @Nullable Object canonical) {
    if (canonical instanceof String text) {
      appendQuoted(out, text);
    } else {
      out.append(canonical);
    }
  }

  static void appendQuoted(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20 || isLoneSurrogate(text, i)) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  private static boolean isLoneSurrogate(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
    }
    return Character.isLowSurrogate(c)
        && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }

  static byte[] utf8(CharSequence text) {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
