package io.corehub.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Time that passes only when a test says so. Confined to one caller at a time. */
final class ManualTimer implements Timer {

  private record Entry(long at, Runnable task) {}

  private final List<Entry> entries = new ArrayList<>();
  private long now;

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public Alarm in(Duration delay, Runnable task) {
    Entry entry = new Entry(now + delay.toNanos(), task);
    entries.add(entry);
    return () -> entries.remove(entry);
  }

  void pass(Duration time) {
    long until = now + time.toNanos();
    while (true) {
      Entry next =
          entries.stream()
              .filter(entry -> entry.at <= until)
              .min(Comparator.comparingLong(Entry::at))
              .orElse(null);
      if (next == null) {
        now = until;
        return;
      }
      entries.remove(next);
      now = Math.max(now, next.at);
      next.task.run();
    }
  }
}
