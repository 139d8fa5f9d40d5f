package io.corehub.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition that nobody announces, such as a file in a target or a blocked thread. */
final class Await {

  private static final Duration LOOK_EVERY = Duration.ofMillis(10);

  private Await() {}

  static void until(BooleanSupplier reached, String what, Duration atMost)
      throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError(what + " did not come within " + atMost);
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      if (Thread.interrupted()) {
        throw new InterruptedException("while waiting for " + what);
      }
    }
  }
}
