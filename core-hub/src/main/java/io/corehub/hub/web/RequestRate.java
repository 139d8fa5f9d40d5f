package io.corehub.hub.web;

import java.util.function.LongSupplier;

/** Admits so many requests in a second, and some more at once after a pause. Thread-safe. */
final class RequestRate {

  private static final double NANOS = 1_000_000_000;

  private final int perSecond;
  private final int atOnce;
  private final LongSupplier clock;
  private double left;
  private long counted;

  /**
   * @param perSecond admitted in a second in the long run
   * @param atOnce admitted at once when there were none for a while
   * @param clock monotonic time, in nanoseconds
   */
  RequestRate(int perSecond, int atOnce, LongSupplier clock) {
    this.perSecond = perSecond;
    this.atOnce = atOnce;
    this.clock = clock;
    this.left = atOnce;
    this.counted = clock.getAsLong();
  }

  /** Whether one more request is admitted now; counts it if so. */
  synchronized boolean admits() {
    long now = clock.getAsLong();
    left = Math.min(atOnce, left + (now - counted) / NANOS * perSecond);
    counted = now;
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }
}
