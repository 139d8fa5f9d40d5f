package io.corehub.runtime;

import java.util.concurrent.Executor;

/** The threads an agent works with. Thread-safe. */
public interface Workers extends AutoCloseable {

  /**
   * For work that keeps a processor busy and never waits.
   *
   * @return as many threads as there are processors
   */
  Executor encoders();

  /**
   * For work that waits for the network.
   *
   * @return at most 64 threads
   */
  Executor uploads();

  /**
   * For work that is to begin later.
   *
   * @return the one timer
   */
  Timer timer();

  /**
   * For those who wait for work of these threads.
   *
   * @return a new signal
   */
  default Signal signal() {
    return new MonitorSignal();
  }

  /**
   * Interrupts what is still running and waits a bounded time until no thread is left. Idempotent.
   */
  @Override
  void close();
}
