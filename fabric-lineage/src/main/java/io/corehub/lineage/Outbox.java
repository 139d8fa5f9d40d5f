package io.corehub.lineage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Events that wait for the catalogue, in order. Never blocks who adds. When too many wait, the
 * oldest that may be left out goes, and what it tells moves into the next event of its run, or back
 * to who made it. Thread-safe.
 */
final class Outbox {

  private final int most;
  private final Consumer<Emission> giveBack;
  private final Deque<Emission> waiting = new ArrayDeque<>();
  private boolean closed;

  /**
   * An empty outbox.
   *
   * @param most events that may wait; starts and ends of runs are kept beyond that
   * @param giveBack takes what an event told that is left out and has no successor; called by the
   *     thread that adds
   */
  Outbox(int most, Consumer<Emission> giveBack) {
    this.most = most;
    this.giveBack = giveBack;
  }

  /** Adds an event; does nothing once the outbox is closed. */
  void add(Emission emission) {
    Optional<Emission> orphan;
    synchronized (this) {
      if (closed) {
        return;
      }
      waiting.add(emission);
      orphan = waiting.size() > most ? leaveOneOut() : Optional.empty();
      notifyAll();
    }
    orphan.ifPresent(giveBack);
  }

  private Optional<Emission> leaveOneOut() {
    List<Emission> kept = new ArrayList<>(waiting.size());
    Emission out = null;
    boolean settled = false;
    for (Emission one : waiting) {
      if (out == null && one.droppable()) {
        out = one;
      } else if (out != null && !settled && one.tellsWindow() && one.run().equals(out.run())) {
        kept.add(one.with(out.statistics().plus(one.statistics())));
        settled = true;
      } else {
        kept.add(one);
      }
    }
    waiting.clear();
    waiting.addAll(kept);
    return out == null || settled ? Optional.empty() : Optional.of(out);
  }

  /**
   * Takes the first event; waits for one.
   *
   * @param nanos how long to wait at most
   * @return null if none came
   */
  synchronized @Nullable Emission take(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    while (waiting.isEmpty() && !closed) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return null;
      }
      wait(left / 1_000_000, (int) (left % 1_000_000));
    }
    return waiting.poll();
  }

  synchronized int size() {
    return waiting.size();
  }

  /** Takes nothing more; what waits can still be taken. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Gives up what waits, and takes nothing more. */
  synchronized void discard() {
    closed = true;
    waiting.clear();
    notifyAll();
  }

  synchronized boolean isClosed() {
    return closed;
  }
}
