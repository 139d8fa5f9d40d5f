package io.corehub.runtime;

import io.corehub.runtime.text.LineLog;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;

/**
 * The real threads: daemons that end when they have nothing to do. A task given to a closed pool is
 * dropped. Thread-safe.
 */
public final class WorkerPools implements Workers {

  /** Most threads that wait for the network. */
  public static final int MAX_UPLOAD_THREADS = 64;

  private static final Logger LOG = LineLog.of(WorkerPools.class);
  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final Duration CLOSING = Duration.ofSeconds(8);

  private final ThreadPoolExecutor encoders;
  private final ThreadPoolExecutor uploads;
  private final ScheduledThreadPoolExecutor alarms;
  private final Timer timer = new SystemTimer();
  private final Set<Thread> alive = ConcurrentHashMap.newKeySet();

  /**
   * Starts no thread yet.
   *
   * @param name what the threads' names begin with
   * @param processors threads that encode, at least 1
   */
  public WorkerPools(String name, int processors) {
    this.encoders = pool(name + "-encode", processors);
    this.uploads = pool(name + "-upload", MAX_UPLOAD_THREADS);
    this.alarms = new ScheduledThreadPoolExecutor(1, threads(name + "-timer"));
    alarms.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    alarms.allowCoreThreadTimeOut(true);
    alarms.setRemoveOnCancelPolicy(true);
    alarms.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private ThreadPoolExecutor pool(String name, int size) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            size,
            size,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            threads(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private ThreadFactory threads(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Runnable counted =
          () -> {
            try {
              task.run();
            } finally {
              alive.remove(Thread.currentThread());
            }
          };
      Thread thread = new Thread(counted, name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      alive.add(thread);
      return thread;
    };
  }

  @Override
  public Executor encoders() {
    return task -> submit(encoders, task);
  }

  @Override
  public Executor uploads() {
    return task -> submit(uploads, task);
  }

  @Override
  public Timer timer() {
    return timer;
  }

  private static void submit(ExecutorService pool, Runnable task) {
    try {
      pool.execute(() -> guarded(task));
    } catch (RejectedExecutionException closed) {
      LOG.debug("A task came after the pools were closed", closed);
    }
  }

  private static void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A task failed that should have handled its own failure", e);
    }
  }

  /** Interrupts what runs and returns when every thread ended, or after eight seconds. */
  @Override
  public void close() {
    List<Thread> ending = List.copyOf(alive);
    List.of(alarms, uploads, encoders).forEach(ExecutorService::shutdownNow);
    long deadline = System.nanoTime() + CLOSING.toNanos();
    boolean interrupted = false;
    for (Thread thread : ending) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (ending.stream().anyMatch(Thread::isAlive)) {
      LOG.warn("Threads are still busy {} s after they were told to end", CLOSING.toSeconds());
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private final class SystemTimer implements Timer {
    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public Alarm in(Duration delay, Runnable task) {
      try {
        Future<?> future =
            alarms.schedule(
                () -> guarded(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
      } catch (RejectedExecutionException closed) {
        LOG.debug("An alarm was set after the timer was closed", closed);
        return () -> {};
      }
    }
  }
}
