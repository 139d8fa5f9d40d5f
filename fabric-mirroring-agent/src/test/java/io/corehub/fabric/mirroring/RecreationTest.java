package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static io.corehub.fabric.mirroring.PublishingTest.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.AgentException;
import io.corehub.agent.AgentState;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table that is re-created is loaded anew and whole, wherever the process dies. */
@Timeout(60)
class RecreationTest {

  private static final String STATUS = "Files/Monitoring/tables.json";
  private static final String SHOWN =
      "{\"tables\":[{\"sourceSchemaName\":\"shop\",\"sourceTableName\":\"orders\"}]}";
  private static final String NOTHING_SHOWN = "{\"tables\":[]}";

  private static final List<SourceRow> OLD = AgentRun.rows(ORDERS, 1, 3);
  private static final List<SourceRow> NEW = AgentRun.rows(ORDERS, 5, 7);
  private static final SourceCommit ADDED = insert(ORDERS, 11);
  private static final SourceCommit REPLACED =
      SourceCommit.at(12, replaced().toArray(SourceChange[]::new));
  private static final SourceCommit LAST = insert(ORDERS, 13);

  /** The commit that turns the old rows into the new ones. */
  private static List<SourceChange> replaced() {
    List<SourceChange> changes = new ArrayList<>();
    OLD.forEach(row -> changes.add(new Delete(row)));
    changes.add(new Delete(SourceRow.of(ORDERS, 11, "row 11")));
    NEW.forEach(row -> changes.add(new Insert(row)));
    return changes;
  }

  /** Fabric: shows a table as long as its folder has files, a while later. */
  private static AgentRun shownByFabric(AgentRun run) throws InterruptedException {
    DfsClient fabric = run.fileSystem.client();
    fabric.createDirectory("Files/Monitoring");
    show(run, SHOWN);
    run.script.onSleep(
        () -> {
          try {
            boolean loaded = !run.tables.names(ORDERS.table()).isEmpty();
            show(run, loaded ? SHOWN : NOTHING_SHOWN);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    return run;
  }

  private static void show(AgentRun run, String tables) throws InterruptedException {
    DfsClient fabric = run.fileSystem.client();
    if (fabric.head(STATUS).isPresent()) {
      fabric.delete(STATUS, false);
    }
    put(run, STATUS, tables);
  }

  /** Why a table is loaded anew. */
  enum Reason {
    ASKED_FOR,
    SNAPSHOT_ONTO_EXISTING,
    INTERRUPTED_SNAPSHOT
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void theTableIsWholeWhereverTheProcessDies(Reason reason) throws InterruptedException {
    int survived = 0;
    for (int requests = 0; survived == 0; requests++) {
      try (AgentRun first = shownByFabric(run(reason)).open(ORDERS)) {
        if (reason == Reason.INTERRUPTED_SNAPSHOT) {
          interrupted(first);
        } else {
          first.snapshot(ORDERS, "s1", 10, OLD);
          first.publish(ADDED);
        }
        ResumePoint before = first.listener.resumePoint();
        try (AgentRun second = shownByFabric(first.successor())) {
          second.open(before, ORDERS);
          second.script.dieAfter(requests);
          survived = loadedAnew(second, reason) ? 1 : 0;
          ResumePoint stored = second.listener.resumePoint();
          stored = stored.state().equals(AgentState.NONE) ? before : stored;

          try (AgentRun third = shownByFabric(second.successor())) {
            goOn(third.open(stored, ORDERS), stored);
            assertThat(third.tables.rows(ORDERS.table()))
                .as("dead after %d requests", requests)
                .contains(Rows.ofSource(List.of(NEW.get(0), NEW.get(1), NEW.get(2), rowOf(LAST))));
          }
        }
      }
    }
  }

  private static SourceRow rowOf(SourceCommit insert) {
    return ((Insert) insert.changes().get(0)).after();
  }

  private static AgentRun run(Reason reason) throws InterruptedException {
    AgentRun run = new AgentRun().withTable("parquetMaxRowCount", "2");
    return reason == Reason.SNAPSHOT_ONTO_EXISTING
        ? run.withTable("snapshotOntoExistingTable", "recreate")
        : run;
  }

  private static void interrupted(AgentRun run) throws InterruptedException {
    SnapshotWriter writer = run.begin(ORDERS, "s1", 10);
    writer.write(ColumnBatches.of(ORDERS, AgentRun.rows(ORDERS, 1, 5)));
    long deadline = System.nanoTime() + AgentRun.PATIENCE.toNanos();
    while (run.tables.names(ORDERS.table()).size() < 2 && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(run.tables.names(ORDERS.table())).hasSize(2);
  }

  /** Whether the process lived to the end of it. */
  private static boolean loadedAnew(AgentRun run, Reason reason) throws InterruptedException {
    AtomicBoolean lived = new AtomicBoolean();
    Thread process =
        new Thread(
            () -> {
              try {
                lived.set(loadAnew(run, reason));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    process.start();
    while (process.isAlive()) {
      if (run.script.dead()) {
        process.interrupt();
      }
      process.join(1);
    }
    return lived.get();
  }

  private static boolean loadAnew(AgentRun run, Reason reason) throws InterruptedException {
    try {
      if (reason == Reason.ASKED_FOR) {
        run.agent().recreateTable(ORDERS.table());
        run.agent()
            .addTable(new TableSpec(ORDERS, MirroringSettings.TABLE.parse(run.tableSettings)));
      }
      run.snapshot(ORDERS, "s2", 12, NEW);
      run.publish(LAST);
    } catch (AgentException dead) {
      return false;
    }
    return run.listener.lastConfirmed().equals(Optional.of(SourceCommit.positionAt(13)));
  }

  /** What a host does that starts again. */
  private static void goOn(AgentRun run, ResumePoint stored) throws InterruptedException {
    TableProgress progress = run.progress(ORDERS);
    if (progress instanceof TableProgress.NothingPublished
        || progress instanceof TableProgress.SnapshotUnfinished) {
      run.snapshot(ORDERS, "s2", 12, NEW);
      run.publish(LAST);
    } else if (progress instanceof TableProgress.SnapshotFinished loaded
        && loaded.snapshotId().equals("s2")) {
      run.publish(LAST);
    } else {
      assertThat(progress).isNotInstanceOf(TableProgress.Stopped.class);
      long confirmed = stored.confirmed().map(SourcePosition::order).orElse(0L);
      for (SourceCommit commit : List.of(ADDED, REPLACED, LAST)) {
        if (commit.commit().position().order() > confirmed) {
          run.publish(commit);
        }
      }
    }
  }

  @Test
  void aFolderOfWhichSomeFilesAreGoneIsDeletedToItsEnd() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(ORDERS)) {
      first.snapshot(ORDERS, "s1", 10, OLD);
      first.publish(ADDED, REPLACED);
      String folder = first.tables.folder(ORDERS.table());
      AgentRun second = first.successor();
      try (second) {
        second.open(first.listener.resumePoint(), ORDERS);
        DfsClient onelake = second.fileSystem.client();
        second.script.before(
            Operation.DELETE,
            folder,
            () -> {
              onelake.delete(folder + "/" + FileName.numbered(2), false);
              onelake.delete(folder + "/_metadata.json", false);
              second.script.kill();
              throw dead();
            });
        assertThatThrownBy(() -> second.agent().recreateTable(ORDERS.table()))
            .isInstanceOf(TableStoppedException.class);

        try (AgentRun third = second.successor()) {
          third.open(second.listener.resumePoint(), ORDERS);

          assertThat(third.progress(ORDERS)).isInstanceOf(TableProgress.NothingPublished.class);
          assertThat(onelake.head(folder)).isEmpty();
        }
      }
    }
  }

  private static DfsException dead() {
    return DfsException.of(Kind.CLOSED, "test").build("the process is dead");
  }

  @Test
  void changesWaitUntilFabricShowsTheTableAgainAcrossACrash() throws InterruptedException {
    try (AgentRun first = shownByFabric(new AgentRun()).open(ORDERS)) {
      first.snapshot(ORDERS, "s1", 10, OLD);
      AgentRun second = shownByFabric(first.successor());
      try (second) {
        second.open(first.listener.resumePoint(), ORDERS);
        second.agent().recreateTable(ORDERS.table());
        second
            .agent()
            .addTable(new TableSpec(ORDERS, MirroringSettings.TABLE.parse(second.tableSettings)));
        show(second, NOTHING_SHOWN);
        second.script.onSleep(second.script::kill);
        assertThatThrownBy(() -> second.snapshot(ORDERS, "s2", 12, NEW))
            .isInstanceOf(AgentException.class);

        AgentRun third = second.successor();
        try (third) {
          int[] sleeps = {0};
          third.script.onSleep(
              () -> {
                sleeps[0]++;
                try {
                  show(third, sleeps[0] == 3 ? SHOWN : NOTHING_SHOWN);
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              });
          third.open(second.listener.resumePoint(), ORDERS);

          assertThat(sleeps[0]).isEqualTo(3);
          assertThat(third.progress(ORDERS)).isInstanceOf(TableProgress.SnapshotFinished.class);
        }
        try (AgentRun fourth = third.successor()) {
          fourth.script.onSleep(
              () -> {
                throw new AssertionError("It was shown before");
              });
          fourth.open(third.listener.resumePoint(), ORDERS);
        }
      }
    }
  }

  @Test
  void aMissingRightToDeleteIsNamed() throws InterruptedException {
    assertThat(stopWhenDeleteFails(Kind.FORBIDDEN, 1))
        .hasMessageContaining("shop.schema/orders")
        .hasMessageContaining("right to delete")
        .hasMessageContaining("Contributor")
        .extracting(stop -> ((TableStoppedException) stop).code())
        .isEqualTo(ErrorCode.ACCESS);
  }

  @Test
  void aFolderThatStaysInUseIsNamed() throws InterruptedException {
    assertThat(stopWhenDeleteFails(Kind.CONFLICT, 1000))
        .hasMessageContaining("shop.schema/orders")
        .hasMessageContaining("in use")
        .hasMessageContaining("next start");
  }

  @Test
  void aFolderThatIsInUseForAWhileIsDeletedInTheEnd() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS, LOG)) {
      run.snapshot(ORDERS, "s1", 10, OLD);
      run.script.fail(Operation.DELETE, "orders", false, 3, Kind.CONFLICT, false);

      run.agent().recreateTable(ORDERS.table());

      assertThat(run.tables.rows(ORDERS.table())).isEmpty();
    }
  }

  private static Throwable stopWhenDeleteFails(Kind kind, int times) throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.snapshot(ORDERS, "s1", 10, OLD);
      run.script.fail(Operation.DELETE, "orders", false, times, kind, false);
      try {
        run.agent().recreateTable(ORDERS.table());
      } catch (TableStoppedException stop) {
        // What is left counts for nothing until the folder is gone, here by hand.
        try (AgentRun next = run.successor()) {
          next.script.fail(Operation.DELETE, "orders", false, times, kind, false);
          next.open(run.listener.resumePoint(), ORDERS);
          assertThat(next.progress(ORDERS)).isInstanceOf(TableProgress.Stopped.class);
          run.fileSystem.client().deleteTree(run.tables.folder(ORDERS.table()), "");
          try (AgentRun last = next.successor()) {
            last.open(run.listener.resumePoint(), ORDERS);
            assertThat(last.progress(ORDERS)).isInstanceOf(TableProgress.NothingPublished.class);
          }
        }
        return stop;
      }
      throw new AssertionError("It was deleted");
    }
  }

  @Test
  void aTableThatFabricNeverDropsIsNamed() throws InterruptedException {
    try (AgentRun run = new AgentRun().with("recreateWaitSeconds", "7").open(ORDERS)) {
      run.snapshot(ORDERS, "s1", 10, OLD);
      run.fileSystem.client().createDirectory("Files/Monitoring");
      show(run, SHOWN);

      assertThatThrownBy(() -> run.agent().recreateTable(ORDERS.table()))
          .isInstanceOf(TableStoppedException.class)
          .hasMessageContaining("shop.orders")
          .hasMessageContaining("7 s")
          .hasMessageContaining("recreateWaitSeconds");
    }
  }

  @Test
  void nothingIsDeletedWhenTheHostCannotStoreThatItIsToBe() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.snapshot(ORDERS, "s1", 10, OLD);
      run.listener.refuseStates(() -> {});

      assertThatThrownBy(() -> run.agent().recreateTable(ORDERS.table()))
          .isInstanceOf(TableStoppedException.class)
          .hasMessageContaining("could not store")
          .hasMessageContaining("stores nothing more");
      assertThat(run.tables.rows(ORDERS.table())).contains(Rows.ofSource(OLD));
    }
  }

  @Test
  void aFileOnItsWayIsNotPublishedIntoTheNewFolder() throws InterruptedException {
    TableSchema table = ORDERS;
    try (AgentRun run = new AgentRun().open(table)) {
      run.snapshot(table, "s1", 10, OLD);
      CountDownLatch creating = new CountDownLatch(1);
      CountDownLatch answered = new CountDownLatch(1);
      run.script.before(
          Operation.CREATE,
          "orders/_",
          () -> {
            creating.countDown();
            answered.await();
          });
      run.apply(ADDED);
      creating.await();
      Thread recreating =
          new Thread(
              () -> {
                try {
                  run.agent().recreateTable(table.table());
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      recreating.start();
      while (recreating.isAlive() && recreating.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }

      answered.countDown();
      recreating.join();

      assertThat(run.fileSystem.client().head(run.tables.folder(table.table()))).isEmpty();
    }
  }

  @Test
  void aTableThatFabricListsAsDroppedIsGone() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.snapshot(ORDERS, "s1", 10, OLD);
      run.fileSystem.client().createDirectory("Files/Monitoring");
      show(run, SHOWN);
      run.script.onSleep(
          () -> {
            try {
              show(run, SHOWN.replace("\"}]", "\",\"status\":\"Dropped\"}]"));
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          });

      assertThat(run.agent().recreateTable(ORDERS.table())).isTrue();
    }
  }
}
