package io.corehub.cycles;

import io.corehub.runtime.Timer;
import io.corehub.runtime.WorkerPools;
import io.corehub.runtime.Workers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;

/** Real threads, and a time that stands still until the test turns it. Thread-safe. */
final class ManualWorkers implements Workers, InstantSource {

  private final WorkerPools pools = new WorkerPools("test", 2);
  private final Time time;

  ManualWorkers(Time time) {
    this.time = time;
  }

  /** A clock that several runs share. */
  static final class Time {
    private record Set(long at, Runnable task) {}

    private final List<Set> alarms = new ArrayList<>();
    private Instant now;

    Time(Instant now) {
      this.now = now;
    }

    synchronized Instant now() {
      return now;
    }

    private synchronized long nanos() {
      return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    private synchronized Timer.Alarm in(Duration delay, Runnable task) {
      Set set = new Set(nanos() + Math.max(0, delay.toNanos()), task);
      alarms.add(set);
      return () -> {
        synchronized (Time.this) {
          alarms.remove(set);
        }
      };
    }

    /** Turns the clock, alarm by alarm. */
    void turnTo(Instant then) {
      long end = then.getEpochSecond() * 1_000_000_000L + then.getNano();
      while (true) {
        Set next;
        synchronized (this) {
          next =
              alarms.stream()
                  .filter(set -> set.at <= end)
                  .min(Comparator.comparingLong(Set::at))
                  .orElse(null);
          if (next == null) {
            now = then;
            return;
          }
          alarms.remove(next);
          now = Instant.ofEpochSecond(next.at / 1_000_000_000L, next.at % 1_000_000_000L);
        }
        next.task.run();
      }
    }
  }

  @Override
  public Executor encoders() {
    return pools.encoders();
  }

  @Override
  public Executor uploads() {
    return pools.uploads();
  }

  @Override
  public Timer timer() {
    return new Timer() {
      @Override
      public long nanos() {
        return time.nanos();
      }

      @Override
      public Alarm in(Duration delay, Runnable task) {
        return time.in(delay, task);
      }
    };
  }

  @Override
  public Instant instant() {
    return time.now();
  }

  @Override
  public void close() {
    pools.close();
  }
}
