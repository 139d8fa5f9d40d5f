package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.AgentContext;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.Meters;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.Retries;
import io.corehub.onelake.memory.InMemoryFileSystem;
import io.corehub.runtime.Timer;
import io.corehub.runtime.WorkerPools;
import io.corehub.runtime.Workers;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.RecordingListener;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * One run of an agent over a landing zone in memory, in a hurry: pauses between attempts take a
 * hundredth of their time, waiting for Fabric takes none, and the wall clock stands still until it
 * is told otherwise.
 */
final class AgentRun implements AutoCloseable {

  static final String ROOT = MemoryTarget.ROOT;
  static final Duration PATIENCE = Duration.ofSeconds(30);

  final Script script = new Script();
  final RecordingListener listener = new RecordingListener();
  final Map<String, String> settings = MemoryTarget.settings();
  final Map<String, String> tableSettings = new HashMap<>();
  final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  final InMemoryFileSystem fileSystem;
  final LandedTables tables;
  final Map<String, Double> counted = new ConcurrentHashMap<>();
  final Map<String, DoubleSupplier> gauges = new ConcurrentHashMap<>();
  volatile Consumer<String> onCount = name -> {};
  long epoch = 1;
  long heapBytes = 1L << 30;
  volatile Supplier<UUID> ids = UUID::randomUUID;

  /** Called before the upload threads take a task. */
  volatile Runnable beforeUploads = () -> {};

  /** Whether what is to be encoded is dropped, as a closed pool does. */
  volatile boolean encodersEnded;

  /** The same of what is to be sent. */
  volatile boolean uploadsEnded;

  String pipeline = "shop";

  /** Tables that the host hands changes over of. */
  Predicate<TableId> selected = table -> true;

  private final HurriedTime time = new HurriedTime();
  private volatile OneLakeConnection connection;
  private TargetAgent agent;
  private Map<TableId, TableProgress> progress = Map.of();

  AgentRun() throws InterruptedException {
    this(new InMemoryFileSystem(Clock.systemUTC()));
    fileSystem.client().createDirectory(ROOT);
  }

  /** A later run over the same store. */
  AgentRun(InMemoryFileSystem fileSystem) {
    this.fileSystem = fileSystem;
    this.tables = new LandedTables(fileSystem.client(), ROOT);
    settings.put("cdcBatchMaxSeconds", "0");
    settings.put("writePartnerEvents", "false");
    settings.put("monitoringSeconds", "0");
  }

  AgentRun with(String setting, String value) {
    settings.put(setting, value);
    return this;
  }

  AgentRun withTable(String setting, String value) {
    tableSettings.put(setting, value);
    return this;
  }

  AgentRun open(TableSchema... schemas) throws InterruptedException {
    return open(ResumePoint.NONE, schemas);
  }

  AgentRun open(ResumePoint resume, TableSchema... schemas) throws InterruptedException {
    agent = create();
    progress =
        agent.open(
            Arrays.stream(schemas)
                .map(schema -> new TableSpec(schema, MirroringSettings.TABLE.parse(tableSettings)))
                .toList(),
            resume);
    return this;
  }

  TableSpec spec(TableSchema schema) {
    return new TableSpec(schema, MirroringSettings.TABLE.parse(tableSettings));
  }

  TargetAgent create() {
    return new MirroringAgent(
        AgentConfig.of(MirroringSettings.AGENT.parse(settings)),
        new AgentContext(
            pipeline, epoch, "postgresql", "16", listener, now::get, new Counting(), selected),
        new MirroringAgent.Outside(
            to -> {
              connection = to;
              return fileSystem.client(script);
            },
            Hurried::new,
            time,
            new Random(1),
            () -> ids.get(),
            heapBytes));
  }

  /** How the agent was told to reach its landing zone. */
  OneLakeConnection connection() {
    return connection;
  }

  TargetAgent agent() {
    return agent;
  }

  TableProgress progress(TableSchema schema) {
    return progress.get(schema.table());
  }

  void apply(SourceCommit... commits) throws InterruptedException {
    agent.apply(CommitBatches.of(List.of(commits), BeforeImage.FULL));
  }

  /** Applies and waits until it is published. */
  AgentRun publish(SourceCommit... commits) throws InterruptedException {
    apply(commits);
    agent.flush();
    return this;
  }

  void snapshot(TableSchema schema, String id, long at, List<SourceRow> rows)
      throws InterruptedException {
    SnapshotWriter writer = begin(schema, id, at);
    if (!rows.isEmpty()) {
      writer.write(ColumnBatches.of(schema, rows));
    }
    writer.finish();
  }

  SnapshotWriter begin(TableSchema schema, String id, long at) throws InterruptedException {
    return agent.beginSnapshot(schema.table(), new SnapshotStart(id, SourceCommit.positionAt(at)));
  }

  TableStatus status(TableSchema schema) {
    return agent.status().stream()
        .filter(status -> status.table().equals(schema.table()))
        .findFirst()
        .orElseThrow();
  }

  /** Lets the monotonic clock jump forward. */
  void advance(Duration duration) {
    time.jump(duration);
  }

  /** What a process does until it dies. */
  interface Deed {
    void run() throws InterruptedException;
  }

  /** Whether the process lives to the end of what it does. */
  boolean survives(Deed deed) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread process =
        new Thread(
            () -> {
              try {
                deed.run();
              } catch (InterruptedException | RuntimeException | Error e) {
                failure.set(e);
              }
            });
    process.start();
    while (process.isAlive()) {
      if (script.dead()) {
        process.interrupt();
      }
      process.join(1);
    }
    if (!script.dead() && failure.get() != null) {
      throw new AssertionError("The process lives, but failed", failure.get());
    }
    return !script.dead();
  }

  /** A run that begins when this one's process has died. */
  AgentRun successor() {
    script.kill();
    AgentRun next = new AgentRun(fileSystem);
    next.settings.putAll(settings);
    next.tableSettings.putAll(tableSettings);
    next.epoch = epoch + 1;
    next.now.set(now.get());
    return next;
  }

  void assertNoViolations() {
    assertThat(listener.violations()).isEmpty();
  }

  @Override
  public void close() {
    if (agent != null) {
      agent.close();
    }
  }

  private final class Counting implements Meters {
    @Override
    public void add(String name, double amount, String... labels) {
      counted.merge(name, amount, Double::sum);
      onCount.accept(name);
    }

    @Override
    public void gauge(String name, DoubleSupplier value, String... labels) {
      gauges.put(name, value);
    }

    @Override
    public void seconds(String name, double seconds, String... labels) {}
  }

  private final class HurriedTime implements Retries.Time {
    private long slept;

    @Override
    public synchronized long nanos() {
      return System.nanoTime() + slept;
    }

    synchronized void jump(Duration duration) {
      slept += duration.toNanos();
    }

    @Override
    public synchronized void sleep(Duration duration) {
      slept += duration.toNanos();
      script.slept(duration);
    }
  }

  private final class Hurried implements Workers {
    private final WorkerPools pools = new WorkerPools("test", 2);

    @Override
    public Executor encoders() {
      return task -> {
        if (!encodersEnded) {
          pools.encoders().execute(task);
        }
      };
    }

    @Override
    public Executor uploads() {
      return task -> {
        if (!uploadsEnded) {
          beforeUploads.run();
          pools.uploads().execute(task);
        }
      };
    }

    @Override
    public Timer timer() {
      return new Timer() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public Alarm in(Duration delay, Runnable task) {
          return pools.timer().in(delay.dividedBy(100), task);
        }
      };
    }

    @Override
    public void close() {
      pools.close();
    }
  }

  static List<SourceRow> rows(TableSchema schema, int from, int to) {
    List<SourceRow> rows = new ArrayList<>();
    for (int id = from; id <= to; id++) {
      rows.add(SourceRow.of(schema, id, "row " + id));
    }
    return rows;
  }
}
