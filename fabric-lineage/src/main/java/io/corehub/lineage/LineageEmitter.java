package io.corehub.lineage;

import io.corehub.lineage.naming.OneLakeFacet;
import io.openlineage.client.OpenLineage.RunEvent.EventType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what waits in an outbox, one event after the other, on a daemon thread of its own: the only
 * place that speaks to the catalogue, and so the only one that can hang. An event that was not sent
 * is tried again, with growing pauses; one that the catalogue refuses is left out. Thread-safe.
 */
final class LineageEmitter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LineageEmitter.class);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);
  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);

  private final String pipeline;
  private final Outbox outbox;
  private final Windows windows;
  private final EventSink.Opener sinks;
  private final EventFactory events;
  private final OpenRuns.Reader openRuns;
  private final InstantSource clock;
  private final Duration shutdown;
  private final Scrubber scrubber;
  private final Thread thread;

  private final Object pauses = new Object();
  private boolean started;
  private boolean closing;
  private long deadline;

  private long failures;
  private long refused;
  private long lastWarning;

  /** Time that passes, told by the emitter's thread. */
  interface Windows {
    /** Adds to the outbox what an interval has gone by for. */
    void tellWhatIsDue();

    /** When that will be worth the next look; empty if nothing waits. */
    Optional<Instant> nextDue();
  }

  /**
   * An emitter that does nothing yet.
   *
   * @param config settings
   * @param outbox where events wait
   * @param windows asked between events
   * @param sinks opens the way to the catalogue
   * @param events makes events
   * @param openRuns runs that an earlier process left open
   * @param clock wall clock
   * @param scrubber takes secrets out of messages
   */
  LineageEmitter(
      LineageConfig config,
      Outbox outbox,
      Windows windows,
      EventSink.Opener sinks,
      EventFactory events,
      OpenRuns.Reader openRuns,
      InstantSource clock,
      Scrubber scrubber) {
    this.pipeline = config.pipeline();
    this.outbox = outbox;
    this.windows = windows;
    this.sinks = sinks;
    this.events = events;
    this.openRuns = openRuns;
    this.clock = clock;
    this.shutdown = config.shutdown();
    this.scrubber = scrubber;
    this.thread = new Thread(this::run, "lineage-" + config.pipeline());
    thread.setDaemon(true);
  }

  void start() {
    synchronized (pauses) {
      started = true;
    }
    thread.start();
  }

  private void run() {
    EventSink sink;
    try {
      sink = sinks.open();
    } catch (Exception | LinkageError e) {
      outbox.discard();
      LOG.error(
          "{}: no lineage is sent, because the OpenLineage client cannot be set up: {}. Correct its"
              + " configuration ('lineage.configFile') and start again; replication goes on.",
          pipeline,
          said(e));
      return;
    }
    try {
      if (sink.leavesOut(OneLakeFacet.NAME)) {
        events.leaveFabricFacetOut();
      }
      OpenRuns runs = openRuns.read();
      endRunsLeftOpen(sink, runs);
      sendAll(sink, runs);
    } catch (InterruptedException e) {
      LOG.debug("{}: lineage was given up", pipeline, e);
    } catch (RuntimeException | Error e) {
      LOG.error("{}: lineage ends by an unexpected error; replication goes on", pipeline, e);
    } finally {
      outbox.discard();
      close(sink);
    }
  }

  private void close(EventSink sink) {
    try {
      sink.close();
    } catch (Exception e) {
      LOG.debug("{}: the OpenLineage client did not close", pipeline, e);
    }
  }

  /** The process that began these runs was killed, or could not say that they ended. */
  private void endRunsLeftOpen(EventSink sink, OpenRuns runs) throws InterruptedException {
    for (OpenRuns.Entry entry : runs.all()) {
      Emission abort = Emission.of(EventType.ABORT, entry.run(), clock.instant(), Optional.empty());
      if (!send(sink, entry.namespace(), abort)) {
        return;
      }
      runs.ended(entry.run());
    }
  }

  private void sendAll(EventSink sink, OpenRuns runs) throws InterruptedException {
    while (true) {
      Emission next = outbox.take(sleepNanos());
      if (next == null) {
        if (outbox.isClosed()) {
          return;
        }
        windows.tellWhatIsDue();
        continue;
      }
      if (next.type() == EventType.START) {
        runs.began(events.namespace(), next.run());
      }
      if (!send(sink, events.namespace(), next)) {
        return;
      }
      if (next.terminal()) {
        runs.ended(next.run());
      }
    }
  }

  private long sleepNanos() {
    Duration sleep =
        windows
            .nextDue()
            .map(due -> Duration.between(clock.instant(), due))
            .filter(time -> time.compareTo(LONGEST_SLEEP) < 0)
            .orElse(LONGEST_SLEEP);
    return Math.max(1, sleep.toNanos());
  }

  /** Sends until it is sent or refused; false when time is up. */
  private boolean send(EventSink sink, String namespace, Emission emission)
      throws InterruptedException {
    Duration pause = Duration.ofSeconds(1);
    while (true) {
      try {
        sink.send(events.event(namespace, emission));
        return true;
      } catch (EventSink.RefusedEventException e) {
        refused++;
        warn("the catalogue refuses an event: " + said(e));
        return true;
      } catch (Exception | LinkageError e) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        failures++;
        warn("events cannot be sent: " + said(e));
      }
      if (!pause(pause)) {
        return false;
      }
      pause = pause.multipliedBy(2);
      pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
      windows.tellWhatIsDue();
    }
  }

  /** Waits before an event is tried again; false when the end leaves no time for that. */
  private boolean pause(Duration pause) throws InterruptedException {
    long end = System.nanoTime() + pause.toNanos();
    synchronized (pauses) {
      boolean wasClosing = closing;
      while (true) {
        long now = System.nanoTime();
        if (closing && now >= deadline) {
          return false;
        }
        // The end of the pipeline cuts a long pause short, once.
        if (now >= end || (closing && !wasClosing)) {
          return true;
        }
        long until = closing ? Math.min(end, deadline) : end;
        TimeUnit.NANOSECONDS.timedWait(pauses, Math.max(1_000_000, until - now));
      }
    }
  }

  private String said(Throwable failure) {
    String message = failure.getMessage();
    return failure.getClass().getSimpleName()
        + (message == null ? "" : ": " + scrubber.clean(message).replaceAll("\\s+", " "));
  }

  /** One line a minute, however much goes wrong. */
  private void warn(String what) {
    long now = System.nanoTime();
    if (lastWarning == 0 || now - lastWarning >= BETWEEN_WARNINGS.toNanos()) {
      lastWarning = now;
      LOG.warn(
          "{}: lineage: {} ({} attempts failed, {} events refused, {} wait); replication goes on",
          pipeline,
          what,
          failures,
          refused,
          outbox.size());
    }
  }

  /** Sends what waits, within the time the settings allow. Idempotent. */
  @Override
  public void close() {
    outbox.close();
    synchronized (pauses) {
      if (!started) {
        return;
      }
      if (!closing) {
        closing = true;
        deadline = System.nanoTime() + shutdown.toNanos();
        pauses.notifyAll();
      }
    }
    try {
      TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline() - System.nanoTime()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      LOG.warn(
          "{}: lineage: {} events were not sent within {} s; the next start tells the catalogue that"
              + " their runs ended",
          pipeline,
          outbox.size() + 1,
          shutdown.toSeconds());
      thread.interrupt();
    }
  }

  private long deadline() {
    synchronized (pauses) {
      return deadline;
    }
  }
}
