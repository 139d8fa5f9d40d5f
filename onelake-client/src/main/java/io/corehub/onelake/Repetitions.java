package io.corehub.onelake;

import java.time.Duration;
import java.util.TreeMap;

/**
 * Spreads repeated attempts over time, so that many callers who fail together do not become a storm
 * of requests: time is cut into spans of ten seconds, and each takes a sixth of what a minute may
 * hold. Confined to one caller at a time.
 */
final class Repetitions {
  static final int PER_MINUTE = 300;

  private static final long SPAN_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int PER_SPAN = PER_MINUTE / 6;

  private final long origin;
  private final TreeMap<Long, Integer> placed = new TreeMap<>();

  /**
   * @param origin a moment before all others, monotonic
   */
  Repetitions(long origin) {
    this.origin = origin;
  }

  /**
   * Takes a place for an attempt.
   *
   * @param now monotonic
   * @param pause the shortest pause
   * @param random in [0, 1): where in a later span the attempt falls
   * @return the pause, longer if the span in which it ends is full
   */
  Duration placed(long now, Duration pause, double random) {
    placed.headMap((now - origin) / SPAN_NANOS).clear();
    long at = now - origin + pause.toNanos();
    long wanted = at / SPAN_NANOS;
    long span = wanted;
    while (placed.getOrDefault(span, 0) >= PER_SPAN) {
      span++;
    }
    placed.merge(span, 1, Integer::sum);
    if (span == wanted) {
      return pause;
    }
    return Duration.ofNanos(
        span * SPAN_NANOS + (long) (random * (double) SPAN_NANOS) - (now - origin));
  }
}
