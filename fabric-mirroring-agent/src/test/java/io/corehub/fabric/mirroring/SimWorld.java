package io.corehub.fabric.mirroring;

import io.corehub.fabric.mirroring.SimThreads.Strand;
import io.corehub.runtime.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Time, and whose turn it is: every choice comes from one seed. The processes in it give it their
 * tasks and alarms, and stand at its gate before each request.
 */
final class SimWorld {

  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private final SimThreads threads;
  private final SplittableRandom random;
  private final Map<Strand, Place> places = new HashMap<>();
  private final Map<Integer, List<Task>> submitted = new TreeMap<>();
  private final List<Task> ready = new ArrayList<>();
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(
          Comparator.comparingLong((Alarm alarm) -> alarm.at).thenComparing(a -> a.number));
  private final List<String> failures = new ArrayList<>();
  private final StringBuilder story = new StringBuilder();
  private final boolean told;
  private long nanos;
  private long wallShift;
  private long numbers;
  private long steps;

  /** Who owns threads, tasks and alarms, and can be frozen or die. */
  static final class Process {
    final String name;
    private boolean frozen;
    private volatile boolean dead;
    private long lost;

    Process(String name) {
      this.name = name;
    }

    boolean dead() {
      return dead;
    }

    boolean frozen() {
      return frozen;
    }
  }

  private record Task(Process owner, String what, Runnable job) {}

  private static final class Place {
    final Process owner;
    long wakeAt;
    String what = "start";
    BooleanSupplier waitsFor = () -> true;
    Runnable onRelease = () -> {};

    Place(Process owner) {
      this.owner = owner;
    }

    boolean ready(long now) {
      return !owner.frozen && wakeAt <= now && waitsFor.getAsBoolean();
    }
  }

  /** Something that happens later. */
  static final class Alarm {
    private final long at;
    private final long number;
    private final @Nullable Process owner;
    private final Runnable job;
    private volatile boolean cancelled;

    private Alarm(long at, long number, @Nullable Process owner, Runnable job) {
      this.at = at;
      this.number = number;
      this.owner = owner;
      this.job = job;
    }

    void cancel() {
      cancelled = true;
    }
  }

  SimWorld(SimThreads threads, long seed, boolean told) {
    this.threads = threads;
    this.random = new SplittableRandom(seed);
    this.told = told;
  }

  SplittableRandom random() {
    return random;
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  synchronized void fail(String what) {
    failures.add(what);
    tell("FAILURE " + what);
  }

  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  synchronized void tell(String what) {
    if (told) {
      story.append(String.format("%9.3f s  %s%n", nanos / 1e9, what));
    }
  }

  synchronized String story() {
    return story.toString();
  }

  // --- time ------------------------------------------------------------------------------------

  synchronized long nanos(Process process) {
    return nanos - process.lost;
  }

  synchronized long elapsed() {
    return nanos;
  }

  synchronized Duration since(long then) {
    return Duration.ofNanos(nanos - then);
  }

  synchronized Instant now() {
    return BEGIN.plusNanos(nanos + wallShift);
  }

  /** The wall clock is set to another time. */
  synchronized void shiftWall(Duration by) {
    wallShift += by.toNanos();
  }

  private synchronized void advance(long by) {
    nanos += by;
  }

  // --- what processes ask for --------------------------------------------------------------------

  /** Waits for its turn; what is done on release is done by the world. */
  void gate(Process process, String what, Duration atLeast, Runnable onRelease) {
    Place place = place(process);
    place.what = what;
    place.onRelease = onRelease;
    synchronized (this) {
      place.wakeAt = nanos + atLeast.toNanos();
    }
    SimThreads.current().gate();
  }

  /** A signal whose waiters go on when it is their turn. */
  Signal signal(Process process) {
    return new Signal() {
      private long raised;

      @Override
      public void await(BooleanSupplier condition) throws InterruptedException {
        Place place = place(process);
        long seen = count();
        while (!condition.getAsBoolean()) {
          long before = seen;
          place.waitsFor = () -> count() != before;
          gate(process, "wait", Duration.ZERO, () -> {});
          place.waitsFor = () -> true;
          if (process.dead) {
            throw new InterruptedException("the process is dead");
          }
          seen = count();
        }
      }

      private synchronized long count() {
        return raised;
      }

      @Override
      public synchronized void raise() {
        raised++;
      }
    };
  }

  private synchronized Place place(Process process) {
    return places.computeIfAbsent(SimThreads.current(), strand -> new Place(process));
  }

  synchronized void execute(Process owner, String what, Runnable job) {
    if (!owner.dead) {
      int by = SimThreads.here() ? SimThreads.current().number : -1;
      submitted.computeIfAbsent(by, number -> new ArrayList<>()).add(new Task(owner, what, job));
    }
  }

  synchronized Alarm in(@Nullable Process owner, Duration delay, Runnable job) {
    Alarm alarm = new Alarm(nanos + Math.max(0, delay.toNanos()), numbers++, owner, job);
    if (owner == null || !owner.dead) {
      alarms.add(alarm);
    }
    return alarm;
  }

  // --- the course of the world -------------------------------------------------------------------

  private interface Choice {
    void take();
  }

  /** Lets one thing happen; false if there is nothing left to happen. */
  boolean step() {
    threads.settle();
    absorb();
    steps++;
    advance(random.nextInt(2_000_000));
    if (chance(0.02)) {
      advance(random.nextLong(1_000_000_000L));
    }
    ring();
    List<Choice> choices = choices();
    if (choices.isEmpty()) {
      return passTime();
    }
    choices.get(random.nextInt(choices.size())).take();
    threads.settle();
    absorb();
    return true;
  }

  long steps() {
    return steps;
  }

  private synchronized void absorb() {
    submitted.values().forEach(ready::addAll);
    submitted.clear();
    ready.removeIf(task -> task.owner.dead);
    places.keySet().removeIf(strand -> !strand.busy());
  }

  private void ring() {
    while (true) {
      Alarm alarm;
      synchronized (this) {
        alarm = alarms.peek();
        if (alarm == null || alarm.at > nanos) {
          return;
        }
        alarms.remove();
      }
      ring(alarm);
    }
  }

  private void ring(Alarm alarm) {
    Process owner = alarm.owner;
    if (alarm.cancelled) {
      return;
    }
    if (owner == null) {
      alarm.job.run();
    } else if (!owner.dead) {
      ready.add(
          new Task(
              owner,
              "alarm",
              () -> {
                if (!alarm.cancelled) {
                  alarm.job.run();
                }
              }));
    }
  }

  private List<Choice> choices() {
    List<Choice> choices = new ArrayList<>();
    for (Strand strand : threads.busy()) {
      Place place = places.get(strand);
      if (place != null && strand.gated() && place.ready(nanos)) {
        choices.add(() -> release(strand, place));
      }
    }
    for (Task task : ready) {
      if (!task.owner.frozen) {
        choices.add(() -> start(task));
      }
    }
    return choices;
  }

  private void release(Strand strand, Place place) {
    place.onRelease.run();
    strand.release();
  }

  private void start(Task task) {
    ready.remove(task);
    synchronized (this) {
      Strand strand = threads.start(task.job);
      places.put(strand, new Place(task.owner));
    }
  }

  private boolean passTime() {
    long next = Long.MAX_VALUE;
    for (Strand strand : threads.busy()) {
      Place place = places.get(strand);
      if (place != null && strand.gated() && place.ready(Long.MAX_VALUE)) {
        next = Math.min(next, place.wakeAt);
      }
    }
    synchronized (this) {
      Alarm alarm = alarms.peek();
      if (alarm != null) {
        next = Math.min(next, alarm.at);
      }
      if (next == Long.MAX_VALUE) {
        return false;
      }
      nanos = Math.max(nanos, next);
    }
    return true;
  }

  /**
   * A process stands still while the world goes on; its monotonic clock may stand still as well.
   */
  void freeze(Process process, Duration length, boolean clockStops) {
    if (process.frozen || process.dead) {
      return;
    }
    tell(process.name + " is frozen for " + length);
    process.frozen = true;
    long at;
    synchronized (this) {
      at = nanos;
    }
    in(
        null,
        length,
        () -> {
          process.frozen = false;
          if (clockStops) {
            synchronized (this) {
              process.lost += nanos - at;
            }
          }
          tell(process.name + " goes on");
        });
  }

  /** A process dies at once; whatever stood at a gate ends there. */
  void kill(Process process) {
    if (process.dead) {
      return;
    }
    tell(process.name + " dies");
    process.dead = true;
    process.frozen = false;
    synchronized (this) {
      alarms.removeIf(alarm -> alarm.owner == process);
    }
    absorb();
    while (true) {
      threads.settle();
      List<Strand> left = new ArrayList<>();
      for (Strand strand : threads.busy()) {
        Place place = places.get(strand);
        if (place != null && place.owner == process) {
          left.add(strand);
        }
      }
      if (left.isEmpty()) {
        absorb();
        return;
      }
      for (Strand strand : left) {
        if (strand.gated()) {
          strand.release();
        } else {
          strand.interrupt();
        }
      }
      Thread.yield();
    }
  }
}
