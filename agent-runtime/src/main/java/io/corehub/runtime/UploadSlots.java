package io.corehub.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Bounds what is being uploaded at a time: files, and the bytes they hold. First come, first
 * served. A slot is held only while a task runs, so that a file which waits for its turn or for the
 * next attempt keeps nobody from uploading. Thread-safe; never blocks a caller.
 */
public final class UploadSlots {

  private record Waiting(Object file, long bytes, Runnable task, Consumer<Throwable> refused) {}

  private final Executor uploads;
  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private final IdentityHashMap<Object, Integer> active = new IdentityHashMap<>();
  private int maxFiles;
  private final long maxBytes;
  private long bytes;
  private boolean closed;

  /**
   * Slots.
   *
   * @param uploads where tasks run
   * @param maxFiles files in flight, at least 1
   * @param maxBytes bytes they may hold; a file with more goes alone
   */
  public UploadSlots(Executor uploads, int maxFiles, long maxBytes) {
    this.uploads = uploads;
    this.maxFiles = maxFiles;
    this.maxBytes = maxBytes;
  }

  /**
   * Runs a task as soon as there is a slot for its file. Tasks of one file share its slot.
   *
   * @param file the file, compared by identity
   * @param size bytes the task holds
   * @param task must not throw
   * @param refused told instead if there is no thread for the task; must not throw
   */
  public void run(Object file, long size, Runnable task, Consumer<Throwable> refused) {
    synchronized (queue) {
      queue.add(new Waiting(file, size, task, refused));
    }
    startWaiting();
  }

  /**
   * Changes the number of files.
   *
   * @param files files in flight from now on, at least 1
   */
  public void allow(int files) {
    synchronized (queue) {
      maxFiles = files;
    }
    startWaiting();
  }

  /**
   * Files in flight.
   *
   * @return the number
   */
  public int active() {
    synchronized (queue) {
      return active.size();
    }
  }

  /**
   * Tasks that wait for a slot.
   *
   * @return the number
   */
  public int queued() {
    synchronized (queue) {
      return queue.size();
    }
  }

  /**
   * Starts nothing more and waits for what runs.
   *
   * @param longest how long to wait at most
   * @return whether nothing runs any more
   * @throws InterruptedException if interrupted
   */
  public boolean awaitQuiet(Duration longest) throws InterruptedException {
    long deadline = System.nanoTime() + longest.toNanos();
    synchronized (queue) {
      closed = true;
      queue.clear();
      while (!active.isEmpty()) {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          return false;
        }
        queue.wait(left);
      }
      return true;
    }
  }

  private void startWaiting() {
    while (true) {
      Waiting next;
      synchronized (queue) {
        next = queue.peek();
        if (next == null || closed || !fits(next)) {
          return;
        }
        queue.remove();
        active.merge(next.file, 1, Integer::sum);
        bytes += next.bytes;
      }
      Waiting started = next;
      try {
        uploads.execute(() -> runOne(started));
      } catch (RuntimeException | Error e) {
        giveBack(started);
        started.refused.accept(e);
      }
    }
  }

  private boolean fits(Waiting next) {
    boolean roomForFile = active.containsKey(next.file) || active.size() < maxFiles;
    boolean roomForBytes = bytes == 0 || next.bytes <= maxBytes - bytes;
    return roomForFile && roomForBytes;
  }

  private void runOne(Waiting started) {
    try {
      started.task.run();
    } finally {
      giveBack(started);
      startWaiting();
    }
  }

  private void giveBack(Waiting ended) {
    synchronized (queue) {
      active.computeIfPresent(ended.file, (file, tasks) -> tasks == 1 ? null : tasks - 1);
      bytes -= ended.bytes;
      queue.notifyAll();
    }
  }
}
