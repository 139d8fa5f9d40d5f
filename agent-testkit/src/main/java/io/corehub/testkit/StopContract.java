package io.corehub.testkit;

import static io.corehub.testkit.ContractTables.ITEMS;
import static io.corehub.testkit.ContractTables.LOG;
import static io.corehub.testkit.ContractTables.ORDERS;
import static io.corehub.testkit.ContractTables.insertAt;
import static io.corehub.testkit.ContractTables.insertsAt;
import static io.corehub.testkit.ContractTables.row;
import static io.corehub.testkit.ContractTables.rows;
import static io.corehub.testkit.SourceCommit.positionAt;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.testkit.SourceChange.Unreadable;
import io.corehub.testkit.SourceChange.Update;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One table stops, the others go on; a person or the hub decides what becomes of it. */
interface StopContract {

  AgentBench bench();

  private static SourceCommit ordersUnreadableAt(long order) {
    return SourceCommit.at(
        order,
        new Unreadable(
            new TableStoppedException(
                ORDERS.table(),
                ErrorCode.SOURCE_DATA,
                "Table shop.orders, column 'id': 70000 does not fit SHORT. Declare it as INT.")));
  }

  @Test
  default void aStoppedTableHoldsThePositionAndLeavesTheOthersRunning()
      throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PROMPT, ORDERS, LOG);

    session.apply(insertAt(1, ORDERS));
    session.apply(insertAt(2, LOG));
    session.apply(ordersUnreadableAt(3));
    session.apply(insertAt(4, ORDERS));
    session.apply(insertsAt(5, 6, LOG));
    session.flush();

    TableStoppedException stop = session.listener().awaitStop(ORDERS.table(), bench().patience());
    assertThat(stop.code()).isEqualTo(ErrorCode.SOURCE_DATA);
    assertThat(stop).hasMessageContaining("70000");
    List<SourceRow> log = new ArrayList<>(rows(LOG, 5, 6));
    log.add(row(LOG, 2));
    bench().assertHolds(LOG, Rows.ofSource(log));
    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 1, 1)));
    assertThat(session.listener().lastConfirmed()).contains(positionAt(2));
    assertThat(session.agent().status())
        .filteredOn(status -> status.table().equals(ORDERS.table()))
        .singleElement()
        .satisfies(
            status -> {
              assertThat(status.state()).isEqualTo(TableStatus.State.STOPPED);
              assertThat(status.problem()).isPresent();
            });
  }

  @Test
  default void removingAStoppedTableLetsTheConfirmationsGoOn() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PROMPT, ORDERS, LOG);
    session.apply(ordersUnreadableAt(1));
    session.apply(insertsAt(2, 4, LOG));
    session.flush();
    session.listener().awaitStop(ORDERS.table(), bench().patience());
    assertThat(session.listener().confirmations()).isEmpty();

    session.agent().removeTable(ORDERS.table());

    session.listener().awaitConfirmed(positionAt(4), bench().patience());
  }

  @Test
  default void removingATableThatWaitsForTheTargetLetsTheConfirmationsGoOn()
      throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PROMPT, ORDERS, LOG);
    bench().target().hold(ORDERS.table());
    session.apply(insertAt(1, ORDERS));
    session.apply(insertsAt(2, 4, LOG));

    session.agent().removeTable(ORDERS.table());

    session.listener().awaitConfirmed(positionAt(4), bench().patience());
    bench().assertHolds(LOG, Rows.ofSource(rows(LOG, 2, 4)));
  }

  @Test
  default void aRemovedTableStaysOutAfterARestart() throws InterruptedException {
    AgentSession first = bench().open(AgentTuning.PROMPT, ORDERS, LOG);
    first.apply(insertAt(1, ORDERS));
    first.apply(ordersUnreadableAt(2));
    first.apply(insertAt(3, LOG));
    first.flush();
    first.agent().removeTable(ORDERS.table());
    first.agent().removeTable(ORDERS.table());
    first.listener().awaitConfirmed(positionAt(3), bench().patience());

    AgentSession second =
        bench().restart(AgentTuning.PROMPT, first.listener().resumePoint(), ORDERS, LOG);
    second.apply(insertAt(4, ORDERS), insertAt(5, LOG));
    second.flush();

    assertNeedsSnapshot(second.progressOf(ORDERS));
    assertNeedsSnapshot(second.agent().addTable(bench().spec(AgentTuning.PROMPT, ORDERS)));
    second.listener().awaitStop(ORDERS.table(), bench().patience());
    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 1, 1)));
    assertThat(second.listener().lastConfirmed()).contains(positionAt(5));
  }

  @Test
  default void aTableThatNobodyOpenedCanBeRemoved() throws InterruptedException {
    AgentSession first = bench().open(AgentTuning.PROMPT, ORDERS, LOG);
    first.apply(insertAt(1, ORDERS));
    first.apply(ordersUnreadableAt(2));
    first.apply(insertAt(3, LOG));
    first.flush();
    ResumePoint held = first.listener().resumePoint();
    assertThat(held.confirmed()).contains(positionAt(1));

    AgentSession visit = bench().restart(AgentTuning.PROMPT, held);
    visit.agent().removeTable(ORDERS.table());
    ResumePoint removed = visit.listener().resumePointAfter(held);
    assertThat(removed.confirmed()).contains(positionAt(1));

    AgentSession second = bench().restart(AgentTuning.PROMPT, removed, ORDERS, LOG);
    assertNeedsSnapshot(second.progressOf(ORDERS));
    second.apply(ordersUnreadableAt(2));
    second.apply(insertsAt(3, 4, LOG));
    second.flush();

    assertThat(second.listener().lastConfirmed()).contains(positionAt(4));
    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 1, 1)));
    bench().assertHolds(LOG, Rows.ofSource(rows(LOG, 3, 4)));
  }

  @Test
  default void aTableThatIsLeftOutWhileThePositionMovesComesBackAnewAlone()
      throws InterruptedException {
    AgentSession first = bench().open(AgentTuning.PROMPT, ORDERS, LOG);
    first.apply(insertAt(1, ORDERS));
    first.apply(insertAt(2, LOG));
    first.flush();

    bench().leaveOut(ORDERS);
    AgentSession without = bench().restart(AgentTuning.PROMPT, first.listener().resumePoint(), LOG);
    without.apply(insertAt(4, LOG));
    without.flush();
    ResumePoint moved = without.listener().resumePoint();
    assertThat(moved.confirmed()).contains(positionAt(4));

    bench().leaveNothingOut();
    AgentSession back = bench().restart(AgentTuning.PROMPT, moved, ORDERS, LOG);
    assertNeedsSnapshot(back.progressOf(ORDERS));
    back.apply(insertAt(5, ORDERS), insertAt(6, LOG));
    back.flush();

    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 1, 1)));
    assertThat(back.listener().lastConfirmed()).contains(positionAt(6));
  }

  @Test
  default void aTableThatIsLeftOutWhileNothingMovesGoesOn() throws InterruptedException {
    AgentSession first = bench().open(AgentTuning.PROMPT, ORDERS, LOG);
    first.apply(insertAt(1, ORDERS));
    first.apply(insertAt(2, LOG));
    first.flush();
    ResumePoint whole = first.listener().resumePoint();

    bench().leaveOut(ORDERS);
    AgentSession without = bench().restart(AgentTuning.PROMPT, whole, LOG);
    without.flush();
    ResumePoint same = without.listener().resumePointAfter(whole);

    bench().leaveNothingOut();
    AgentSession back = bench().restart(AgentTuning.PROMPT, same, ORDERS, LOG);
    back.apply(insertAt(3, ORDERS));
    back.flush();

    List<SourceRow> orders = new ArrayList<>(rows(ORDERS, 1, 1));
    orders.addAll(rows(ORDERS, 3, 3));
    bench().assertHolds(ORDERS, Rows.ofSource(orders));
  }

  private static void assertNeedsSnapshot(TableProgress progress) {
    assertThat(progress)
        .isInstanceOfSatisfying(
            TableProgress.Stopped.class,
            stopped -> assertThat(stopped.reason().code()).isEqualTo(ErrorCode.NEEDS_SNAPSHOT));
  }

  @Test
  default void removingAnUnknownTableLeavesTheOthersRunning() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, LOG);

    session.agent().removeTable(TableId.of("nobody", "knows"));
    session.apply(insertAt(1, LOG));
    session.flush();

    assertThat(session.listener().lastConfirmed()).contains(positionAt(1));
  }

  @Test
  default void changesOfARemovedTableAreDropped() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS, LOG);
    session.apply(insertAt(1, ORDERS));
    session.flush();

    session.agent().removeTable(ORDERS.table());
    session.apply(insertAt(2, ORDERS), insertAt(3, LOG));
    session.flush();

    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 1, 1)));
    bench().assertHolds(LOG, Rows.ofSource(rows(LOG, 3, 3)));
    assertThat(session.listener().lastConfirmed()).contains(positionAt(3));
  }

  @Test
  default void aTableCanBeTakenUpLater() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, LOG);
    session.apply(insertAt(1, LOG));

    TableProgress progress = session.agent().addTable(bench().spec(AgentTuning.PATIENT, ITEMS));
    assertThat(progress).isInstanceOf(TableProgress.NothingPublished.class);
    session.snapshot(ITEMS, "s1", 1, rows(ITEMS, 1, 3));
    session.apply(insertAt(4, ITEMS));
    session.flush();

    bench().assertHolds(ITEMS, Rows.ofSource(rows(ITEMS, 1, 4)));
    assertThat(session.listener().lastConfirmed()).contains(positionAt(4));
  }

  @Test
  default void aStoppedTableIsTriedAgainAfterARestart() throws InterruptedException {
    AgentSession first = bench().open(AgentTuning.PROMPT, ORDERS);
    first.apply(insertAt(1, ORDERS));
    first.apply(ordersUnreadableAt(2));
    first.flush();
    first.listener().awaitStop(ORDERS.table(), bench().patience());

    AgentSession second =
        bench().restart(AgentTuning.PROMPT, first.listener().resumePoint(), ORDERS);
    second.apply(insertsAt(2, 3, ORDERS));
    second.flush();

    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 1, 3)));
    assertThat(second.listener().lastConfirmed()).contains(positionAt(3));
  }

  @Test
  default void aCellThatWasNotDeliveredNeverBecomesNull() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PROMPT, ORDERS);
    session.apply(insertAt(1, ORDERS));
    session.flush();

    session.apply(
        SourceCommit.at(
            2, new Update(row(ORDERS, 1), row(ORDERS, 1).with(1, SourceRow.UNDELIVERED))));
    session.flush();

    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 1, 1)));
  }
}
