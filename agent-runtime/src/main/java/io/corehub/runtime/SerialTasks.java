package io.corehub.runtime;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/**
 * Runs tasks one at a time, in the order they came, on threads of a shared pool. A task must not
 * throw. Thread-safe.
 */
public final class SerialTasks implements Executor {

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
    pool.execute(this::runOne);
  }

  /**
   * One task at a time, then to the back of the pool's queue: no owner keeps a thread to itself.
   */
  private void runOne() {
    Runnable task;
    synchronized (waiting) {
      task = waiting.remove();
    }
    try {
      task.run();
    } finally {
      boolean more;
      synchronized (waiting) {
        more = !waiting.isEmpty();
        running = more;
      }
      if (more) {
        pool.execute(this::runOne);
      }
    }
  }
}
