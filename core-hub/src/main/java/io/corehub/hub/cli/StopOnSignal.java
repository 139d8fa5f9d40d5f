package io.corehub.hub.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Work that puts things in order before the process ends: a signal that comes meanwhile first
 * interrupts it and gives it time. Confined to the thread of the work.
 */
final class StopOnSignal {

  private static final Duration LIMIT = Duration.ofSeconds(45);

  private final PrintWriter err;
  private final String what;
  private final Thread worker = Thread.currentThread();
  private final CountDownLatch inOrder = new CountDownLatch(1);
  private final Thread hook = new Thread(this::signalled, "shutdown");

  private StopOnSignal(PrintWriter err, String what) {
    this.err = err;
    this.what = what;
  }

  /** Something that may be interrupted. */
  interface Work {
    void run() throws InterruptedException;
  }

  /**
   * Does the work. Does not return when a signal came: the process ends with the signal's code.
   *
   * @param err where a person is told of a signal
   * @param what what the work puts in order, as in "Stopping: ... first."
   */
  static void during(PrintWriter err, String what, Work work) throws InterruptedException {
    StopOnSignal stop = new StopOnSignal(err, what);
    Runtime.getRuntime().addShutdownHook(stop.hook);
    try {
      work.run();
    } finally {
      stop.ended();
    }
  }

  private void signalled() {
    err.println("Stopping: " + what + " first.");
    worker.interrupt();
    try {
      if (!inOrder.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        err.println("Gave up after " + LIMIT.toSeconds() + " s.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void ended() throws InterruptedException {
    inOrder.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // Whatever this thread would say now comes too late.
      new CountDownLatch(1).await();
    }
  }
}
