package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.AgentState;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.Successor;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table that the confirmed position went on without is never continued with a hole. */
@Timeout(60)
class PassedOverTest {

  /** The commit that stops orders, as the source has it at first, and once it is corrected. */
  private static final SourceCommit BAD =
      SourceCommit.at(3, new Insert(SourceRow.of(ORDERS, null, "no key")));

  private static final SourceCommit CORRECTED = insert(ORDERS, 3);

  private static List<SourceCommit> history(SourceCommit third) {
    return List.of(
        insert(ORDERS, 1),
        insert(LOG, 2),
        third,
        insert(LOG, 4),
        insert(ORDERS, 5),
        insert(LOG, 6));
  }

  private static final Rows ALL_ORDERS =
      Rows.ofSource(
          List.of(
              SourceRow.of(ORDERS, 1, "row 1"),
              SourceRow.of(ORDERS, 3, "row 3"),
              SourceRow.of(ORDERS, 5, "row 5")));

  private static AgentRun releasing() throws InterruptedException {
    return new AgentRun().with("stoppedTablePolicy", "release");
  }

  private static SourcePosition at(long order) {
    return SourceCommit.positionAt(order);
  }

  /** What a hub delivers behind the position it has. */
  private static void deliver(AgentRun run, Optional<SourcePosition> confirmed, SourceCommit third)
      throws InterruptedException {
    for (SourceCommit commit : history(third)) {
      if (confirmed.isEmpty() || commit.commit().position().isAfter(confirmed.get())) {
        run.publish(commit);
      }
    }
  }

  private static TableStoppedException stopOf(AgentRun run) {
    assertThat(run.progress(ORDERS)).isInstanceOf(TableProgress.Stopped.class);
    return ((TableProgress.Stopped) run.progress(ORDERS)).reason();
  }

  private static TableProgress add(AgentRun run) throws InterruptedException {
    return run.agent()
        .addTable(new TableSpec(ORDERS, MirroringSettings.TABLE.parse(run.tableSettings)));
  }

  @Test
  void aReleasedTableNeedsASnapshotAfterARestart() throws InterruptedException {
    try (AgentRun first = releasing().open(ORDERS, LOG)) {
      deliver(first, Optional.empty(), BAD);
      assertThat(first.listener.lastConfirmed()).contains(at(6));

      try (AgentRun second = first.successor().open(first.listener.resumePoint(), ORDERS, LOG)) {
        assertThat(stopOf(second))
            .hasMessageContaining("Table shop.orders")
            .hasMessageContaining("up to position " + at(6))
            .hasMessageContaining("recreate-table")
            .extracting(TableStoppedException::code)
            .isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
        second.publish(insert(ORDERS, 7), insert(LOG, 8));
        assertThat(second.tables.rows(ORDERS.table())).contains(rowsOf(1));
        assertThat(second.listener.lastConfirmed()).contains(at(8));
      }
    }
  }

  private static Rows rowsOf(int... ids) {
    List<SourceRow> rows = new ArrayList<>();
    for (int id : ids) {
      rows.add(SourceRow.of(ORDERS, id, "row " + id));
    }
    return Rows.ofSource(rows);
  }

  @Test
  void theMarkComesWithThePositionThatGoesPastTheTable() throws InterruptedException {
    try (AgentRun run = releasing().open(ORDERS, LOG)) {
      deliver(run, Optional.empty(), BAD);

      assertThat(run.listener.stored())
          .allSatisfy(
              stored ->
                  assertThat(Remembered.of(stored).passedOver(ORDERS.table()))
                      .as("stored at %s", stored.confirmed())
                      .isEqualTo(
                          stored.confirmed().filter(at -> at.order() >= 3).isPresent()
                              ? PassedOver.STOPPED
                              : PassedOver.NO))
          .anySatisfy(stored -> assertThat(stored.confirmed()).contains(at(6)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"release", "hold"})
  void noHoleWhereverTheProcessDies(String policy) throws InterruptedException {
    boolean survived = false;
    for (int requests = 0; !survived; requests++) {
      try (AgentRun first = new AgentRun().with("stoppedTablePolicy", policy).open(ORDERS, LOG)) {
        first.script.dieAfter(requests);
        survived = first.survives(() -> deliver(first, Optional.empty(), BAD));
        ResumePoint stored = first.listener.resumePoint();

        try (AgentRun second = first.successor().open(stored, ORDERS, LOG)) {
          deliver(second, stored.confirmed(), CORRECTED);
          if (second.progress(ORDERS) instanceof TableProgress.Stopped) {
            assertThat(policy).isEqualTo("release");
            assertThat(stored.confirmed()).as("dead after %d", requests).isPresent();
            if (stored.confirmed().get().order() < 3) {
              // Its first file stands there, but the process died before it knew: the position may
              // have gone past rows that were lost.
              assertThat(Remembered.of(stored).passedOver(ORDERS.table()))
                  .isEqualTo(PassedOver.STOPPED);
              assertThat(Remembered.of(stored).last(ORDERS.table())).isEmpty();
            }
          } else if (second.listener.stopOf(ORDERS.table()).isPresent()) {
            // As in aTableWhoseFirstFileDiedWithTheProcessThatPassedItAsksForItsSnapshot.
            assertThat(policy).isEqualTo("release");
            assertThat(Remembered.of(stored).passedOver(ORDERS.table()))
                .as("dead after %d requests, resumed at %s", requests, stored.confirmed())
                .isEqualTo(PassedOver.STOPPED);
            assertThat(second.listener.stopOf(ORDERS.table()).get())
                .hasMessageContaining("before a snapshot");
            assertThat(second.tables.names(ORDERS.table())).isEmpty();
          } else {
            assertThat(second.tables.rows(ORDERS.table()))
                .as("dead after %d requests, resumed at %s", requests, stored.confirmed())
                .contains(ALL_ORDERS);
          }
          assertThat(second.listener.resumePointAfter(stored).confirmed()).contains(at(6));
          if (survived) {
            assertThat(second.progress(ORDERS) instanceof TableProgress.Stopped)
                .isEqualTo(policy.equals("release"));
          }
        }
      }
    }
  }

  @Test
  void aTableWhoseFirstFileDiedWithTheProcessThatPassedItAsksForItsSnapshot()
      throws InterruptedException {
    try (AgentRun first = releasing().open(ORDERS, LOG)) {
      CountDownLatch dead = new CountDownLatch(1);
      first.script.before(Operation.CREATE, "orders/_", dead::await);
      first.script.before(Operation.CREATE, "log/_", dead::await);
      first.apply(insert(ORDERS, 1));
      first.apply(insert(LOG, 2));
      first.apply(BAD);
      first.listener.awaitStop(ORDERS.table(), AgentRun.PATIENCE);
      first.listener.awaitConfirmed(at(1), AgentRun.PATIENCE);
      ResumePoint stored = first.listener.resumePoint();
      assertThat(Remembered.of(stored).passedOver(ORDERS.table())).isEqualTo(PassedOver.STOPPED);
      first.script.kill();
      dead.countDown();

      try (AgentRun second = first.successor().open(stored, ORDERS, LOG)) {
        assertThat(second.progress(ORDERS)).isInstanceOf(TableProgress.NothingPublished.class);
        deliver(second, stored.confirmed(), CORRECTED);
        assertThat(second.listener.awaitStop(ORDERS.table(), AgentRun.PATIENCE))
            .hasMessageContaining("before a snapshot")
            .hasMessageContaining("recreate-table");
        assertThat(second.tables.names(ORDERS.table())).isEmpty();
        assertThat(second.listener.lastConfirmed()).contains(at(6));

        ResumePoint after = second.listener.resumePointAfter(stored);
        try (AgentRun third = second.successor().open(after, ORDERS, LOG)) {
          assertThat(third.progress(ORDERS)).isInstanceOf(TableProgress.NothingPublished.class);
          third.snapshot(ORDERS, "s1", 6, orders());
          third.publish(insert(ORDERS, 7));
          assertWholeAfterRestart(third, after, rowsOf(1, 3, 5, 7));
        }
      }
    }
  }

  @Test
  void aTableThatThePositionDidNotPassIsTriedAgain() throws InterruptedException {
    try (AgentRun first = releasing().open(ORDERS, LOG)) {
      first.publish(insert(ORDERS, 1));
      CountDownLatch never = new CountDownLatch(1);
      first.script.before(Operation.CREATE, "log/_", never::await);
      first.apply(insert(LOG, 2));
      first.apply(BAD);
      first.listener.awaitStop(ORDERS.table(), AgentRun.PATIENCE);
      ResumePoint stored = first.listener.resumePoint();
      assertThat(stored.confirmed()).contains(at(1));

      try (AgentRun second = first.successor().open(stored, ORDERS, LOG)) {
        deliver(second, stored.confirmed(), CORRECTED);
        assertThat(second.tables.rows(ORDERS.table())).contains(ALL_ORDERS);
      }
    }
  }

  @Test
  void aTableRefusedAtItsOpeningIsPassedOverToo() throws InterruptedException {
    TableSchema other = new TableSchema(ORDERS.table(), ORDERS.columns(), List.of("id", "text"), 2);
    try (AgentRun first = releasing().open(ORDERS, LOG)) {
      first.publish(insert(ORDERS, 1));
      try (AgentRun second = first.successor().open(first.listener.resumePoint(), other, LOG)) {
        assertThat(stopOf(second).code()).isEqualTo(ErrorCode.KEY_CHANGED);
        assertThat(second.status(ORDERS).oldestUnconfirmed()).isEmpty();
        second.publish(insert(LOG, 2));

        try (AgentRun third = second.successor().open(second.listener.resumePoint(), ORDERS, LOG)) {
          assertThat(stopOf(third).code()).isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
        }
      }
    }
  }

  @Test
  void aTableThatStoppedInItsSnapshotIsLoadedAgain() throws InterruptedException {
    try (AgentRun first = releasing().withTable("parquetMaxRowCount", "2").open(ORDERS, LOG)) {
      List<SourceRow> bad = new ArrayList<>(AgentRun.rows(ORDERS, 1, 5));
      bad.add(SourceRow.of(ORDERS, null, "no key"));
      assertThatThrownBy(() -> first.snapshot(ORDERS, "s1", 0, bad))
          .isInstanceOf(TableStoppedException.class);
      first.publish(insert(LOG, 2));
      ResumePoint stored = first.listener.resumePoint();
      assertThat(Remembered.of(stored).passedOver(ORDERS.table())).isEqualTo(PassedOver.STOPPED);

      try (AgentRun second = first.successor().open(stored, ORDERS, LOG)) {
        assertThat(second.progress(ORDERS)).isNotInstanceOf(TableProgress.Stopped.class);
        second.snapshot(ORDERS, "s2", 2, AgentRun.rows(ORDERS, 1, 6));
        second.publish(insert(ORDERS, 7));
        assertWholeAfterRestart(second, stored, rowsOf(1, 2, 3, 4, 5, 6, 7));
      }
    }
  }

  private static void assertWholeAfterRestart(AgentRun run, ResumePoint before, Rows rows)
      throws InterruptedException {
    assertThat(run.tables.rows(ORDERS.table())).contains(rows);
    try (AgentRun next = run.successor().open(run.listener.resumePointAfter(before), ORDERS, LOG)) {
      assertThat(next.progress(ORDERS)).isInstanceOf(TableProgress.ChangesPublished.class);
    }
  }

  @Test
  void aTableWithoutFilesThatWasPassedOverTakesNoChangesBeforeItsSnapshot()
      throws InterruptedException {
    try (AgentRun first = releasing().open(ORDERS, LOG)) {
      first.publish(
          SourceCommit.at(1, new Insert(SourceRow.of(ORDERS, null, "no key"))), insert(LOG, 2));
      ResumePoint stored = first.listener.resumePoint();

      try (AgentRun second = first.successor().open(stored, ORDERS, LOG)) {
        assertThat(second.progress(ORDERS)).isInstanceOf(TableProgress.NothingPublished.class);
        second.publish(insert(ORDERS, 3), insert(LOG, 4));
        assertThat(second.listener.awaitStop(ORDERS.table(), AgentRun.PATIENCE))
            .hasMessageContaining("before a snapshot")
            .hasMessageContaining("recreate-table");
        assertThat(second.tables.rows(ORDERS.table())).isEmpty();
      }
      try (AgentRun third = first.successor().open(stored, ORDERS, LOG)) {
        third.snapshot(ORDERS, "s1", 2, AgentRun.rows(ORDERS, 1, 2));
        third.publish(insert(ORDERS, 3));
        assertWholeAfterRestart(third, stored, rowsOf(1, 2, 3));
      }
    }
  }

  @Test
  void aLateFileOfTheRunThatStoppedDoesNotHideTheHole() throws InterruptedException {
    ResumePoint stored = passedAt(4);
    try (AgentRun run = releasing().open(stored, ORDERS, LOG)) {
      assertThat(run.progress(ORDERS)).isInstanceOf(TableProgress.NothingPublished.class);
      try (AgentRun late = new AgentRun(run.fileSystem)) {
        late.open(ORDERS);
        late.publish(insert(ORDERS, 1));
      }

      run.snapshot(ORDERS, "s1", 4, AgentRun.rows(ORDERS, 1, 3));

      assertThat(run.tables.rows(ORDERS.table())).contains(rowsOf(1, 2, 3));
      try (AgentRun next =
          run.successor().open(run.listener.resumePointAfter(stored), ORDERS, LOG)) {
        assertThat(next.progress(ORDERS)).isInstanceOf(TableProgress.SnapshotFinished.class);
      }
    }
  }

  private static ResumePoint passedAt(long order) {
    Remembered remembered = Remembered.of(ResumePoint.NONE);
    remembered.notePassed(ORDERS.table(), PassedOver.STOPPED);
    return new ResumePoint(Optional.of(at(order)), remembered.state());
  }

  @Test
  void aNewSnapshotCuresItWhereItMayRecreateTheTable() throws InterruptedException {
    boolean survived = false;
    for (int requests = 0; !survived; requests++) {
      try (AgentRun first =
          releasing().withTable("snapshotOntoExistingTable", "recreate").open(ORDERS, LOG)) {
        deliver(first, Optional.empty(), BAD);
        ResumePoint stored = first.listener.resumePoint();
        try (AgentRun second = first.successor().open(stored, ORDERS, LOG)) {
          assertThat(second.progress(ORDERS)).isInstanceOf(TableProgress.NothingPublished.class);
          second.script.dieAfter(requests);
          survived = second.survives(() -> second.snapshot(ORDERS, "s2", 6, orders()));
          ResumePoint after = second.listener.resumePointAfter(stored);
          try (AgentRun third = second.successor().open(after, ORDERS, LOG)) {
            if (!(third.progress(ORDERS) instanceof TableProgress.SnapshotFinished)) {
              assertThat(third.progress(ORDERS)).isNotInstanceOf(TableProgress.Stopped.class);
              third.snapshot(ORDERS, "s2", 6, orders());
            }
            assertThat(third.tables.rows(ORDERS.table()))
                .as("dead after %d requests", requests)
                .contains(ALL_ORDERS);
          }
        }
      }
    }
  }

  private static List<SourceRow> orders() {
    return List.of(
        SourceRow.of(ORDERS, 1, "row 1"),
        SourceRow.of(ORDERS, 3, "row 3"),
        SourceRow.of(ORDERS, 5, "row 5"));
  }

  @Test
  void recreatingCuresItWhereverTheProcessDies() throws InterruptedException {
    boolean survived = false;
    for (int requests = 0; !survived; requests++) {
      try (AgentRun first = releasing().open(ORDERS, LOG)) {
        deliver(first, Optional.empty(), BAD);
        ResumePoint stored = first.listener.resumePoint();
        try (AgentRun second = first.successor().open(stored)) {
          second.script.dieAfter(requests);
          survived = second.survives(() -> second.agent().recreateTable(ORDERS.table()));
          ResumePoint after = second.listener.resumePointAfter(stored);
          try (AgentRun third = second.successor().open(after, ORDERS, LOG)) {
            if (third.progress(ORDERS) instanceof TableProgress.Stopped) {
              assertThat(stopOf(third).code()).isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
              third.agent().recreateTable(ORDERS.table());
              assertThat(add(third)).isInstanceOf(TableProgress.NothingPublished.class);
            } else {
              assertThat(third.progress(ORDERS)).isInstanceOf(TableProgress.NothingPublished.class);
            }
            third.snapshot(ORDERS, "s2", 6, orders());
            third.publish(insert(ORDERS, 7));
            assertWholeAfterRestart(third, after, rowsOf(1, 3, 5, 7));
          }
        }
      }
    }
  }

  @Test
  void aTableTakenUpAgainAfterItMissedCommitsIsRefused() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS, LOG)) {
      deliver(run, Optional.empty(), BAD);
      assertThat(run.listener.lastConfirmed()).contains(at(2));

      assertThat(add(run)).isInstanceOf(TableProgress.Stopped.class);
      run.publish(insert(ORDERS, 7), insert(LOG, 8));

      assertThat(run.listener.lastConfirmed()).contains(at(8));
      assertThat(run.tables.rows(ORDERS.table())).contains(rowsOf(1));
      run.agent().recreateTable(ORDERS.table());
      assertThat(add(run)).isInstanceOf(TableProgress.NothingPublished.class);
      run.snapshot(ORDERS, "s1", 8, orders());
      run.publish(insert(ORDERS, 9));
      assertWholeAfterRestart(run, ResumePoint.NONE, rowsOf(1, 3, 5, 9));
    }
  }

  @Test
  void aTableTakenUpAgainBeforeItMissedAnythingGoesOn() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(LOG)) {
      try (AgentRun other = new AgentRun(run.fileSystem)) {
        other.pipeline = "another";
        other.open(ORDERS);
        other.publish(insert(ORDERS, 1));
      }
      assertThat(add(run)).isInstanceOf(TableProgress.Stopped.class);
      run.fileSystem.client().deleteTree(run.tables.folder(ORDERS.table()), "");

      assertThat(add(run)).isInstanceOf(TableProgress.NothingPublished.class);
      run.publish(insert(ORDERS, 1));
      assertThat(run.tables.rows(ORDERS.table())).contains(rowsOf(1));
    }
  }

  @Test
  void aRecreationThatFailsLeavesNoHole() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(ORDERS, LOG)) {
      deliver(first, Optional.empty(), BAD);
      first.script.fail(Operation.LIST, "orders", false, 1, Kind.FORBIDDEN, false);

      assertThatThrownBy(() -> first.agent().recreateTable(ORDERS.table()))
          .isInstanceOf(TableStoppedException.class);
      first.publish(insert(ORDERS, 7), insert(LOG, 8));

      ResumePoint stored = first.listener.resumePoint();
      assertThat(stored.confirmed()).contains(at(8));
      try (AgentRun second = first.successor().open(stored, ORDERS, LOG)) {
        assertThat(stopOf(second).code()).isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
      }
    }
  }

  @Test
  void aTableWithAHoleIsNotHandedOver() throws InterruptedException {
    try (AgentRun first = releasing().open(ORDERS, LOG)) {
      deliver(first, Optional.empty(), BAD);
      try (AgentRun visit = first.successor().open(first.listener.resumePoint())) {
        assertThatThrownBy(() -> visit.agent().handOver(new Successor("connect", Optional.empty())))
            .isInstanceOf(ActionRequiredException.class)
            .hasMessageContaining("shop.orders")
            .hasMessageContaining("passed over");
      }
    }
  }

  // --- left out --------------------------------------------------------------------------------

  /** A run of a host whose configuration leaves orders out. */
  private static AgentRun leavingOut(AgentRun before) {
    AgentRun run = before.successor();
    run.selected = table -> !table.equals(ORDERS.table());
    return run;
  }

  @Test
  void aTableThatComesBackAfterThePositionMovedIsLoadedAnew() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(ORDERS, LOG)) {
      first.publish(insert(ORDERS, 1), insert(LOG, 2));
      ResumePoint whole = first.listener.resumePoint();
      try (AgentRun without = leavingOut(first).open(whole, LOG)) {
        without.publish(insert(LOG, 4));
        ResumePoint moved = without.listener.resumePointAfter(whole);
        assertThat(Remembered.of(moved).passedOver(ORDERS.table())).isEqualTo(PassedOver.LEFT_OUT);

        try (AgentRun back = without.successor().open(moved, ORDERS, LOG)) {
          assertThat(stopOf(back))
              .hasMessageContaining("Table shop.orders: it was left out of the configuration")
              .hasMessageContaining("up to position " + at(4))
              .hasMessageContaining("recreate-table")
              .extracting(TableStoppedException::code)
              .isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
          back.publish(insert(ORDERS, 5), insert(LOG, 6));
          assertThat(back.tables.rows(ORDERS.table())).contains(rowsOf(1));
          back.agent().recreateTable(ORDERS.table());
          assertThat(add(back)).isInstanceOf(TableProgress.NothingPublished.class);
          back.snapshot(ORDERS, "s2", 6, orders());
          back.publish(insert(ORDERS, 7));
          assertWholeAfterRestart(back, moved, rowsOf(1, 3, 5, 7));
        }
      }
    }
  }

  @Test
  void aTableThatComesBackBeforeThePositionMovedGoesOn() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(ORDERS, LOG)) {
      first.publish(insert(ORDERS, 1), insert(LOG, 2));
      ResumePoint whole = first.listener.resumePoint();
      try (AgentRun without = leavingOut(first).open(whole, LOG);
          AgentRun back =
              without.successor().open(without.listener.resumePointAfter(whole), ORDERS, LOG)) {
        back.publish(insert(ORDERS, 3));
        assertThat(back.tables.rows(ORDERS.table())).contains(rowsOf(1, 3));
      }
    }
  }

  @Test
  void aTableOfASourceThatIsReadAgainFromItsStartLacksNothing() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(ORDERS, LOG)) {
      first.publish(insert(ORDERS, 1), insert(LOG, 2));
      ResumePoint whole = first.listener.resumePoint();
      try (AgentRun without = leavingOut(first).open(repeating(whole), LOG)) {
        without.publish(insert(LOG, 4));
        ResumePoint moved = without.listener.resumePointAfter(whole);
        try (AgentRun back = without.successor().open(repeating(moved), ORDERS, LOG)) {
          back.publish(insert(ORDERS, 3), insert(ORDERS, 5));
          assertThat(back.tables.rows(ORDERS.table())).contains(ALL_ORDERS);
        }
      }
    }
  }

  private static ResumePoint repeating(ResumePoint resume) {
    return new ResumePoint(resume.confirmed(), resume.state(), true);
  }

  @Test
  void aNewSnapshotBringsItBackWhereItMayRecreateTheTable() throws InterruptedException {
    try (AgentRun first =
        new AgentRun().withTable("snapshotOntoExistingTable", "recreate").open(ORDERS, LOG)) {
      first.publish(insert(ORDERS, 1), insert(LOG, 2));
      ResumePoint whole = first.listener.resumePoint();
      try (AgentRun without = leavingOut(first).open(whole, LOG)) {
        without.publish(insert(LOG, 4));
        ResumePoint moved = without.listener.resumePointAfter(whole);
        try (AgentRun back = without.successor().open(moved, ORDERS, LOG)) {
          assertThat(back.progress(ORDERS)).isInstanceOf(TableProgress.NothingPublished.class);
          back.snapshot(ORDERS, "s2", 4, orders());
          back.publish(insert(ORDERS, 7));
          assertWholeAfterRestart(back, moved, rowsOf(1, 3, 5, 7));
        }
      }
    }
  }

  @Test
  void theTablesThatAreLeftAreHandedOverWithoutIt() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(ORDERS, LOG)) {
      first.publish(insert(ORDERS, 1), insert(LOG, 2));
      ResumePoint whole = first.listener.resumePoint();
      try (AgentRun without = leavingOut(first).open(whole, LOG)) {
        without.publish(insert(LOG, 4));
        ResumePoint moved = without.listener.resumePointAfter(whole);
        try (AgentRun visit = leavingOut(without).open(moved)) {
          assertThat(visit.agent().handOver(new Successor("connect", Optional.empty())))
              .extracting(one -> one.table().toString())
              .containsExactly("shop.log");
        }
      }
    }
  }

  // --- removed ---------------------------------------------------------------------------------

  @Test
  void aRemovedTableStaysOutWithoutHoldingThePosition() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(ORDERS, LOG)) {
      deliver(first, Optional.empty(), BAD);
      ResumePoint held = first.listener.resumePoint();
      assertThat(held.confirmed()).contains(at(2));
      try (AgentRun visit = first.successor().open(held)) {
        visit.script.take();
        visit.agent().removeTable(ORDERS.table());
        visit.agent().removeTable(ORDERS.table());
        assertThat(visit.script.take()).isEmpty();
        ResumePoint removed = visit.listener.resumePointAfter(held);
        assertThat(removed.confirmed()).contains(at(2));

        try (AgentRun second = visit.successor().open(removed, ORDERS, LOG)) {
          assertThat(stopOf(second))
              .hasMessageContaining("it was removed")
              .hasMessageContaining("recreate-table")
              .extracting(TableStoppedException::code)
              .isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
          assertThat(second.status(ORDERS).oldestUnconfirmed()).isEmpty();
          deliver(second, removed.confirmed(), BAD);
          assertThat(second.listener.lastConfirmed()).contains(at(6));
          assertThat(second.tables.rows(ORDERS.table())).contains(rowsOf(1));
        }
      }
    }
  }

  @Test
  void noSettingBringsARemovedTableBack() throws InterruptedException {
    try (AgentRun first =
        new AgentRun().withTable("snapshotOntoExistingTable", "recreate").open(ORDERS, LOG)) {
      first.publish(insert(ORDERS, 1));
      first.agent().removeTable(ORDERS.table());
      try (AgentRun second = first.successor().open(first.listener.resumePoint(), ORDERS, LOG)) {
        assertThat(stopOf(second).code()).isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
        assertThat(add(second)).isInstanceOf(TableProgress.Stopped.class);
        second.agent().recreateTable(ORDERS.table());
        assertThat(add(second)).isInstanceOf(TableProgress.NothingPublished.class);
        second.publish(insert(ORDERS, 2));
        assertThat(second.tables.rows(ORDERS.table())).contains(rowsOf(2));
      }
    }
  }

  @Test
  void aTableRemovedInTheMiddleOfItsSnapshotStaysOut() throws InterruptedException {
    try (AgentRun first = new AgentRun().withTable("parquetMaxRowCount", "2").open(ORDERS, LOG)) {
      SnapshotWriter writer = first.begin(ORDERS, "s1", 0);
      writer.write(ColumnBatches.of(ORDERS, AgentRun.rows(ORDERS, 1, 5)));
      first.agent().removeTable(ORDERS.table());
      assertThatThrownBy(writer::finish).isInstanceOf(TableStoppedException.class);

      try (AgentRun second = first.successor().open(first.listener.resumePoint(), ORDERS, LOG)) {
        assertThat(stopOf(second).code()).isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
      }
    }
  }

  @Test
  void aRemovalThatTheHostCannotStoreIsNotForGood() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS, LOG)) {
      run.publish(insert(ORDERS, 1));
      run.listener.refuseStates(() -> {});

      assertThatThrownBy(() -> run.agent().removeTable(ORDERS.table()))
          .isInstanceOf(TableStoppedException.class)
          .hasMessageContaining("could not store")
          .hasMessageContaining("stores nothing more");
    }
  }

  @Test
  void aLookFromOutsideTellsOfIt() throws InterruptedException {
    try (AgentRun run = releasing().open(ORDERS, LOG)) {
      deliver(run, Optional.empty(), BAD);
      TableStatus passed =
          run.successor().create().look(run.listener.resumePoint()).stream()
              .filter(status -> status.table().equals(ORDERS.table()))
              .findFirst()
              .orElseThrow();

      assertThat(passed.state()).isEqualTo(TableStatus.State.STOPPED);
      assertThat(passed.problem().orElseThrow()).contains("passed over", "recreate-table");
    }
  }

  @Test
  void aStateOfANewerReleaseIsRefused() throws InterruptedException {
    try (AgentRun run = new AgentRun()) {
      AgentState state = new AgentState("{\"v\":1,\"tables\":{},\"passed\":{\"t\":\"paused\"}}");

      assertThatThrownBy(() -> run.open(new ResumePoint(Optional.of(at(1)), state), ORDERS))
          .isInstanceOf(ActionRequiredException.class)
          .hasMessageContaining("paused");
    }
  }
}
