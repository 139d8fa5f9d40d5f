package io.corehub.it.sweep;

import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentException;
import io.corehub.agent.Meters;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.RecordingListener;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/** What a hub does with an agent from one start to the end or the stop of a table. */
final class ProcessRun {

  /** Signing in waits 30 seconds after a failure. */
  private static final Duration LONGEST = Duration.ofSeconds(100);

  private static final Duration CLOSING = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(20);

  private final TargetAgentProvider provider;
  private final Map<String, String> settings;
  private final Map<String, String> tableSettings;
  private final String pipeline;
  private final boolean endAtNotice;
  private final RecordingListener listener = new RecordingListener();
  private final Map<String, DoubleSupplier> gauges = new ConcurrentHashMap<>();

  /**
   * A run.
   *
   * @param pipeline its id, unique among the runs at the same time
   * @param endAtNotice whether it ends when requests have failed for the retry budget, as a hub
   *     does whose source is finite
   */
  ProcessRun(
      TargetAgentProvider provider,
      Map<String, String> settings,
      Map<String, String> tableSettings,
      String pipeline,
      boolean endAtNotice) {
    this.provider = provider;
    this.settings = settings;
    this.tableSettings = tableSettings;
    this.pipeline = pipeline;
    this.endAtNotice = endAtNotice;
  }

  /**
   * How a run ended.
   *
   * @param stop why it did not come to its end; empty if it did
   * @param stored what the hub has stored by then
   */
  record End(Optional<String> stop, ResumePoint stored) {}

  /**
   * Runs to the end, or to the first stop.
   *
   * @param upTo the last commit
   * @param reloadLogAt loads the keyless table anew, as it is at this position, unless that was
   *     done
   */
  End run(long epoch, ResumePoint resume, long upTo, Optional<Long> reloadLogAt)
      throws InterruptedException {
    Started started = start(epoch, resume, upTo, reloadLogAt);
    Optional<String> stop = awaitEnd(started.work(), started.thread());
    if (started.work().isDone()) {
      assertNothingHeld();
    }
    return end(started, resume, stop);
  }

  /** Runs until a condition holds, and is closed then, whatever it is at. */
  End closedWhen(
      BooleanSupplier condition,
      long epoch,
      ResumePoint resume,
      long upTo,
      Optional<Long> reloadLogAt)
      throws InterruptedException {
    Started started = start(epoch, resume, upTo, reloadLogAt);
    long deadline = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0 || started.work().isDone()) {
        throw new AssertionError("The condition to close at never held");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
    }
    close(started.agent());
    // As a hub does with a call of its own that waits for a request.
    started.thread().interrupt();
    return end(started, resume, Optional.empty());
  }

  private record Started(TargetAgent agent, FutureTask<Boolean> work, Thread thread) {}

  private Started start(long epoch, ResumePoint resume, long upTo, Optional<Long> reloadLogAt) {
    TargetAgent agent =
        provider.create(
            provider.descriptor().settings().parse(settings),
            new AgentContext(
                pipeline, epoch, "testkit", "1", listener, InstantSource.system(), new Gauges()));
    FutureTask<Boolean> work =
        new FutureTask<>(
            () -> {
              mirror(agent, resume, upTo, reloadLogAt);
              return true;
            });
    Thread thread = new Thread(work, "host of " + pipeline);
    thread.start();
    return new Started(agent, work, thread);
  }

  private End end(Started started, ResumePoint resume, Optional<String> stop)
      throws InterruptedException {
    close(started.agent());
    Thread thread = started.thread();
    thread.join(CLOSING.toMillis());
    if (thread.isAlive()) {
      throw new AssertionError(
          "A call of the agent still blocks after close, stop was "
              + stop
              + ", at "
              + List.of(thread.getStackTrace()));
    }
    if (!listener.violations().isEmpty()) {
      throw new AssertionError("Breaches of the listener's contract: " + listener.violations());
    }
    ResumePoint stored = listener.resumePoint();
    return new End(
        stop,
        stored.confirmed().isPresent()
            ? stored
            : new ResumePoint(resume.confirmed(), stored.state(), false));
  }

  private void mirror(TargetAgent agent, ResumePoint resume, long upTo, Optional<Long> reloadLogAt)
      throws InterruptedException {
    List<TableSpec> specs =
        SourceHistory.tables().stream()
            .map(
                schema ->
                    new TableSpec(
                        schema, provider.descriptor().tableSettings().parse(tableSettings)))
            .toList();
    Map<TableId, TableProgress> progress = agent.open(specs, resume);
    for (TableSchema table : SourceHistory.tables()) {
      load(agent, table, progress.get(table.table()), reloadLogAt);
    }
    for (SourceCommit commit :
        SourceHistory.commits(resume.confirmed().map(SourcePosition::order).orElse(0L), upTo)) {
      agent.apply(CommitBatches.of(List.of(commit), provider.descriptor().beforeImage()));
    }
    agent.flush();
  }

  private void load(
      TargetAgent agent, TableSchema table, TableProgress progress, Optional<Long> reloadLogAt)
      throws InterruptedException {
    boolean reload = reloadLogAt.isPresent() && table.equals(SourceHistory.LOG);
    long at = reload ? reloadLogAt.get() : 0;
    List<SourceRow> rows = reload ? SourceHistory.logAt(at) : SourceHistory.loaded(table);
    boolean needed =
        progress instanceof TableProgress.NothingPublished
            || progress instanceof TableProgress.SnapshotUnfinished
            || (reload && !reachedBehind(progress, at));
    if (!needed || progress instanceof TableProgress.Stopped) {
      return;
    }
    SnapshotWriter writer =
        agent.beginSnapshot(
            table.table(), new SnapshotStart("snapshot at " + at, SourceCommit.positionAt(at)));
    int third = rows.size() / 3;
    writer.write(ColumnBatches.of(table, rows.subList(0, third)));
    writer.write(ColumnBatches.of(table, rows.subList(third, 2 * third)));
    writer.write(ColumnBatches.of(table, rows.subList(2 * third, rows.size())));
    writer.finish();
  }

  private static boolean reachedBehind(TableProgress progress, long at) {
    return (progress instanceof TableProgress.SnapshotFinished finished
            && finished.consistentAt().order() == at)
        || (progress instanceof TableProgress.ChangesPublished changes
            && changes.position().order() > at);
  }

  /** Waits for the end of the work, a stopped table, or the notice that requests fail for long. */
  private Optional<String> awaitEnd(FutureTask<Boolean> work, Thread thread)
      throws InterruptedException {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    while (true) {
      Optional<String> stop =
          listener.stoppedTables().stream()
              .findFirst()
              .map(Throwable::getMessage)
              .or(() -> listener.agentStops().stream().findFirst().map(Throwable::getMessage))
              .or(
                  () ->
                      listener.warnings().stream()
                          .filter(text -> endAtNotice && text.contains("requests have failed for"))
                          .findFirst());
      if (stop.isPresent()) {
        awaitQuietly(work);
        return stop;
      }
      try {
        work.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        // The news of a table that stopped came before flush returned.
        return listener.stoppedTables().stream().findFirst().map(Throwable::getMessage);
      } catch (TimeoutException e) {
        if (System.nanoTime() - deadline > 0) {
          throw new AssertionError(
              "No end within "
                  + LONGEST
                  + "; warnings: "
                  + listener.warnings()
                  + ", at "
                  + List.of(thread.getStackTrace()));
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AgentException failure) {
          return Optional.of(String.valueOf(failure.getMessage()));
        }
        throw new AssertionError("An unnamed failure", e.getCause());
      }
    }
  }

  /** Other tables go on when one stops: lets them, for a moment. */
  private static void awaitQuietly(FutureTask<Boolean> work) throws InterruptedException {
    try {
      work.get(2, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return;
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TableStoppedException)) {
        throw new AssertionError("An unnamed failure", e.getCause());
      }
    }
  }

  /** Nothing is under way any more: what was lent for it is back. */
  private void assertNothingHeld() throws InterruptedException {
    for (String name : List.of("uploads.active", "uploads.queued", "memory.reserved.bytes")) {
      DoubleSupplier gauge = gauges.get(name);
      if (gauge == null) {
        continue;
      }
      long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      while (gauge.getAsDouble() != 0) {
        if (System.nanoTime() - deadline > 0) {
          throw new AssertionError(name + " is still " + gauge.getAsDouble());
        }
        TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
      }
    }
  }

  private void close(TargetAgent agent) {
    long began = System.nanoTime();
    agent.close();
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    if (took.compareTo(CLOSING) > 0) {
      throw new AssertionError("close took " + took);
    }
    List<String> left =
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.startsWith("mirroring-" + pipeline + "-"))
            .toList();
    if (!left.isEmpty()) {
      throw new AssertionError("Threads left after close: " + left);
    }
  }

  private final class Gauges implements Meters {
    @Override
    public void add(String name, double amount, String... labels) {}

    @Override
    public void gauge(String name, DoubleSupplier value, String... labels) {
      gauges.put(name, value);
    }

    @Override
    public void seconds(String name, double seconds, String... labels) {}
  }
}
