package io.corehub.onelake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.Retries.FailedAttempt;
import io.corehub.onelake.Retries.FailureListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetriesTest {
  private static final double LONGEST = Math.nextDown(1.0);

  private final VirtualTime time = new VirtualTime();
  private final List<FailedAttempt> failures = new ArrayList<>();

  /** Sleeping moves the clock. Confined to one caller at a time. */
  static final class VirtualTime implements Retries.Time {
    final List<Duration> sleeps = new ArrayList<>();
    long now = Long.MAX_VALUE - 1_000_000_000L;

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      sleeps.add(duration);
      now += duration.toNanos();
    }
  }

  @Test
  void doublesThePauseUpToItsLimit() throws Exception {
    Retries retries = new Retries(time, () -> LONGEST);
    assertThat(retries.call(RetryPolicy.RUNNING, failures::add, failing(13))).isEqualTo("done");
    assertThat(time.sleeps)
        .extracting(pause -> Math.round(pause.toMillis() / 100.0) / 10.0)
        .containsExactly(
            0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 300.0, 300.0, 300.0);
    assertThat(failures).hasSize(13);
    assertThat(failures.get(12).attempts()).isEqualTo(13);
    assertThat(failures.get(12).sinceFirst()).isGreaterThan(Duration.ofSeconds(1100));
  }

  @Test
  void shortensEachPauseAtRandomByUpToAHalf() throws Exception {
    new Retries(time, () -> 0).call(RetryPolicy.RUNNING, failures::add, failing(3));
    assertThat(time.sleeps)
        .containsExactly(Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1));
  }

  @Test
  void givesUpWhenTheBudgetIsSpent() {
    Retries retries = new Retries(time, () -> LONGEST);
    long began = time.now;
    assertThatThrownBy(() -> retries.call(RetryPolicy.SET_UP, failures::add, failing(1000)))
        .isInstanceOf(DfsException.class)
        .hasMessage("failure 7");
    assertThat(Duration.ofNanos(time.now - began)).isLessThanOrEqualTo(Duration.ofSeconds(60));
    assertThat(time.sleeps).hasSize(6);
  }

  @Test
  void neverGivesUpWhileRunning() throws Exception {
    Retries retries = new Retries(time, () -> 0.5);
    assertThat(retries.call(RetryPolicy.RUNNING, failures::add, failing(10_000))).isEqualTo("done");
    assertThat(time.sleeps).allMatch(pause -> pause.compareTo(Duration.ofMinutes(5)) <= 0);
  }

  @Test
  void repeatsNothingThatIsNotTransient() {
    Retries retries = new Retries(time, () -> LONGEST);
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                retries.run(
                    RetryPolicy.RUNNING,
                    FailureListener.NONE,
                    () -> {
                      attempts.incrementAndGet();
                      throw DfsException.of(Kind.FORBIDDEN, "create").build("no");
                    }))
        .isInstanceOf(DfsException.class);
    assertThat(attempts).hasValue(1);
    assertThat(time.sleeps).isEmpty();
  }

  @Test
  void leavesTheCallersRuleWhatIsRepeatable() throws Exception {
    Retries retries = new Retries(time, () -> LONGEST);
    AtomicInteger attempts = new AtomicInteger();
    String result =
        retries.call(
            RetryPolicy.RUNNING,
            FailureListener.NONE,
            failure -> failure.kind() == Kind.INVALID_FLUSH_POSITION,
            () -> {
              if (attempts.incrementAndGet() < 3) {
                throw DfsException.of(Kind.INVALID_FLUSH_POSITION, "flush").build("short");
              }
              return "done";
            });
    assertThat(result).isEqualTo("done");
  }

  @Test
  void waitsAtLeastAsLongAsTheServerAsks() throws Exception {
    Retries retries = new Retries(time, () -> LONGEST);
    retries.call(RetryPolicy.RUNNING, failures::add, throttledOnce(Duration.ofSeconds(20)));
    Duration slept = time.sleeps.stream().reduce(Duration.ZERO, Duration::plus);
    assertThat(slept).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(22));
  }

  @Test
  void doesNotFollowAServerBeyondFiveMinutes() throws Exception {
    Retries retries = new Retries(time, () -> 0);
    retries.call(RetryPolicy.RUNNING, failures::add, throttledOnce(Duration.ofDays(1)));
    assertThat(time.sleeps).containsExactly(Duration.ofMinutes(5));
  }

  @Test
  void followsTheServerHoweverOftenItHasFailed() throws Exception {
    Retries retries = new Retries(time, () -> LONGEST);
    AtomicInteger attempts = new AtomicInteger();
    retries.call(
        RetryPolicy.RUNNING,
        failures::add,
        () -> {
          if (attempts.incrementAndGet() <= 12) {
            throw DfsException.of(Kind.THROTTLED, "create")
                .retryAfter(Duration.ofSeconds(2))
                .build("slow down");
          }
          return "done";
        });
    assertThat(time.sleeps)
        .hasSize(12)
        .allMatch(pause -> pause.toMillis() >= 2000 && pause.toMillis() <= 2200);
  }

  @Test
  void tellsWaitingCallersMomentsThatDiffer() {
    double[] random = {0};
    Retries retries = new Retries(time, () -> random[0]);
    DfsException slowDown =
        DfsException.of(Kind.THROTTLED, "create").retryAfter(Duration.ofSeconds(20)).build("slow");
    retries.pauseAfterFailure(RetryPolicy.RUNNING, 1, slowDown);
    assertThat(retries.askedToWait()).isEqualTo(Duration.ofSeconds(20));
    random[0] = 0.5;
    assertThat(retries.askedToWait()).isEqualTo(Duration.ofMillis(20_500));
    time.now += Duration.ofSeconds(20).toNanos();
    assertThat(retries.askedToWait()).isZero();
  }

  @Test
  void repeatsABoundedNumberOfRequestsAMinuteHoweverManyCallersFail() {
    Retries retries = new Retries(time, new Random(1)::nextDouble);
    DfsException broken = DfsException.of(Kind.CONNECTION_LOST, "create").build("broken");
    List<Duration> pauses = new ArrayList<>();
    for (int caller = 0; caller < 2_000; caller++) {
      pauses.add(retries.pauseAfterFailure(RetryPolicy.RUNNING, 1 + caller % 12, broken));
    }
    for (int second = 0; second < 900; second++) {
      long from = second;
      assertThat(pauses.stream().filter(p -> p.toSeconds() >= from && p.toSeconds() < from + 60))
          .hasSizeLessThanOrEqualTo(
              Retries.MAX_REPETITIONS_PER_MINUTE + Retries.MAX_REPETITIONS_PER_MINUTE / 6);
    }
    assertThat(pauses.get(0)).isLessThan(Duration.ofSeconds(1));
    time.now += Duration.ofMinutes(20).toNanos();
    assertThat(retries.pauseAfterFailure(RetryPolicy.RUNNING, 1, broken))
        .isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void makesOtherCallersOfTheHostWaitAsWell() {
    Retries retries = new Retries(time, () -> 0);
    assertThatThrownBy(
            () ->
                retries.call(
                    RetryPolicy.within(Duration.ZERO),
                    FailureListener.NONE,
                    throttledOnce(Duration.ofSeconds(8))))
        .isInstanceOf(DfsException.class);
    assertThat(time.sleeps).isEmpty();

    long before = time.now;
    assertThatCodeRuns(retries);
    assertThat(Duration.ofNanos(time.now - before)).isEqualTo(Duration.ofSeconds(8));
    assertThatCodeRuns(retries);
    assertThat(Duration.ofNanos(time.now - before)).isEqualTo(Duration.ofSeconds(8));
  }

  @Test
  void endsWhenInterruptedWhileWaiting() {
    Retries retries = new Retries(time, () -> 0);
    assertThatThrownBy(
            () ->
                retries.call(
                    RetryPolicy.RUNNING, failure -> Thread.currentThread().interrupt(), failing(5)))
        .isInstanceOf(InterruptedException.class);
  }

  private static void assertThatCodeRuns(Retries retries) {
    try {
      retries.run(RetryPolicy.SET_UP, FailureListener.NONE, () -> {});
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Retries.Attempt<String> failing(int times) {
    AtomicInteger attempts = new AtomicInteger();
    return () -> {
      int attempt = attempts.incrementAndGet();
      if (attempt <= times) {
        throw DfsException.of(Kind.TRANSIENT, "create").build("failure " + attempt);
      }
      return "done";
    };
  }

  private static Retries.Attempt<String> throttledOnce(Duration retryAfter) {
    AtomicInteger attempts = new AtomicInteger();
    return () -> {
      if (attempts.incrementAndGet() == 1) {
        throw DfsException.of(Kind.THROTTLED, "create").retryAfter(retryAfter).build("slow down");
      }
      return "done";
    };
  }
}
