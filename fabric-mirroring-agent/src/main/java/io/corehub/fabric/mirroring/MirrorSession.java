package io.corehub.fabric.mirroring;

import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentState;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.HandedOver;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.Successor;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.Retries;
import io.corehub.runtime.CommitOrder;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.EventMemory;
import io.corehub.runtime.FileWindow;
import io.corehub.runtime.MemoryBudget;
import io.corehub.runtime.MemoryPlan;
import io.corehub.runtime.News;
import io.corehub.runtime.UploadSlots;
import io.corehub.runtime.Workers;
import io.corehub.runtime.rows.RowLimit;
import io.corehub.storage.AgentLife;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** An agent from its opening to its end. Thread-safe as the SPI says. */
final class MirrorSession implements AgentLife.Session {

  private static final Duration UPLOADS_END = Duration.ofSeconds(10);

  private final AgentConfig config;
  private final AgentContext context;
  private final DfsClient client;
  private final Workers workers;
  private final MirrorShared shared;
  private final Optional<SourcePosition> confirmed;
  private final TableDirectory tables;
  private final FabricWatch watch;
  private final CompletableFuture<Void> partnerEvents = new CompletableFuture<>();
  private final CommitOrder order = new CommitOrder();

  /** Set before the tables drop what comes. */
  private volatile boolean closing;

  MirrorSession(
      AgentConfig config,
      AgentContext context,
      MirroringAgent.Outside outside,
      DfsClient client,
      Retries retries,
      Remembered remembered,
      ResumePoint resume,
      int tableCount) {
    this.config = config;
    this.context = context;
    this.client = client;
    this.workers = outside.workers().get();
    MemoryPlan plan = plan(outside.heapBytes(), tableCount);
    LandingZone zone =
        new LandingZone(
            config.connection(),
            client,
            retries,
            outside.time(),
            context.clock(),
            workers,
            new UploadSlots(
                workers.uploads(), config.uploads().maxFiles(tableCount), plan.uploads()),
            outside.ids(),
            config.prefix(),
            plan.block(),
            config.uploads().blockConcurrency(),
            config.uploads().close());
    ConfirmationLedger ledger = new ConfirmationLedger(resume.confirmed());
    News news = new News(context.listener(), ledger, () -> stateOf(remembered, ledger), workers);
    passOverLeftOut(remembered, ledger);
    this.shared =
        new MirrorShared(
            config,
            zone,
            new FileWindow.Limits(config.window().age(), config.window().rows(), plan.window()),
            new FileEncoder(config.files(), plan.rowGroup()),
            new MemoryBudget(plan.total(), plan.share(), this::relieve),
            ledger,
            news,
            remembered,
            context.meters(),
            new TableOpening(zone, context.pipelineId(), outside.ids().get(), context.epoch()),
            RowLimit.ofHeap(outside.heapBytes()));
    this.confirmed = resume.confirmed();
    this.tables = new TableDirectory(shared, confirmed);
    this.watch =
        new FabricWatch(
            zone,
            news,
            () -> tables.all().stream().map(TableMirror::publishedFiles).toList(),
            config.watching());
    registerGauges(zone);
  }

  /** What the host is to remember with the position it was told last. */
  private AgentState stateOf(Remembered remembered, ConfirmationLedger ledger) {
    for (Object passed : ledger.passed()) {
      TableId table = (TableId) passed;
      remembered.notePassed(
          table, context.selected().test(table) ? PassedOver.STOPPED : PassedOver.LEFT_OUT);
    }
    return remembered.state();
  }

  /**
   * Tables in the landing zone that the host hands nothing over of will lack rows from the next
   * commit on, unless the host reads its source from the start again when it selects them.
   */
  private void passOverLeftOut(Remembered remembered, ConfirmationLedger ledger) {
    if (!remembered.repeats()) {
      remembered.publishedTables().stream()
          .filter(context.selected().negate())
          .forEach(ledger::pass);
    }
  }

  private void registerGauges(LandingZone zone) {
    context.meters().gauge("uploads.active", zone.slots()::active);
    context.meters().gauge("uploads.queued", zone.slots()::queued);
    context.meters().gauge("memory.reserved.bytes", () -> shared.memory().used());
    context.meters().gauge("commits.unconfirmed", () -> shared.ledger().unconfirmed());
  }

  private MemoryPlan plan(long heap, int tableCount) {
    MemoryPlan plan =
        MemoryPlan.of(
            heap,
            tableCount,
            config.window().bytes(),
            config.uploads().memoryBytes(),
            config.uploads().blockBytes());
    Logs.LOG.info(
        "Memory of pipeline {}: {} MB in all, change files up to {} MB each, uploads up to {} MB in"
            + " flight, blocks of {} KB, row groups of {} KB (heap {} MB)",
        context.pipelineId(),
        plan.total() >> 20,
        plan.window() >> 20,
        plan.uploads() >> 20,
        plan.block() >> 10,
        plan.rowGroup() >> 10,
        heap >> 20);
    return plan;
  }

  Map<TableId, TableProgress> open(List<TableSpec> specs) throws InterruptedException {
    LandingZoneCheck.prefixWarning(config)
        .ifPresent(warning -> shared.news().warning(Optional.empty(), warning));
    warnOfNested(specs.stream().map(TableSpec::table));
    if (config.files().partnerEvents()) {
      workers.uploads().execute(this::writePartnerEvents);
    } else {
      partnerEvents.complete(null);
    }
    watch.begin();
    return tables.open(specs);
  }

  private void warnOfNested(Stream<TableId> opened) {
    LandingZoneCheck.prefixWarning(config, opened)
        .ifPresent(warning -> shared.news().warning(Optional.empty(), warning));
  }

  private void writePartnerEvents() {
    try {
      PartnerEvents.write(shared.zone(), context.sourceType(), context.sourceVersion())
          .ifPresent(problem -> shared.news().warning(Optional.empty(), problem));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      partnerEvents.complete(null);
      shared.news().somethingChanged();
    }
  }

  TableProgress addTable(TableSpec spec) throws InterruptedException {
    warnOfNested(Stream.of(spec.table()));
    TableProgress progress = tables.add(spec);
    if (config.uploads().maxFiles() == 0) {
      shared.zone().slots().allow(config.uploads().maxFiles(tables.all().size()));
    }
    return progress;
  }

  void removeTable(TableId table) throws InterruptedException {
    tables.remove(table);
  }

  boolean recreateTable(TableId table) throws InterruptedException {
    return tables.recreate(table);
  }

  List<HandedOver> handOver(Successor to) throws InterruptedException {
    return new Succession(shared, context.pipelineId(), confirmed, to, context.selected()).run();
  }

  TableMirror mirror(TableId table) {
    return tables.mirror(table);
  }

  /** Frees memory while somebody waits for it: seals files that would stay open for a while. */
  private void relieve(Set<Object> full) {
    if (full.isEmpty()) {
      tables.all().stream()
          .max(Comparator.comparingLong(TableMirror::openBytes))
          .ifPresent(TableMirror::seal);
    } else {
      full.forEach(owner -> tables.find((TableId) owner).ifPresent(TableMirror::seal));
    }
  }

  void apply(CommitBatch batch) throws InterruptedException {
    order.check(batch);
    Map<TableId, List<TableEvent>> byTable = new LinkedHashMap<>();
    for (TableEvent event : batch.events()) {
      if (tables.takes(event.table())) {
        byTable.computeIfAbsent(event.table(), table -> new ArrayList<>()).add(event);
      }
    }
    List<MemoryBudget.Claim> claims = new ArrayList<>();
    byTable.forEach(
        (table, events) -> claims.add(new MemoryBudget.Claim(table, EventMemory.bytes(events))));
    List<MemoryBudget.Reservation> memory =
        claims.isEmpty() ? List.of() : shared.memory().reserve(claims);
    order.taken(batch);
    Handover handover = new Handover(batch, shared.ledger().begin(batch.commits()));
    int next = 0;
    for (Map.Entry<TableId, List<TableEvent>> entry : byTable.entrySet()) {
      MemoryBudget.Reservation held = memory.get(next++);
      Optional<TableMirror> mirror = tables.find(entry.getKey());
      if (mirror.isPresent()) {
        mirror.get().take(entry.getValue(), handover, held);
      } else {
        held.release();
      }
    }
    tables.all().stream()
        .filter(mirror -> !byTable.containsKey(mirror.table()))
        .forEach(mirror -> mirror.endCommit(handover));
    if (closing) {
      // Tables may have dropped rows of it: it must not pass for taken.
      throw new IllegalStateException("The agent is not open");
    }
    shared.ledger().taken(handover.run(), batch.lastCommitComplete());
    shared.news().confirm();
  }

  void flush() throws InterruptedException {
    tables.all().forEach(TableMirror::seal);
    List<TableMirror> waiting = tables.all();
    shared
        .news()
        .await(() -> waiting.stream().allMatch(TableMirror::idle) && partnerEvents.isDone());
  }

  @Override
  public List<TableStatus> status() {
    return tables.status().stream()
        .map(status -> status.withTarget(watch.report(status.table())))
        .toList();
  }

  /** Ends within 30 seconds: what is under way may end, the rest is given up. */
  @Override
  public void close() {
    watch.end();
    closing = true;
    tables.all().forEach(TableMirror::closing);
    try {
      if (!shared.zone().slots().awaitQuiet(UPLOADS_END)) {
        Logs.LOG.warn("Uploads that did not end in {} s are given up", UPLOADS_END.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    shared.news().end();
    tables.all().forEach(TableMirror::closed);
    client.close();
    workers.close();
    // What the workers dropped ends no wait and gives no memory back.
    tables.ended();
    shared.memory().end();
  }
}
