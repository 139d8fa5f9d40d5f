package io.corehub.cycles;

import io.corehub.agent.AgentContext;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.Meters;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.Retries;
import io.corehub.onelake.memory.Faults;
import io.corehub.onelake.memory.InMemoryDfsClient;
import io.corehub.onelake.memory.InMemoryFileSystem;
import io.corehub.storage.StoredFiles;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.RecordingListener;
import io.corehub.testkit.SourceCommit;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;

/** A job of the worked example in memory, driven by hand with a clock that stands still. */
final class Job implements AutoCloseable {

  static final String FOLDER = "Files/cdc/sales_cdc";

  static final TableSchema ORDERS =
      new TableSchema(
          TableId.of("sales", "orders"),
          List.of(
              Column.of("order_id", ColumnType.of(Kind.INT)),
              Column.of("status", ColumnType.of(Kind.STRING)),
              Column.of("amount", ColumnType.decimal(10, 2))),
          List.of("order_id"),
          1);

  static final TableSchema CUSTOMERS =
      new TableSchema(
          TableId.of("sales", "customers"),
          List.of(
              Column.of("customer_id", ColumnType.of(Kind.INT)),
              Column.of("name", ColumnType.of(Kind.STRING))),
          List.of("customer_id"),
          1);

  final InMemoryFileSystem files;
  final ManualWorkers.Time time;
  final Map<String, String> settings = new HashMap<>();
  long heapBytes = 1L << 30;
  RecordingListener listener = new RecordingListener();
  Meters meters = Meters.NONE;

  /** Where tables stood when the agent was opened last. */
  Map<TableId, TableProgress> progress = Map.of();

  CycleFilesAgent agent;
  private ManualWorkers workers;
  private DfsClient reader;
  private String folder = FOLDER;

  Job() {
    this(new InMemoryFileSystem(Clock.systemUTC()), at("10:00:00"));
  }

  Job(InMemoryFileSystem files, Instant now) {
    this.files = files;
    this.reader = files.client();
    this.time = new ManualWorkers.Time(now);
    settings.putAll(MemoryTarget.settings());
    settings.put(
        "storageUrl", settings.get("storageUrl").replace("/" + MemoryTarget.ROOT, "/Files"));
    settings.put("connectionFolder", "cdc");
    settings.put("taskTargetDirectory", "sales_cdc");
    settings.put("loadType", "INCREMENTAL");
    settings.put("cycleChangeLimit", "4");
    settings.put("cycleIntervalSeconds", "60");
    settings.remove("dataDirectory");
    settings.remove("schemaDirectory");
    try {
      files.client().createDirectory("Files");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static Instant at(String time) {
    return Instant.parse("2026-11-29T" + time + "Z");
  }

  InMemoryDfsClient client() {
    return files.client();
  }

  /** What a verifier reads of it. */
  TargetFiles stored() {
    return new StoredFiles(
        client(),
        "Files/cdc",
        new Retries(Retries.Time.SYSTEM, new Random(1)::nextDouble),
        failure -> String.valueOf(failure.getMessage()));
  }

  /** Its files lie elsewhere than in memory: what a consumer reads them through, and where. */
  void reads(DfsClient client, String jobFolder) {
    reader = client;
    folder = jobFolder;
  }

  ConsumedTables consumed() {
    return new ConsumedTables(reader, folder);
  }

  /** A start with what the hub remembers. */
  void start(ResumePoint resume, Faults faults, TableSchema... tables) throws InterruptedException {
    start(resume, () -> files.client(faults), tables);
  }

  void start(ResumePoint resume, Supplier<DfsClient> client, TableSchema... tables)
      throws InterruptedException {
    listener = new RecordingListener();
    agent = create(client);
    progress =
        agent.open(
            Arrays.stream(tables)
                .map(table -> new TableSpec(table, CycleSettings.TABLE.parse(Map.of())))
                .toList(),
            resume);
  }

  CycleFilesAgent create(Supplier<DfsClient> client) {
    workers = new ManualWorkers(time);
    return new CycleFilesAgent(
        CycleConfigReader.read(CycleSettings.AGENT.parse(settings), "sales", Map.of()),
        new AgentContext("sales", 1, "testkit", "1", listener, workers, meters),
        new CycleFilesAgent.Outside(
            client,
            () -> workers,
            Retries.Time.SYSTEM,
            new Random(1),
            UUID::randomUUID,
            heapBytes));
  }

  void start(TableSchema... tables) throws InterruptedException {
    start(ResumePoint.NONE, Faults.NONE, tables);
  }

  /** The hub starts again with what it stored. */
  void restart(TableSchema... tables) throws InterruptedException {
    ResumePoint resume = listener.resumePoint();
    agent.close();
    start(resume, Faults.NONE, tables);
  }

  void apply(SourceCommit... commits) throws InterruptedException {
    agent.apply(CommitBatches.of(List.of(commits), BeforeImage.FULL));
  }

  void awaitConfirmed(long order) {
    listener.awaitConfirmed(SourceCommit.positionAt(order), Duration.ofSeconds(30));
  }

  String text(String path) {
    return new String(consumed().read(path), java.nio.charset.StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    if (agent != null) {
      agent.close();
    }
  }
}
