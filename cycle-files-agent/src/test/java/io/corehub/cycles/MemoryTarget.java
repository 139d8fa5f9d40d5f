package io.corehub.cycles;

import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.Retries;
import io.corehub.onelake.memory.Faults;
import io.corehub.onelake.memory.InMemoryDfsClient;
import io.corehub.onelake.memory.InMemoryFileSystem;
import io.corehub.onelake.memory.ProcessGate;
import io.corehub.runtime.WorkerPools;
import io.corehub.testkit.AgentTuning;
import io.corehub.testkit.ReferenceModel;
import io.corehub.testkit.Rows;
import io.corehub.testkit.TestTarget;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/** A job folder in memory. */
final class MemoryTarget implements TestTarget {

  static final String ROOT = "Files/cdc";

  private final InMemoryFileSystem fileSystem = new InMemoryFileSystem(Clock.systemUTC());
  private final InMemoryDfsClient reader = fileSystem.client();
  private final ProcessGate gate = new ProcessGate();
  private final Map<String, String> extra;

  MemoryTarget(Map<String, String> extra) {
    this.extra = extra;
    try {
      reader.createDirectory(ROOT);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  InMemoryFileSystem fileSystem() {
    return fileSystem;
  }

  @Override
  public AgentDescriptor descriptor() {
    return new CycleFilesProvider().descriptor();
  }

  @Override
  public TargetAgent createAgent(AgentTuning tuning, AgentContext context) {
    Map<String, String> values = settings();
    boolean prompt = tuning.windowSeconds() == 0;
    values.put("cycleIntervalSeconds", Integer.toString(prompt ? 3600 : tuning.windowSeconds()));
    values.put("cycleChangeLimit", prompt ? "1" : "1000000");
    values.put("maxFileRows", Integer.toString(tuning.rowsPerFile()));
    values.put("uploadMemoryBudgetMb", Integer.toString(Math.max(1, tuning.memoryMegabytes() / 2)));
    values.put("uploadBlockSizeMb", "1");
    values.putAll(extra);
    return agent(values, context, gate.process());
  }

  static Map<String, String> settings() {
    Map<String, String> values = new HashMap<>();
    values.put(
        "storageUrl",
        "https://onelake.dfs.fabric.microsoft.com/11111111-1111-1111-1111-111111111111"
            + "/22222222-2222-2222-2222-222222222222/"
            + ROOT);
    values.put("username", "33333333-3333-3333-3333-333333333333");
    values.put("password", "s3cr3t-value");
    values.put("tenantId", "44444444-4444-4444-4444-444444444444");
    values.put("loadType", "COMBINED");
    values.put("dataDirectory", "{TaskTargetDirectory}/data/{SchemaName}/{TableName}/data");
    values.put("schemaDirectory", "{TaskTargetDirectory}/data/{SchemaName}/{TableName}/schema");
    return values;
  }

  TargetAgent agent(Map<String, String> values, AgentContext context, Faults faults) {
    return new CycleFilesAgent(
        CycleConfigReader.read(CycleSettings.AGENT.parse(values), context.pipelineId(), Map.of()),
        context,
        new CycleFilesAgent.Outside(
            () -> fileSystem.client(faults),
            () -> new WorkerPools("test", 2),
            Retries.Time.SYSTEM,
            new Random(1),
            UUID::randomUUID,
            1L << 30));
  }

  @Override
  public Settings tableSettings(AgentTuning tuning) {
    return CycleSettings.TABLE.parse(Map.of());
  }

  @Override
  public boolean publishesTogether() {
    return true;
  }

  @Override
  public boolean followsTypes() {
    return true;
  }

  @Override
  public Rows expected(ReferenceModel model, TableId table) {
    return model.source(table);
  }

  @Override
  public Optional<Rows> readTable(TableId table) {
    return new ConsumedTables(reader, ROOT + "/contract-test").rows(table);
  }

  @Override
  public String contents() {
    // The fence counts starts, and temporary files are nobody's: only cycles are what a target
    // shows.
    return fileSystem.listing(ROOT).stream()
        .filter(line -> !line.contains("/_writer") && !line.contains("/_tmp_"))
        .toList()
        .toString();
  }

  @Override
  public void hold(TableId table) {
    String files = "/data/" + table.schema().orElse("") + "/" + table.name() + "/data/";
    gate.hold(path -> path.contains(files));
  }

  @Override
  public void release() {
    gate.release();
  }

  @Override
  public void cutOff() {
    gate.cutOff();
  }

  @Override
  public void close() {
    release();
  }
}
