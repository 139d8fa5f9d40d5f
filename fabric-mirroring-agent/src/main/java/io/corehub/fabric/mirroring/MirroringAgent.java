package io.corehub.fabric.mirroring;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.AgentContext;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.Finding;
import io.corehub.agent.HandedOver;
import io.corehub.agent.ProbeFinding;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.Successor;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.Retries;
import io.corehub.runtime.UploadSlots;
import io.corehub.runtime.WorkerPools;
import io.corehub.runtime.Workers;
import io.corehub.runtime.text.Text;
import io.corehub.storage.AgentLife;
import io.corehub.storage.probe.ProbeFolder;
import io.corehub.storage.probe.StorageProbe;
import io.corehub.storage.probe.TargetProbes;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The agent: opens the landing zone, hands each table its part of what the host delivers, and ends
 * in time. Thread-safe as the SPI says.
 */
final class MirroringAgent implements TargetAgent {

  private final AgentConfig config;
  private final AgentContext context;
  private final Outside outside;
  private final AgentLife<MirrorSession> life = new AgentLife<>();

  /**
   * What an agent gets from outside, so that tests can give it something else.
   *
   * @param opener opens a client of a connection
   * @param workers makes the threads
   * @param time monotonic time, and waiting
   * @param random seeds jitter
   * @param ids makes unique ids
   * @param heapBytes greatest size of the heap
   */
  record Outside(
      Function<OneLakeConnection, DfsClient> opener,
      Supplier<Workers> workers,
      Retries.Time time,
      Random random,
      Supplier<UUID> ids,
      long heapBytes) {

    /** The real world. */
    static Outside real(Function<OneLakeConnection, DfsClient> opener, String name) {
      return new Outside(
          opener,
          () -> new WorkerPools(name, Runtime.getRuntime().availableProcessors()),
          Retries.Time.SYSTEM,
          new Random(),
          UUID::randomUUID,
          Runtime.getRuntime().maxMemory());
    }
  }

  MirroringAgent(AgentConfig config, AgentContext context, Outside outside) {
    this.config = config;
    this.context = context;
    this.outside = outside;
  }

  static TargetAgent create(
      AgentConfig config, AgentContext context, Function<OneLakeConnection, DfsClient> opener) {
    return new MirroringAgent(
        config, context, Outside.real(opener, "mirroring-" + Text.shown(context.pipelineId())));
  }

  @Override
  public List<Finding> check() throws InterruptedException {
    try (DfsClient own = AgentLife.client(() -> outside.opener.apply(config.connection()))) {
      return LandingZoneCheck.findings(
          config, own, new Retries(outside.time, outside.random::nextDouble));
    }
  }

  @Override
  public List<TableStatus> look(ResumePoint resume) throws InterruptedException {
    Retries retries = new Retries(outside.time, outside.random::nextDouble);
    try (DfsClient own = outside.opener.apply(config.connection());
        Workers workers = outside.workers.get()) {
      LandingZoneCheck.require(config, own, retries);
      return new TargetLook(
              config,
              own,
              retries,
              workers,
              context.clock(),
              context.pipelineId(),
              remembered(resume))
          .tables();
    }
  }

  @Override
  public void probe(Duration patience, Consumer<ProbeFinding> findings)
      throws InterruptedException {
    Retries retries = new Retries(outside.time, outside.random::nextDouble);
    try (DfsClient own = AgentLife.client(() -> outside.opener.apply(config.connection()));
        Workers workers = outside.workers.get()) {
      LandingZoneCheck.require(config, own, retries);
      LandingZone zone =
          new LandingZone(
              config.connection(),
              own,
              retries,
              outside.time,
              context.clock(),
              workers,
              new UploadSlots(workers.uploads(), 1, 1),
              outside.ids,
              config.prefix(),
              config.uploads().blockBytes(),
              config.uploads().blockConcurrency(),
              config.uploads().close());
      TargetProbes probes =
          new TargetProbes(
              new TargetProbes.Target(
                  own,
                  retries,
                  context.clock(),
                  workers.uploads(),
                  outside.ids,
                  zone.tablesRoot(),
                  () -> FileName.temporary(1, outside.ids.get()),
                  zone::advice),
              EnumSet.allOf(StorageProbe.class),
              findings);
      probes.run(folder -> probeFabric(zone, probes, folder, patience));
    }
  }

  private void probeFabric(
      LandingZone zone, TargetProbes probes, ProbeFolder folder, Duration patience)
      throws InterruptedException {
    FileEncoder encoder = new FileEncoder(config.files(), 1 << 20);
    Function<ProbeFolder, ScratchTable> tables =
        place -> new ScratchTable(zone, encoder, context.pipelineId(), place);
    FabricProbes fabric =
        new FabricProbes(
            zone,
            tables.apply(folder),
            new LimitProbes(() -> tables.apply(probes.another())),
            patience,
            probes::tell);
    try {
      fabric.run();
    } catch (DfsException e) {
      fabric.open().forEach(probe -> probes.tell(probe, e));
    }
  }

  @Override
  public Map<TableId, TableProgress> open(List<TableSpec> tables, ResumePoint resume)
      throws InterruptedException {
    DfsClient opened = life.begin(() -> outside.opener.apply(config.connection()));
    Remembered remembered = remembered(resume);
    Retries retries = new Retries(outside.time, outside.random::nextDouble);
    LandingZoneCheck.require(config, opened, retries);
    MirrorSession fresh =
        life.opened(
            () ->
                new MirrorSession(
                    config, context, outside, opened, retries, remembered, resume, tables.size()));
    return fresh.open(tables);
  }

  private static Remembered remembered(ResumePoint resume) {
    try {
      return Remembered.of(resume);
    } catch (IllegalArgumentException e) {
      throw new ActionRequiredException(
          ErrorCode.SETTINGS,
          "The state the hub keeps for this pipeline cannot be read: "
              + e.getMessage()
              + ". Was it written by another agent or a newer release? Use another pipeline id, or"
              + " delete the pipeline's state: what is published is found in the landing zone.",
          e);
    }
  }

  private MirrorSession session() {
    return life.session();
  }

  @Override
  public TableProgress addTable(TableSpec table) throws InterruptedException {
    return session().addTable(table);
  }

  @Override
  public void removeTable(TableId table) throws InterruptedException {
    session().removeTable(table);
  }

  @Override
  public boolean recreateTable(TableId table) throws InterruptedException {
    return session().recreateTable(table);
  }

  @Override
  public List<HandedOver> handOver(Successor to) throws InterruptedException {
    return session().handOver(to);
  }

  @Override
  public SnapshotWriter beginSnapshot(TableId table, SnapshotStart start)
      throws InterruptedException {
    return session().mirror(table).beginSnapshot(start);
  }

  @Override
  public void apply(CommitBatch batch) throws InterruptedException {
    session().apply(batch);
  }

  @Override
  public void flush() throws InterruptedException {
    session().flush();
  }

  @Override
  public List<TableStatus> status() {
    return life.status();
  }

  @Override
  public void close() {
    life.close();
  }
}
