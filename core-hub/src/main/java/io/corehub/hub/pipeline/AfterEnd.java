package io.corehub.hub.pipeline;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Deeds that wait for the end of a pipeline, and are done before it counts as ended. Thread-safe.
 */
final class AfterEnd {

  private final Deque<FutureTask<?>> deeds = new ArrayDeque<>();
  private boolean over;

  /** False if the pipeline ended already. */
  synchronized boolean add(FutureTask<?> deed) {
    if (!over) {
      deeds.add(deed);
    }
    return !over;
  }

  /** Does what was added, and takes nothing more. */
  void run() {
    for (FutureTask<?> deed = next(); deed != null; deed = next()) {
      deed.run();
    }
  }

  private synchronized @Nullable FutureTask<?> next() {
    FutureTask<?> deed = deeds.poll();
    over = deed == null;
    return deed;
  }
}
