package io.corehub.it;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for something that another process does, by looking again and again. */
final class Await {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Await() {}

  static void until(String what, Callable<Boolean> condition, Supplier<String> state) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        if (condition.call()) {
          return;
        }
      } catch (Exception e) {
        throw new AssertionError("While waiting until " + what, e);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("Not within " + LIMIT + ": " + what + "\n" + state.get());
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
