package io.corehub.hub.pipeline;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.Finding;
import io.corehub.agent.HandedOver;
import io.corehub.agent.Meters;
import io.corehub.agent.Successor;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TargetAgent;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.source.CommitSpool;
import io.corehub.hub.source.Shown;
import io.corehub.hub.source.Source;
import io.corehub.hub.source.SourceContext;
import io.corehub.hub.source.SourceException;
import io.corehub.hub.state.NotesFile;
import io.corehub.hub.state.PipelineState;
import io.corehub.hub.state.RunNotes;
import io.corehub.hub.state.StateDirectory;
import io.corehub.hub.state.StateException;
import io.corehub.hub.state.StateFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One source, one agent, and the way between them. Thread-safe.
 *
 * <ol>
 *   <li>{@link #start()} runs it on a thread of its own.
 *   <li>It ends by itself when its finite source ended and everything is confirmed, when it cannot
 *       go on, or after {@link #stop()}.
 *   <li>{@link #awaitEnd(Duration)} and {@link #outcome()} tell how.
 * </ol>
 */
public final class Pipeline {

  private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

  /** How long a source may take to notice that it is to stop, before it is interrupted. */
  private static final Duration SOURCE_STOP = Duration.ofSeconds(3);

  /** How long publishing what was read may take once the pipeline is to stop. */
  private static final Duration LAST_FLUSH = Duration.ofSeconds(8);

  private final PipelineConfig config;
  private final StateDirectory directory;
  private final InstantSource clock;
  private final Meters meters;
  private final Tables tables;
  private final Observers observers;
  private final NotesFile notes;
  private final Watch watch;
  private final AfterEnd afterEnd = new AfterEnd();
  private final Object visit = new Object();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;

  private volatile PipelineStatus.Phase phase = PipelineStatus.Phase.STARTING;
  private volatile boolean started;
  private volatile boolean stopping;
  private volatile boolean visiting;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable Source source;
  private volatile @Nullable TargetAgent agent;
  private volatile @Nullable StateKeeper keeper;
  private volatile @Nullable PipelineNews news;

  /**
   * A pipeline that does nothing yet.
   *
   * @param config what to run
   * @param hub name of the hub
   * @param directory the hub's locked state directory
   * @param clock wall clock
   * @param meters where figures go
   */
  public Pipeline(
      PipelineConfig config,
      String hub,
      StateDirectory directory,
      InstantSource clock,
      Meters meters) {
    this.config = config;
    this.directory = directory;
    this.clock = clock;
    this.meters = meters;
    this.observers = Observers.of(config, hub, directory, clock);
    this.tables = new Tables(config.name(), this::tableStopped);
    this.notes = directory.notesOf(config.id());
    this.thread = new Thread(this::run, "pipeline-" + config.name());
    this.watch = new Watch(config, thread, this::fail);
    thread.setDaemon(true);
  }

  /**
   * The pipeline's id.
   *
   * @return the id its state and its folders go by
   */
  public String id() {
    return config.id();
  }

  /** Starts the pipeline's thread. */
  public void start() {
    started = true;
    thread.start();
  }

  /** Asks the pipeline to stop; returns at once. Idempotent. */
  public void stop() {
    askToStop();
    if (visiting) {
      thread.interrupt();
    }
  }

  private void askToStop() {
    stopping = true;
    Source running = source;
    if (running != null) {
      running.stop();
    }
    watch.interruptAfter(SOURCE_STOP, () -> phase != PipelineStatus.Phase.FLUSHING);
    boundLastFlush();
  }

  /**
   * Whichever comes later, the stop or the last flush of a source that ended, gives it its time.
   */
  private void boundLastFlush() {
    if (stopping && phase == PipelineStatus.Phase.FLUSHING) {
      watch.interruptAfter(LAST_FLUSH, () -> true);
    }
  }

  /**
   * Stops the pipeline and hands its tables over; waits until that is done. If they cannot be
   * handed over, a pipeline that ran has failed with that reason.
   *
   * @param to whom
   * @return the tables
   * @throws AgentException if they cannot be handed over; while one takes its snapshot, the
   *     pipeline goes on
   * @throws StateException if the state cannot be read or written
   * @throws InterruptedException if interrupted, or the hub is stopped meanwhile
   */
  public List<HandedOver> handOver(Successor to) throws InterruptedException {
    requireNoSnapshot();
    FutureTask<List<HandedOver>> deed =
        new FutureTask<>(
            () -> {
              try {
                return AgentVisit.run(config, directory, clock, agent -> agent.handOver(to));
              } catch (RuntimeException | Error e) {
                if (Thread.currentThread() == thread) {
                  record(e);
                }
                throw e;
              }
            });
    if (afterEnd.add(deed)) {
      LOG.info("{}: stopping, to be handed over to '{}'", config.name(), Shown.of(to.pipeline()));
      askToStop();
    } else {
      synchronized (visit) {
        deed.run();
      }
    }
    try {
      return deed.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AgentException || e.getCause() instanceof StateException) {
        throw (RuntimeException) e.getCause();
      }
      if (e.getCause() instanceof InterruptedException) {
        throw (InterruptedException) e.getCause();
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** The end of a snapshot is waited for by a person: a stop would throw its pages away. */
  private void requireNoSnapshot() {
    for (TableStatus table : status().tables()) {
      if (table.state() == TableStatus.State.SNAPSHOT) {
        throw new ActionRequiredException(
            ErrorCode.NEEDS_SNAPSHOT,
            "Table "
                + Shown.of(table.table().toString())
                + " takes its snapshot, and pipeline "
                + Shown.of(config.name())
                + " goes on. Hand its tables over once 'hub status' shows no snapshot.");
      }
    }
  }

  /**
   * Waits for the end.
   *
   * @param limit how long
   * @return false if the pipeline was started and did not end in time
   * @throws InterruptedException if interrupted
   */
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    return !started || ended.await(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * How the pipeline ended; of meaning after its end.
   *
   * @return the outcome
   */
  public Outcome outcome() {
    Throwable reason = failure;
    if (reason != null) {
      return expected(reason) ? Outcome.ACTION_REQUIRED : Outcome.UNEXPECTED;
    }
    if (stopping) {
      return Outcome.STOPPED;
    }
    return tables.stopped().isEmpty() ? Outcome.DONE : Outcome.ACTION_REQUIRED;
  }

  /**
   * How the pipeline stands.
   *
   * @return a snapshot of it
   */
  public PipelineStatus status() {
    TargetAgent running = agent;
    StateKeeper state = keeper;
    PipelineNews told = news;
    TreeMap<String, Long> warnings = new TreeMap<>();
    if (told != null) {
      told.warnings().forEach((text, count) -> warnings.put(text, count.get()));
    }
    return new PipelineStatus(
        config.name(),
        phase,
        Optional.ofNullable(failure).map(Pipeline::message),
        state == null ? Optional.empty() : state.confirmed(),
        TableStates.merge(running == null ? List.of() : running.status(), tables.stopped()),
        warnings);
  }

  private void run() {
    try {
      work();
    } catch (InterruptedException e) {
      // Asked for: by stop(), or by fail(), which keeps the reason.
      LOG.debug("{}: interrupted", config.name());
    } catch (RuntimeException | Error e) {
      fail(e);
    } finally {
      Thread.interrupted();
      shutDown();
      visitOnceMore();
      phase =
          failure != null
              ? PipelineStatus.Phase.FAILED
              : stopping ? PipelineStatus.Phase.STOPPED : PipelineStatus.Phase.DONE;
      takeNotes();
      ended.countDown();
    }
  }

  /** Only a stop that comes from now on breaks it off. */
  private void visitOnceMore() {
    Thread.interrupted();
    visiting = true;
    afterEnd.run();
    visiting = false;
    Thread.interrupted();
  }

  private void tableStopped(TableStoppedException reason) {
    takeNotes();
    observers.tableStopped(reason);
  }

  /** For those who ask when this run does not answer. */
  private void takeNotes() {
    Map<String, String> stopped = new TreeMap<>();
    tables.stopped().forEach((table, reason) -> stopped.put(table.toString(), reason));
    notes.write(
        new RunNotes(phase.word(), Optional.ofNullable(failure).map(Pipeline::message), stopped));
  }

  private void work() throws InterruptedException {
    takeNotes();
    Path spool = directory.emptySpoolOf(config.id());
    StateFile file = directory.stateOf(config.id());
    PipelineState now = file.read().started(clock);
    file.write(now);
    Source opened = openSource(spool, now);
    StateKeeper states = new StateKeeper(config.name(), file, now, opened::confirmed, this::fail);
    keeper = states;
    PipelineNews listener = new PipelineNews(config.name(), states, tables, observers, this::fail);
    news = listener;
    TargetAgent target =
        config
            .agent()
            .create(
                config.agentSettings(),
                new AgentContext(
                    config.id(),
                    now.epoch(),
                    config.source().type(),
                    opened.version(),
                    listener,
                    clock,
                    meters,
                    table -> config.tables().selects(table) && opened.reads(table)));
    agent = target;
    target.open(List.of(), now.resumePoint(opened.finite()));
    LOG.info(
        "{}: started, {}",
        config.name(),
        now.confirmed().map(p -> "behind position " + p).orElse("from the beginning"));
    observers.started();
    watch.observe(opened, target);
    phase = PipelineStatus.Phase.RUNNING;
    takeNotes();
    try (TableOpenings openings = new TableOpenings(config.name(), target, tables, this::fail);
        SnapshotEnds ends = new SnapshotEnds(config.name(), tables, this::fail);
        CommitSpool withheld = new CommitSpool(spool, spoolMemory())) {
      feed(
          opened,
          new PipelineSink(
              config.name(), target, config.tables(), tables, openings, ends, withheld));
    }
    phase = PipelineStatus.Phase.FLUSHING;
    boundLastFlush();
    target.flush();
  }

  private Source openSource(Path spool, PipelineState state) throws InterruptedException {
    Source opened =
        config
            .source()
            .create(
                config.sourceSettings(),
                new SourceContext(
                    config.id(),
                    spool,
                    state.confirmed(),
                    config.agent().descriptor().beforeImage(),
                    config.tables()::selects,
                    spoolMemory(),
                    clock,
                    meters));
    source = opened;
    if (stopping) {
      throw new InterruptedException();
    }
    if (opened.finite()) {
      for (Finding finding : opened.check()) {
        if (finding.severity() == Finding.Severity.ERROR) {
          throw new SourceException(finding.message());
        }
      }
    }
    return opened;
  }

  private void feed(Source opened, PipelineSink sink) throws InterruptedException {
    try {
      opened.run(sink);
      if (stopping) {
        sink.discard();
      } else {
        sink.complete();
        reportMissingTables();
      }
    } catch (SourceException e) {
      record(e);
      if (opened.finite() && !stopping) {
        sink.breakOff();
      } else {
        sink.discard();
      }
    } catch (InterruptedException e) {
      sink.discard();
      // What was taken before a stop may still be published.
      if (!stopping || failure != null) {
        throw e;
      }
    }
  }

  private void reportMissingTables() {
    List<String> missing =
        config.tables().namedButMissing(tables.all().stream().map(TableFeed::id).toList());
    if (!missing.isEmpty()) {
      record(
          new SourceException(
              "'tables' names "
                  + Shown.of(String.join(", ", missing))
                  + ", which the source does not have. It has: "
                  + Shown.of(
                      tables.all().stream()
                          .map(f -> f.id().toString())
                          .sorted()
                          .toList()
                          .toString())
                  + "."));
    }
  }

  /** Closes what was opened; nothing is confirmed that is not published. */
  private void shutDown() {
    watch.close();
    TargetAgent target = agent;
    StateKeeper states = keeper;
    Source opened = source;
    for (@Nullable AutoCloseable part : new @Nullable AutoCloseable[] {target, states, opened}) {
      try {
        if (part != null) {
          part.close();
        }
      } catch (Exception e) {
        record(e);
      }
    }
    observers.end(Optional.ofNullable(failure).map(Pipeline::message));
  }

  /** Keeps a reason to fail and breaks the work off. */
  private void fail(Throwable reason) {
    record(reason);
    Source running = source;
    if (running != null) {
      running.stop();
    }
    if (Thread.currentThread() != thread) {
      thread.interrupt();
    }
  }

  /** Keeps the first reason to fail; what was read before is still published. */
  private synchronized void record(Throwable thrown) {
    Throwable reason = thrown instanceof OutOfMemoryError ? heapSpent(thrown) : thrown;
    Throwable first = failure;
    if (first != null) {
      if (first != reason) {
        first.addSuppressed(reason);
      }
      return;
    }
    failure = reason;
    if (expected(reason)) {
      LOG.error("{}: {}", config.name(), message(reason));
    } else {
      LOG.error("{}: unexpected error; please report it", config.name(), reason);
    }
  }

  private static ActionRequiredException heapSpent(Throwable reason) {
    return new ActionRequiredException(
        ErrorCode.TOO_LARGE,
        "The heap of "
            + (Runtime.getRuntime().maxMemory() >> 20)
            + " MB is spent. Start again with a larger one, for example HUB_JAVA_OPTS=-Xmx2g: it takes"
            + " twelve times the largest row, and some 2 MB for each table.",
        reason);
  }

  private static boolean expected(Throwable reason) {
    return reason instanceof SourceException
        || reason instanceof StateException
        || reason instanceof AgentException;
  }

  private static String message(Throwable reason) {
    String text = reason.getMessage();
    return text == null ? reason.toString() : text;
  }

  private static long spoolMemory() {
    return Math.max(1 << 20, Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 16));
  }
}
