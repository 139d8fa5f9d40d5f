package io.corehub.onelake.azure;

import com.azure.core.http.HttpHeaderName;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads how long a server asks to wait: seconds, an HTTP date, or milliseconds in Azure's own
 * headers. Stateless.
 */
final class RetryAfter {
  private static final HttpHeaderName MILLIS = HttpHeaderName.fromString("x-ms-retry-after-ms");
  private static final HttpHeaderName SHORT_MILLIS = HttpHeaderName.fromString("retry-after-ms");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  private RetryAfter() {}

  static @Nullable Duration of(BufferedAnswer answer, Clock clock) {
    for (HttpHeaderName name : new HttpHeaderName[] {MILLIS, SHORT_MILLIS}) {
      String millis = Failures.header(answer, name).strip();
      if (NUMBER.matcher(millis).matches()) {
        return Duration.ofMillis(Long.parseLong(millis));
      }
    }
    String value = Failures.header(answer, HttpHeaderName.RETRY_AFTER).strip();
    if (NUMBER.matcher(value).matches()) {
      return Duration.ofSeconds(Long.parseLong(value));
    }
    if (value.isEmpty()) {
      return null;
    }
    try {
      Instant until = DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from);
      Duration wait = Duration.between(clock.instant(), until);
      return wait.isNegative() ? Duration.ZERO : wait;
    } catch (DateTimeException e) {
      return null;
    }
  }
}
