package io.corehub.hub.pipeline;

import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.AgentState;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.Finding;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.TableId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** An agent that writes nothing down but what it was told, and does as a test says. */
final class ScriptedAgent implements TargetAgent, TargetAgentProvider {

  final List<String> log = Collections.synchronizedList(new ArrayList<>());
  final Map<String, TableProgress> progress = new HashMap<>();
  final Set<String> refusedSnapshots = new HashSet<>();
  final CountDownLatch snapshotsMayFinish = new CountDownLatch(1);
  volatile CountDownLatch openedTogether = new CountDownLatch(0);
  volatile boolean confirms = true;
  volatile boolean degraded;
  volatile RuntimeException failsToOpen;
  volatile RuntimeException failsToAdd;
  private final CountDownLatch opening = new CountDownLatch(1);
  private AgentContext context;
  private Commit last;

  ScriptedAgent() {
    snapshotsMayFinish.countDown();
  }

  @Override
  public AgentDescriptor descriptor() {
    return new AgentDescriptor(
        "scripted",
        "Scripted",
        "For tests.",
        new SettingsSchema(
            List.of(
                Setting.number(
                    "retryBudgetSeconds", "Budget", "Help.", Setting.Kind.SECONDS, 1, 1, 9))),
        new SettingsSchema(List.of()),
        BeforeImage.FULL);
  }

  @Override
  public TargetAgent create(Settings settings, AgentContext lent) {
    context = lent;
    return this;
  }

  AgentContext context() {
    return context;
  }

  @Override
  public List<Finding> check() {
    return List.of(new Finding(Finding.Severity.OK, "Fine."));
  }

  @Override
  public Map<TableId, TableProgress> open(List<TableSpec> tables, ResumePoint resume) {
    if (failsToOpen != null) {
      throw failsToOpen;
    }
    log.add(
        "open "
            + resume.confirmed().map(Object::toString).orElse("first")
            + " "
            + resume.state().text());
    return Map.of();
  }

  @Override
  public TableProgress addTable(TableSpec table) throws InterruptedException {
    RuntimeException failure = failsToAdd;
    if (failure != null) {
      throw failure;
    }
    opening.countDown();
    openedTogether.countDown();
    openedTogether.await();
    log.add(
        "add "
            + table.table()
            + " "
            + table.schema().columns().stream()
                .map(c -> c.name() + c.targetType().map(type -> " as " + type).orElse(""))
                .toList());
    return progress.getOrDefault(table.table().toString(), new TableProgress.NothingPublished());
  }

  /** Waits until a table is being opened. */
  void awaitOpening() throws InterruptedException {
    opening.await();
  }

  @Override
  public void removeTable(TableId table) {}

  @Override
  public SnapshotWriter beginSnapshot(TableId table, SnapshotStart start) {
    if (refusedSnapshots.contains(table.toString())) {
      throw new TableStoppedException(table, ErrorCode.CONFLICT, "Table " + table + " is full.");
    }
    log.add("begin " + table + " #" + start.id() + "@" + start.consistentAt());
    return new SnapshotWriter() {
      @Override
      public void write(ColumnBatch page) {
        log.add("page " + table + " " + values(page));
      }

      @Override
      public void finish() throws InterruptedException {
        snapshotsMayFinish.await();
        log.add("finish " + table);
      }

      @Override
      public void abort() {
        log.add("abort " + table);
      }
    };
  }

  @Override
  public void apply(CommitBatch batch) {
    StringBuilder line = new StringBuilder("apply");
    batch.commits().forEach(commit -> line.append(' ').append(commit.position()));
    for (TableEvent event : batch.events()) {
      line.append("; ").append(event.table());
      if (event instanceof RowChanges changes) {
        line.append(' ').append(values(changes.rows()));
      } else if (event instanceof TableUnreadable unreadable) {
        line.append(" unreadable");
        context.listener().tableStopped(unreadable.reason());
      }
    }
    log.add(line.toString());
    last = batch.commits().get(batch.commits().size() - 1);
    if (confirms) {
      context.listener().confirmed(last.position(), new AgentState("s" + last.position()));
    }
  }

  private static List<Integer> values(ColumnBatch batch) {
    List<Integer> values = new ArrayList<>();
    for (int row = 0; row < batch.rowCount(); row++) {
      values.add(((ColumnVector.OfInt) batch.columns().get(0)).values()[row]);
    }
    return values;
  }

  @Override
  public void flush() {
    log.add("flush");
  }

  @Override
  public List<TableStatus> status() {
    return degraded
        ? List.of(
            new TableStatus(
                TableId.of("t"),
                TableStatus.State.DEGRADED,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                0,
                0,
                0,
                Optional.of("It is away."),
                Optional.empty()))
        : List.of();
  }

  @Override
  public void close() {
    log.add("close");
  }
}
