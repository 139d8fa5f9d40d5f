package io.corehub.hub.pipeline;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Makes the threads that work beside the feeding one. */
final class SideThreads {

  private static final int IDLE_SECONDS = 10;

  private SideThreads() {}

  /**
   * Threads that begin when they are needed, end when they are idle, and keep no process alive.
   *
   * @param name what they do
   * @param pipeline for whom
   * @param most how many there are at a time; further tasks wait in their order
   */
  static ThreadPoolExecutor of(String name, String pipeline, int most) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + "-" + pipeline);
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
