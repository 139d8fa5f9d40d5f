package io.corehub.testkit;

import static io.corehub.testkit.ContractTables.LOG;
import static io.corehub.testkit.ContractTables.ORDERS;
import static io.corehub.testkit.ContractTables.insertAt;
import static io.corehub.testkit.ContractTables.insertsAt;
import static io.corehub.testkit.ContractTables.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.corehub.agent.AgentAction;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.TableProgress.NothingPublished;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.SourceChange.Insert;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An agent that offers it takes a table out of the target, so that it is loaded anew. */
interface RecreationContract {

  AgentBench bench();

  private boolean offered() {
    return bench().target().descriptor().actions().contains(AgentAction.RECREATE_TABLE);
  }

  private AgentSession sessionThatRecreates(TableSchema... tables) throws InterruptedException {
    assumeTrue(offered(), "the agent does not re-create tables");
    return bench().open(AgentTuning.PATIENT, tables);
  }

  @Test
  default void anAgentThatDoesNotOfferToRecreateRefusesIt() throws InterruptedException {
    assumeTrue(!offered(), "the agent re-creates tables");
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);

    assertThatThrownBy(() -> session.agent().recreateTable(ORDERS.table()))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  default void aRecreatedTableIsLoadedAnewWhileTheOthersGoOn() throws InterruptedException {
    AgentSession session = sessionThatRecreates(ORDERS, LOG);
    session.snapshot(ORDERS, "s1", 10, rows(ORDERS, 1, 5));
    session.apply(insertsAt(11, 13, ORDERS));
    session.apply(insertsAt(14, 16, LOG));
    session.flush();

    session.agent().recreateTable(ORDERS.table());
    bench().assertNothingOf(ORDERS);
    session.apply(insertAt(17, LOG));
    assertThat(session.agent().addTable(bench().spec(AgentTuning.PATIENT, ORDERS)))
        .isInstanceOf(NothingPublished.class);
    session.snapshot(ORDERS, "s2", 17, rows(ORDERS, 3, 4));
    session.apply(insertAt(18, ORDERS), insertAt(19, LOG));
    session.flush();

    bench().assertHolds(LOG, both(rows(LOG, 14, 17), rows(LOG, 19, 19)));
    bench().assertHolds(ORDERS, both(rows(ORDERS, 3, 4), rows(ORDERS, 18, 18)));
  }

  @Test
  default void aTableThatNobodyOpenedCanBeRecreated() throws InterruptedException {
    AgentSession first = sessionThatRecreates(ORDERS);
    first.snapshot(ORDERS, "s1", 10, rows(ORDERS, 1, 5));
    first.flush();

    AgentSession second = bench().restart(AgentTuning.PATIENT, first.listener().resumePoint());
    assertThat(second.agent().recreateTable(ORDERS.table())).isTrue();
    assertThat(second.agent().recreateTable(ORDERS.table())).isFalse();

    AgentSession third =
        bench().restart(AgentTuning.PATIENT, second.listener().resumePoint(), ORDERS);
    assertThat(third.progressOf(ORDERS)).isInstanceOf(NothingPublished.class);
  }

  @Test
  default void recreatingBringsARemovedTableBack() throws InterruptedException {
    AgentSession first = sessionThatRecreates(ORDERS, LOG);
    first.snapshot(ORDERS, "s1", 10, rows(ORDERS, 1, 5));
    first.agent().removeTable(ORDERS.table());
    first.apply(insertAt(11, ORDERS), insertAt(12, LOG));
    first.flush();
    ResumePoint removed = first.listener().resumePoint();

    AgentSession visit = bench().restart(AgentTuning.PATIENT, removed);
    visit.agent().recreateTable(ORDERS.table());

    ResumePoint recreated = visit.listener().resumePointAfter(removed);
    AgentSession second = bench().restart(AgentTuning.PATIENT, recreated, ORDERS, LOG);
    assertThat(second.progressOf(ORDERS)).isInstanceOf(NothingPublished.class);
    second.snapshot(ORDERS, "s2", 12, rows(ORDERS, 3, 4));
    second.apply(insertAt(13, ORDERS));
    second.flush();
    bench().assertHolds(ORDERS, both(rows(ORDERS, 3, 4), rows(ORDERS, 13, 13)));
  }

  @Test
  default void recreatingCuresATableThatStopped() throws InterruptedException {
    assumeFalse(bench().target().followsTypes(), "the target follows other types");
    TableSchema other =
        new TableSchema(
            ORDERS.table(),
            List.of(ORDERS.columns().get(0), Column.of("text", ColumnType.of(Kind.DOUBLE))),
            ORDERS.keyColumns(),
            2);
    List<SourceRow> reals = List.of(SourceRow.of(other, 1, 0.5), SourceRow.of(other, 2, 1.5));
    AgentSession session = sessionThatRecreates(ORDERS);
    session.snapshot(ORDERS, "s1", 10, rows(ORDERS, 1, 1));
    session.apply(SourceCommit.at(11, new Insert(reals.get(1))));
    session.listener().awaitStop(ORDERS.table(), bench().patience());

    session.agent().recreateTable(ORDERS.table());
    session.agent().addTable(bench().spec(AgentTuning.PATIENT, other));
    session.snapshot(other, "s2", 11, reals);

    bench().assertHolds(other, Rows.ofSource(reals));
  }

  @Test
  default void aCrashBeforeTheHostStoredTheRecreationLosesNothing() throws InterruptedException {
    AgentSession first = sessionThatRecreates(ORDERS);
    first.snapshot(ORDERS, "s1", 10, rows(ORDERS, 1, 5));
    first.flush();
    first.listener().refuseStates(bench().target()::cutOff);
    try {
      first.agent().recreateTable(ORDERS.table());
    } catch (TableStoppedException hostDied) {
      assertThat(hostDied.table()).isEqualTo(ORDERS.table());
    }

    AgentSession second =
        bench().restart(AgentTuning.PATIENT, first.listener().resumePoint(), ORDERS);
    if (second.progressOf(ORDERS) instanceof NothingPublished) {
      second.snapshot(ORDERS, "s2", 10, rows(ORDERS, 1, 5));
    }
    second.apply(insertAt(11, ORDERS));
    second.flush();

    bench().assertHolds(ORDERS, both(rows(ORDERS, 1, 5), rows(ORDERS, 11, 11)));
  }

  private static Rows both(List<SourceRow> some, List<SourceRow> more) {
    return Rows.ofSource(Stream.concat(some.stream(), more.stream()).toList());
  }
}
