package io.corehub.onelake;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How long failed attempts are repeated. The pause doubles from {@code firstPause} to {@code
 * longestPause}; each is shortened at random by up to a half, so that many callers do not return at
 * once. Immutable.
 *
 * @param firstPause before the second attempt
 * @param longestPause the pause stops growing here
 * @param budget no attempt starts later than this after the first; empty for no end
 */
public record RetryPolicy(Duration firstPause, Duration longestPause, Optional<Duration> budget) {
  private static final Duration FIRST = Duration.ofMillis(500);

  /** At set-up: a person waits for the answer, so transient faults are tried for 60 seconds. */
  public static final RetryPolicy SET_UP = within(Duration.ofSeconds(60));

  /** While running without an end: the pause grows to five minutes, and nothing is given up. */
  public static final RetryPolicy RUNNING =
      new RetryPolicy(FIRST, Duration.ofMinutes(5), Optional.empty());

  public RetryPolicy {
    Objects.requireNonNull(budget);
    if (firstPause.isNegative() || firstPause.isZero() || longestPause.compareTo(firstPause) < 0) {
      throw new IllegalArgumentException(
          "Pauses must grow from a positive first one: " + firstPause + " to " + longestPause);
    }
  }

  /** Gives up after a time; pauses grow to 30 seconds. */
  public static RetryPolicy within(Duration budget) {
    return new RetryPolicy(FIRST, Duration.ofSeconds(30), Optional.of(budget));
  }
}
