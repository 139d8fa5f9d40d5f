package io.corehub.testkit;

import static io.corehub.testkit.ContractTables.ITEMS;
import static io.corehub.testkit.ContractTables.LOG;
import static io.corehub.testkit.ContractTables.ORDERS;
import static io.corehub.testkit.ContractTables.insertAt;
import static io.corehub.testkit.ContractTables.row;
import static io.corehub.testkit.ContractTables.rows;
import static io.corehub.testkit.SourceCommit.positionAt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.SourceChange.Insert;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A position is confirmed when everything up to it stands in the target, and never before. */
interface ConfirmationContract {

  AgentBench bench();

  @Test
  default void onlyWhatStandsInTheTargetIsConfirmed() throws InterruptedException {
    List<TableSchema> tables = List.of(ORDERS, ITEMS, LOG);
    List<String> early = Collections.synchronizedList(new ArrayList<>());
    AgentSession session =
        bench()
            .open(
                AgentTuning.PROMPT,
                ResumePoint.NONE,
                position -> tables.forEach(table -> lookAt(table, position, early)),
                ORDERS,
                ITEMS,
                LOG);

    for (int i = 1; i <= 12; i++) {
      session.apply(insertAt(i, tables.get(i % 3)));
    }
    session.flush();

    assertThat(early).isEmpty();
    assertThat(session.listener().lastConfirmed()).contains(positionAt(12));
  }

  /** Commit i inserted row i into table i % 3. */
  private void lookAt(TableSchema table, SourcePosition confirmed, List<String> early) {
    List<TableSchema> tables = List.of(ORDERS, ITEMS, LOG);
    Rows there = bench().target().readTable(table.table()).orElse(Rows.NONE);
    for (int i = 1; i <= confirmed.order(); i++) {
      Row row = row(tables.get(i % 3), i).view();
      if (tables.get(i % 3).equals(table) && !there.rows().contains(row)) {
        early.add(confirmed + " was confirmed without row " + i + " of " + table.table());
      }
    }
  }

  @Test
  default void theSlowestTableDecidesWhatIsConfirmed() throws InterruptedException {
    assumeFalse(bench().target().publishesTogether(), "the target's tables wait for each other");
    AgentSession session = bench().open(AgentTuning.PROMPT, ORDERS, LOG);
    bench().target().hold(ORDERS.table());

    session.apply(insertAt(1, LOG));
    session.apply(insertAt(2, ORDERS));
    session.apply(insertAt(3, LOG));
    session.apply(SourceCommit.at(4));
    session.listener().awaitConfirmed(positionAt(1), bench().patience());
    awaitRows(LOG, 2);
    assertThat(session.listener().lastConfirmed()).contains(positionAt(1));

    bench().target().release();
    session.flush();
    assertThat(session.listener().lastConfirmed()).contains(positionAt(4));
    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 2, 2)));
  }

  private void awaitRows(TableSchema table, int count) throws InterruptedException {
    Await.until(
        () -> bench().target().readTable(table.table()).orElse(Rows.NONE).count() == count,
        count + " rows of " + table.table(),
        bench().patience());
  }

  @Test
  default void aCommitOfTwoTablesIsConfirmedWhenBothStandThere() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PROMPT, ORDERS, LOG);
    bench().target().hold(ORDERS.table());

    session.apply(SourceCommit.at(1, new Insert(row(ORDERS, 1)), new Insert(row(LOG, 1))));
    if (!bench().target().publishesTogether()) {
      awaitRows(LOG, 1);
    }
    assertThat(session.listener().confirmations()).isEmpty();

    bench().target().release();
    session.flush();
    assertThat(session.listener().lastConfirmed()).contains(positionAt(1));
  }

  @Test
  default void commitsThatTouchNoTableAreConfirmedInTheirTurn() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT.withWindowSeconds(1), ORDERS);

    session.apply(SourceCommit.at(1), SourceCommit.at(2));
    session.listener().awaitConfirmed(positionAt(2), bench().patience());

    session.apply(insertAt(3, ORDERS), SourceCommit.at(4));
    session.listener().awaitConfirmed(positionAt(4), bench().patience());
    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 3, 3)));
  }

  @Test
  default void aBigCommitIsConfirmedOnlyWithItsLastPart() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT.withRowsPerFile(10), ORDERS);
    List<CommitBatch> parts = session.parts(bigInsert(2, ORDERS, 60), 15);

    session.apply(insertAt(1, ORDERS));
    for (CommitBatch part : parts.subList(0, parts.size() - 1)) {
      session.agent().apply(part);
    }
    session.flush();
    if (bench().target().publishesTogether()) {
      assertThat(session.listener().confirmations()).isSubsetOf(positionAt(1));
    } else {
      assertThat(session.listener().lastConfirmed()).contains(positionAt(1));
    }

    session.agent().apply(parts.get(parts.size() - 1));
    session.flush();
    assertThat(session.listener().lastConfirmed()).contains(positionAt(2));
    List<SourceRow> all = new ArrayList<>(rows(ORDERS, 1001, 1060));
    all.add(row(ORDERS, 1));
    bench().assertHolds(ORDERS, Rows.ofSource(all));
  }

  /** One commit that inserts rows 1001 onwards. */
  static SourceCommit bigInsert(long order, TableSchema table, int count) {
    return SourceCommit.at(
        order,
        rows(table, 1001, 1000 + count).stream().map(Insert::new).toArray(SourceChange[]::new));
  }

  @Test
  default void positionsAreUnsigned() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PROMPT, ORDERS);
    long[] orders = {Long.MAX_VALUE - 1, Long.MAX_VALUE, Long.MIN_VALUE, -2, -1};

    for (int i = 0; i < orders.length; i++) {
      session.apply(SourceCommit.at(orders[i], new Insert(row(ORDERS, i))));
    }
    session.flush();

    assertThat(session.listener().lastConfirmed()).contains(positionAt(-1));
    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 0, 4)));
  }

  @Test
  default void positionsWithoutOrderAreConfirmedTooAndHandBackTheirTokens()
      throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);
    SourcePosition first = new SourcePosition("", 0, "a");
    SourcePosition second = new SourcePosition("", 0, "b");

    session.apply(new SourceCommit(Commit.at(first), List.of(new Insert(row(ORDERS, 1)))));
    session.apply(new SourceCommit(Commit.at(second), List.of(new Insert(row(ORDERS, 2)))));
    session.flush();

    assertThat(session.listener().lastConfirmed()).contains(second);
    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 1, 2)));
  }
}
