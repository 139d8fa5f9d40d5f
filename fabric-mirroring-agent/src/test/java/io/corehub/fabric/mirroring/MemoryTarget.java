package io.corehub.fabric.mirroring;

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
import io.corehub.testkit.Rows;
import io.corehub.testkit.TestTarget;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/** A landing zone in memory. */
final class MemoryTarget implements TestTarget {

  static final String ROOT = "Files/LandingZone";

  private final InMemoryFileSystem fileSystem = new InMemoryFileSystem(Clock.systemUTC());
  private final InMemoryDfsClient reader = fileSystem.client();
  private final LandedTables tables = new LandedTables(reader, ROOT);
  private final ProcessGate gate = new ProcessGate();

  MemoryTarget() {
    try {
      reader.createDirectory(ROOT);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  InMemoryFileSystem fileSystem() {
    return fileSystem;
  }

  LandedTables tables() {
    return tables;
  }

  @Override
  public AgentDescriptor descriptor() {
    return new FabricMirroringProvider().descriptor();
  }

  @Override
  public TargetAgent createAgent(AgentTuning tuning, AgentContext context) {
    Map<String, String> values = settings();
    values.put("cdcBatchMaxSeconds", Integer.toString(tuning.windowSeconds()));
    values.put("cdcBatchRows", Integer.toString(tuning.rowsPerFile()));
    values.put("cdcBatchMaxMb", Integer.toString(Math.max(1, tuning.memoryMegabytes() / 8)));
    values.put("uploadMemoryBudgetMb", Integer.toString(Math.max(1, tuning.memoryMegabytes() / 2)));
    values.put("uploadBlockSizeMb", "1");
    return agent(values, context, gate.process());
  }

  static Map<String, String> settings() {
    Map<String, String> values = new HashMap<>();
    values.put(
        "landingZoneUrl",
        "https://onelake.dfs.fabric.microsoft.com/11111111-1111-1111-1111-111111111111"
            + "/22222222-2222-2222-2222-222222222222/"
            + ROOT);
    values.put("username", "33333333-3333-3333-3333-333333333333");
    values.put("password", "s3cr3t-value");
    values.put("tenantId", "44444444-4444-4444-4444-444444444444");
    return values;
  }

  TargetAgent agent(Map<String, String> values, AgentContext context, Faults faults) {
    return new MirroringAgent(
        AgentConfig.of(MirroringSettings.AGENT.parse(values)),
        context,
        new MirroringAgent.Outside(
            connection -> fileSystem.client(faults),
            () -> new WorkerPools("test", 2),
            Retries.Time.SYSTEM,
            new Random(1),
            UUID::randomUUID,
            1L << 30));
  }

  @Override
  public Settings tableSettings(AgentTuning tuning) {
    return MirroringSettings.TABLE.parse(
        Map.of("parquetMaxRowCount", Integer.toString(tuning.rowsPerFile())));
  }

  @Override
  public Optional<Rows> readTable(TableId table) {
    return tables.rows(table);
  }

  @Override
  public String contents() {
    // Unpublished temporary files are not part of what a target shows, but _partnerEvents.json is.
    return fileSystem.listing(ROOT).stream()
        .filter(line -> !line.contains("/_0"))
        .filter(line -> !line.contains("_partnerEvents"))
        .toList()
        .toString();
  }

  @Override
  public void hold(TableId table) {
    String folder = tables.folder(table) + "/";
    gate.hold(path -> path.startsWith(folder));
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
