package io.corehub.onelake;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;

/**
 * The one place that repeats requests. One instance serves all callers of a host: when the host
 * asks one of them to wait, all wait, and all together repeat at most {@link
 * #MAX_REPETITIONS_PER_MINUTE} requests a minute. Thread-safe.
 *
 * <p>What the host asks for goes before the policy's own pause, in both directions; it is followed
 * for at most {@link #MAX_RETRY_AFTER} and lengthened at random by up to a twentieth.
 *
 * <p>Whether a request may be repeated is the caller's to say: an attempt passed here must be
 * harmless when carried out twice, or begin with a look at what the attempt before it did. A rename
 * is never passed here bare.
 */
public final class Retries {
  /** The longest pause a server's own wish is followed for. */
  public static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(5);

  /** How many attempts but the first ones begin within a minute, of all callers together. */
  public static final int MAX_REPETITIONS_PER_MINUTE = Repetitions.PER_MINUTE;

  /**
   * One try of an operation.
   *
   * @param <T> its result
   */
  @FunctionalInterface
  public interface Attempt<T> {
    T run() throws InterruptedException;
  }

  /** One try of an operation without a result. */
  @FunctionalInterface
  public interface Step {
    void run() throws InterruptedException;
  }

  /** Told of each failed attempt that will be repeated; must be quick. */
  @FunctionalInterface
  public interface FailureListener {
    /** Listens to nothing. */
    FailureListener NONE = failure -> {};

    void attemptFailed(FailedAttempt failure);
  }

  /**
   * A failed attempt that will be repeated.
   *
   * @param cause why it failed
   * @param attempts how many have failed so far
   * @param sinceFirst the time since the first attempt began
   * @param pause until the next
   */
  public record FailedAttempt(
      DfsException cause, int attempts, Duration sinceFirst, Duration pause) {}

  /** Time as this class sees it; simulations bring their own. Thread-safe. */
  public interface Time {
    /** The machine's time. */
    Time SYSTEM =
        new Time() {
          @Override
          public long nanos() {
            return System.nanoTime();
          }

          @Override
          public void sleep(Duration duration) throws InterruptedException {
            Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);
          }
        };

    /** Monotonic, as {@link System#nanoTime()}. */
    long nanos();

    void sleep(Duration duration) throws InterruptedException;
  }

  private final Time time;
  private final DoubleSupplier random;
  private final Object gate = new Object();
  private final Repetitions repetitions;
  private long openAtNanos;

  /**
   * @param time for measuring and waiting
   * @param random uniform in [0, 1)
   */
  public Retries(Time time, DoubleSupplier random) {
    this.time = Objects.requireNonNull(time);
    this.random = Objects.requireNonNull(random);
    this.openAtNanos = time.nanos();
    this.repetitions = new Repetitions(openAtNanos);
  }

  /** Runs an operation, repeating transient faults as the policy says. */
  public <T> T call(RetryPolicy policy, FailureListener listener, Attempt<T> attempt)
      throws InterruptedException {
    return call(policy, listener, DfsException::transientFault, attempt);
  }

  /** Runs an operation without a result, repeating transient faults as the policy says. */
  public void run(RetryPolicy policy, FailureListener listener, Step step)
      throws InterruptedException {
    call(
        policy,
        listener,
        () -> {
          step.run();
          return Optional.empty();
        });
  }

  /**
   * Runs an operation, repeating the failures that {@code repeatable} accepts as the policy says.
   *
   * @throws DfsException the last failure, when it is not repeatable or the policy's budget is
   *     spent
   * @throws InterruptedException when the thread is interrupted while waiting or within an attempt
   */
  public <T> T call(
      RetryPolicy policy,
      FailureListener listener,
      Predicate<DfsException> repeatable,
      Attempt<T> attempt)
      throws InterruptedException {
    long began = time.nanos();
    for (int attempts = 1; ; attempts++) {
      awaitGate();
      try {
        return attempt.run();
      } catch (DfsException e) {
        closeGate(e);
        if (!repeatable.test(e)) {
          throw e;
        }
        Duration elapsed = Duration.ofNanos(time.nanos() - began);
        Duration pause = pauseAfter(policy, attempts, e);
        if (policy.budget().isPresent()
            && elapsed.plus(pause).compareTo(policy.budget().get()) > 0) {
          throw e;
        }
        listener.attemptFailed(new FailedAttempt(e, attempts, elapsed, pause));
        time.sleep(pause);
      }
    }
  }

  /**
   * The pause before the next attempt, for callers that keep no thread waiting for it. When the
   * host asked to wait, all callers of {@link #call} wait as well.
   *
   * @param failures how many attempts have failed, at least 1
   * @param failure the last failure
   */
  public Duration pauseAfterFailure(RetryPolicy policy, int failures, DfsException failure) {
    closeGate(failure);
    return pauseAfter(policy, failures, failure);
  }

  /**
   * How long the host has asked all callers to wait from now on, lengthened at random as every such
   * pause; zero when it has not.
   */
  public Duration askedToWait() {
    long wait;
    synchronized (gate) {
      wait = openAtNanos - time.nanos();
    }
    return wait > 0 ? spread(Duration.ofNanos(wait)) : Duration.ZERO;
  }

  private Duration pauseAfter(RetryPolicy policy, int attempts, DfsException failure) {
    Duration asked = asked(failure);
    Duration pause = asked.isZero() ? ownPause(policy, attempts) : spread(asked);
    synchronized (repetitions) {
      return repetitions.placed(time.nanos(), pause, random.getAsDouble());
    }
  }

  private Duration ownPause(RetryPolicy policy, int attempts) {
    Duration grown = policy.longestPause();
    int doublings = attempts - 1;
    if (doublings < 30) {
      Duration doubled = policy.firstPause().multipliedBy(1L << doublings);
      grown = doubled.compareTo(grown) < 0 ? doubled : grown;
    }
    return fraction(grown, 0.5 + random.getAsDouble() / 2);
  }

  private static Duration asked(DfsException failure) {
    Duration wish = failure.retryAfter().orElse(Duration.ZERO);
    return wish.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : wish;
  }

  /** A twentieth longer at most, so that those who wait for one moment do not all come at once. */
  private Duration spread(Duration pause) {
    return fraction(pause, 1 + random.getAsDouble() / 20);
  }

  private static Duration fraction(Duration duration, double factor) {
    return Duration.ofNanos((long) (duration.toNanos() * factor));
  }

  private void closeGate(DfsException failure) {
    Duration asked = asked(failure);
    if (asked.isZero()) {
      return;
    }
    long until = time.nanos() + asked.toNanos();
    synchronized (gate) {
      if (until - openAtNanos > 0) {
        openAtNanos = until;
      }
    }
  }

  private void awaitGate() throws InterruptedException {
    for (Duration wait = askedToWait(); !wait.isZero(); wait = askedToWait()) {
      time.sleep(wait);
    }
  }
}
