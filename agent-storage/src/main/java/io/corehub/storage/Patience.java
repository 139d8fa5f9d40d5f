package io.corehub.storage;

import io.corehub.onelake.DfsException;
import io.corehub.onelake.Retries;
import io.corehub.onelake.RetryPolicy;
import io.corehub.runtime.Publication.Step;
import java.time.Duration;

/**
 * Counts the failed attempts of one table and says how long to wait before the next. Tells when the
 * table begins to fail, once when it has failed for the budget, and when it is over. Thread-safe.
 */
public final class Patience {

  /** The news of a failing table. */
  public interface Listener {
    /**
     * Requests fail and are repeated.
     *
     * @param failure the last one
     */
    void failing(DfsException failure);

    /**
     * Requests have failed for the whole budget and are repeated further.
     *
     * @param failure the last one
     * @param since how long they have failed
     */
    void outOfBudget(DfsException failure, Duration since);

    /** Requests succeed again. */
    void recovered();
  }

  private final Retries retries;
  private final Retries.Time time;
  private final Duration budget;
  private final Listener listener;
  private int failures;
  private long firstNanos;
  private boolean told;

  /**
   * Of one table, or whatever else has requests of its own.
   *
   * @param retries the one retry policy
   * @param time monotonic time
   * @param budget how long requests may fail before there is a notice
   * @param listener told of failures
   */
  public Patience(Retries retries, Retries.Time time, Duration budget, Listener listener) {
    this.retries = retries;
    this.time = time;
    this.budget = budget;
    this.listener = listener;
  }

  /** A part of a publication. */
  public interface Phase {
    /**
     * One attempt.
     *
     * @return what came of it
     * @throws InterruptedException if interrupted
     */
    Step run() throws InterruptedException;
  }

  /**
   * One attempt; a passing fault asks for another one later, and so does a host that has asked
   * everybody to wait.
   *
   * @param phase what to attempt
   * @return what came of it
   * @throws DfsException if the fault does not pass by itself
   * @throws InterruptedException if interrupted
   */
  public Step attempt(Phase phase) throws InterruptedException {
    Duration asked = askedToWait();
    if (!asked.isZero()) {
      return new Step.Again(asked);
    }
    try {
      return phase.run();
    } catch (DfsException e) {
      if (!e.transientFault()) {
        throw e;
      }
      return new Step.Again(pauseAfter(e));
    }
  }

  /**
   * How long the host has asked everybody to wait; no request goes out before that.
   *
   * @return zero if it has not
   */
  public Duration askedToWait() {
    return retries.askedToWait();
  }

  /**
   * The pause after a failure. It does not reach beyond the end of the budget, unless the host asks
   * for that.
   *
   * @param failure what failed
   * @return how long to wait
   */
  public Duration pauseAfter(DfsException failure) {
    boolean over;
    Duration since;
    int count;
    synchronized (this) {
      if (failures == 0) {
        firstNanos = time.nanos();
        told = false;
      }
      count = ++failures;
      since = Duration.ofNanos(time.nanos() - firstNanos);
      over = !told && since.compareTo(budget) >= 0;
      told |= over;
    }
    listener.failing(failure);
    if (over) {
      listener.outOfBudget(failure, since);
    }
    Duration pause = retries.pauseAfterFailure(RetryPolicy.RUNNING, count, failure);
    Duration left = budget.minus(since);
    boolean beyond = left.compareTo(Duration.ZERO) > 0 && left.compareTo(pause) < 0;
    return beyond && failure.retryAfter().isEmpty() ? left : pause;
  }

  /** A request succeeded. */
  public void recovered() {
    synchronized (this) {
      if (failures == 0) {
        return;
      }
      failures = 0;
    }
    listener.recovered();
  }
}
