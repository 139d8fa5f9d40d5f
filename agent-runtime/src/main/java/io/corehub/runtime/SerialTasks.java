package io.corehub.runtime;

import io.corehub.runtime.text.LineLog;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.slf4j.Logger;

/**
 * Runs tasks one at a time, in the order they came, on threads of a shared pool. A task must not
 * throw. Thread-safe.
 */
public final class SerialTasks implements Executor {

  private static final Logger LOG = LineLog.of(SerialTasks.class);

  private final Executor pool;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private boolean running;

  /**
   * Tasks of one owner.
   *
   * @param pool where they run
   */
  public SerialTasks(Executor pool) {
    this.pool = pool;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (waiting) {
      waiting.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    try {
      pool.execute(this::runOne);
    } catch (RuntimeException | Error e) {
      synchronized (waiting) {
        running = false;
        waiting.removeLastOccurrence(task);
      }
      throw e;
    }
  }

  /**
   * One task at a time, then to the back of the pool's queue: no owner keeps a thread to itself.
   */
  private void runOne() {
    boolean here = true;
    while (here) {
      Runnable task;
      synchronized (waiting) {
        task = waiting.remove();
      }
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        LOG.error("A task failed that should have handled its own failure", e);
      }
      here = isMore() && !handedOn();
    }
  }

  private boolean isMore() {
    synchronized (waiting) {
      running = !waiting.isEmpty();
      return running;
    }
  }

  /** Whether the pool takes the next task; if there is no thread for it, this one goes on. */
  private boolean handedOn() {
    try {
      pool.execute(this::runOne);
      return true;
    } catch (RuntimeException | Error e) {
      LOG.warn("No thread for the next task; it runs on the one at hand", e);
      return false;
    }
  }
}
