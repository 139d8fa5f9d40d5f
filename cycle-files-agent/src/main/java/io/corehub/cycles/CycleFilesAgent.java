package io.corehub.cycles;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.AgentContext;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.Finding;
import io.corehub.agent.ProbeFinding;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.OneLakeConnection;
import io.corehub.onelake.Retries;
import io.corehub.runtime.WorkerPools;
import io.corehub.runtime.Workers;
import io.corehub.runtime.text.Text;
import io.corehub.storage.AgentLife;
import io.corehub.storage.ObjectStore;
import io.corehub.storage.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The agent: finds out where its job stands, hands on what the host delivers, and ends in time.
 * Thread-safe as the SPI says.
 */
final class CycleFilesAgent implements TargetAgent {

  private final CycleConfig config;
  private final AgentContext context;
  private final Outside outside;
  private final Stores stores;
  private final AgentLife<CycleSession> life = new AgentLife<>();

  /**
   * What an agent gets from outside, so that tests can give it something else.
   *
   * @param client opens a client of its place
   * @param workers makes the threads
   * @param time monotonic time, and waiting
   * @param random seeds jitter
   * @param ids makes unique ids
   * @param heapBytes greatest size of the heap
   */
  record Outside(
      Supplier<DfsClient> client,
      Supplier<Workers> workers,
      Retries.Time time,
      Random random,
      Supplier<UUID> ids,
      long heapBytes) {}

  CycleFilesAgent(CycleConfig config, AgentContext context, Outside outside) {
    this.config = config;
    this.context = context;
    this.outside = outside;
    this.stores =
        new Stores(
            config,
            new Retries(outside.time, outside.random::nextDouble),
            outside.time,
            outside.ids);
  }

  static CycleFilesAgent create(
      CycleConfig config, AgentContext context, Function<OneLakeConnection, DfsClient> opener) {
    return new CycleFilesAgent(
        config,
        context,
        new Outside(
            () -> Stores.client(config.place(), opener),
            () ->
                new WorkerPools(
                    "cycles-" + Text.shown(context.pipelineId()),
                    Runtime.getRuntime().availableProcessors()),
            Retries.Time.SYSTEM,
            new Random(),
            UUID::randomUUID,
            Runtime.getRuntime().maxMemory()));
  }

  @Override
  public List<Finding> check() throws InterruptedException {
    try (DfsClient own = AgentLife.client(outside.client)) {
      return stores.findings(own);
    }
  }

  /** The storage answers at once or not at all, so that nothing is waited for. */
  @Override
  public void probe(Duration patience, Consumer<ProbeFinding> findings)
      throws InterruptedException {
    try (DfsClient own = AgentLife.client(outside.client);
        Workers workers = outside.workers.get()) {
      stores.require(own);
      stores.probes(own, workers, context.clock(), findings).run(folder -> {});
    }
  }

  @Override
  public Map<TableId, TableProgress> open(List<TableSpec> tables, ResumePoint resume)
      throws InterruptedException {
    DfsClient own = life.begin(outside.client);
    Optional<AgentMemory> kept = kept(resume);
    stores.require(own);
    List<String> warnings = new ArrayList<>();
    Workers workers = outside.workers.get();
    CycleSession fresh;
    try {
      ObjectStore setUp = stores.atSetUp(own, workers);
      WriterFence fence =
          WriterFence.take(
              setUp,
              config.layout().writerFolder(),
              context.pipelineId(),
              outside.ids.get().toString(),
              context.clock().instant());
      JobStart start =
          new Recovery(setUp, config.layout(), config.rules(), context.pipelineId(), warnings::add)
              .run(kept, outside.ids.get().toString());
      requireSameTimeline(resume, start);
      fresh =
          life.opened(
              () ->
                  new CycleSession(
                      config,
                      context,
                      new CycleSession.Outside(
                          workers,
                          outside.heapBytes,
                          uploads -> stores.running(own, workers, uploads)),
                      start,
                      fence,
                      resume,
                      tables.size()));
    } catch (StoreException e) {
      workers.close();
      throw AgentFailure.of(e);
    } catch (RuntimeException | InterruptedException e) {
      workers.close();
      throw e;
    }
    warnings.forEach(warning -> fresh.news().warning(Optional.empty(), warning));
    return fresh.open(tables);
  }

  @Override
  public List<TableStatus> look(ResumePoint resume) throws InterruptedException {
    Optional<AgentMemory> kept = kept(resume);
    try (DfsClient own = AgentLife.client(outside.client);
        Workers workers = outside.workers.get()) {
      stores.require(own);
      JobStart start =
          new Recovery(
                  stores.atSetUp(own, workers),
                  config.layout(),
                  config.rules(),
                  context.pipelineId(),
                  warning -> Logs.LOG.debug("{}", warning))
              .look(kept);
      return JobLook.statuses(
          start,
          new PassedTables(
              kept.map(AgentMemory::passed).orElse(AgentMemory.Passed.NONE),
              config.rules().combined()));
    } catch (StoreException e) {
      throw AgentFailure.of(e);
    }
  }

  private static Optional<AgentMemory> kept(ResumePoint resume) {
    try {
      return AgentMemory.of(resume.state());
    } catch (IllegalArgumentException e) {
      throw new ActionRequiredException(
          ErrorCode.SETTINGS,
          "The state the hub keeps for this pipeline cannot be read: "
              + e.getMessage()
              + ". Was it written by another agent or a newer release? Use another pipeline id.",
          e);
    }
  }

  private void requireSameTimeline(ResumePoint resume, JobStart start) {
    resume
        .confirmed()
        .filter(
            position ->
                position.ordered()
                    && !start.timeline().isEmpty()
                    && !position.timeline().equals(start.timeline()))
        .ifPresent(
            position -> {
              throw SourceTimeline.other(
                  config.layout().jobFolder(), position.timeline(), start.timeline());
            });
  }

  private CycleSession session() {
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
  public SnapshotWriter beginSnapshot(TableId table, SnapshotStart start) {
    return session().beginSnapshot(table, start);
  }

  @Override
  public void backlogEnded(TableId table, SourcePosition upTo) {
    session().backlogEnded(table, upTo);
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
