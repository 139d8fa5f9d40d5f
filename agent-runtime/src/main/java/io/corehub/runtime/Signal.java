package io.corehub.runtime;

import java.util.function.BooleanSupplier;

/**
 * Wakes those who wait for the state of something to change. Thread-safe. Ask {@link
 * Workers#signal()} for one, so that a simulation can say who goes on first.
 */
public interface Signal {

  /**
   * Waits until a condition holds. It is looked at when the wait begins and each time the signal is
   * raised, without any lock held.
   *
   * @param condition looks at state that changes before the signal is raised
   * @throws InterruptedException if the thread is interrupted
   */
  void await(BooleanSupplier condition) throws InterruptedException;

  /** Has all who wait look again. */
  void raise();
}
