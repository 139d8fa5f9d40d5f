package io.corehub.runtime;

import java.time.Duration;

/** Runs things later, and measures time. Thread-safe. */
public interface Timer {

  /** A task that has not run yet. */
  interface Alarm {
    /** Keeps the task from running if it has not begun. Idempotent. */
    void cancel();
  }

  /**
   * Monotonic time.
   *
   * @return nanoseconds since some fixed moment
   */
  long nanos();

  /**
   * Runs a task once, after a delay. The task must be quick.
   *
   * @param delay how long to wait; none or less runs it as soon as possible
   * @param task what to run
   * @return handle to take the task back
   */
  Alarm in(Duration delay, Runnable task);
}
