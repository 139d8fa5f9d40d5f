package io.corehub.testkit;

import static io.corehub.testkit.ContractTables.LOG;
import static io.corehub.testkit.ContractTables.ORDERS;
import static io.corehub.testkit.ContractTables.insertAt;
import static io.corehub.testkit.ContractTables.insertsAt;
import static io.corehub.testkit.ContractTables.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.Finding;
import io.corehub.agent.TableProgress.NothingPublished;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetAgent;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Update;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An agent is checked, opened, written to, flushed and closed. */
interface LifeCycleContract {

  AgentBench bench();

  @Test
  default void checkFindsAReadyTargetInOrderAndWritesNothing() throws InterruptedException {
    String before = bench().target().contents();
    TargetAgent agent = bench().create(AgentTuning.PATIENT, new RecordingListener());

    List<Finding> findings = agent.check();

    assertThat(findings).isNotEmpty();
    assertThat(findings).noneMatch(finding -> finding.severity() == Finding.Severity.ERROR);
    assertThat(bench().target().contents()).isEqualTo(before);
  }

  @Test
  default void openTellsThatNothingIsPublishedYet() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS, LOG);

    assertThat(session.progressOf(ORDERS)).isInstanceOf(NothingPublished.class);
    assertThat(session.progressOf(LOG)).isInstanceOf(NothingPublished.class);
  }

  @Test
  default void changesStandInTheTargetAfterFlush() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);
    List<SourceCommit> commits =
        List.of(
            insertAt(1, ORDERS),
            insertAt(2, ORDERS),
            SourceCommit.at(3, new Update(row(ORDERS, 1), row(ORDERS, 1, "changed"))),
            SourceCommit.at(4, new Delete(row(ORDERS, 2))),
            SourceCommit.at(5, new Update(row(ORDERS, 1, "changed"), row(ORDERS, 7))));
    ReferenceModel model = new ReferenceModel();
    commits.forEach(model::apply);

    session.apply(commits);
    session.flush();

    bench().assertShows(model, ORDERS);
    assertThat(session.listener().lastConfirmed()).contains(SourceCommit.positionAt(5));
  }

  @Test
  default void everyCommitForItselfGivesTheSameTable() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PROMPT, ORDERS);
    ReferenceModel model = new ReferenceModel();
    List<SourceCommit> commits =
        List.of(
            insertAt(1, ORDERS),
            SourceCommit.at(2, new Update(row(ORDERS, 1), row(ORDERS, 1, "changed"))),
            SourceCommit.at(3, new Update(row(ORDERS, 1, "changed"), row(ORDERS, 2))),
            SourceCommit.at(4, new Insert(row(ORDERS, 1))),
            SourceCommit.at(5, new Delete(row(ORDERS, 2))));

    for (SourceCommit commit : commits) {
      model.apply(commit);
      session.apply(commit);
    }
    session.flush();

    bench().assertShows(model, ORDERS);
  }

  @Test
  default void aWindowClosesByTheClockThoughNoOtherCommitComes() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT.withWindowSeconds(1), ORDERS);

    session.apply(insertAt(1, ORDERS));

    session.listener().awaitConfirmed(SourceCommit.positionAt(1), bench().patience());
    bench().assertHolds(ORDERS, Rows.ofSource(List.of(row(ORDERS, 1))));
  }

  @Test
  default void flushPublishesEveryTableAndConfirmsEverything() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS, LOG);
    session.apply(insertsAt(1, 3, ORDERS));
    session.apply(insertsAt(4, 6, LOG));

    session.flush();

    assertThat(session.listener().lastConfirmed()).contains(SourceCommit.positionAt(6));
    bench().assertHolds(ORDERS, Rows.ofSource(ContractTables.rows(ORDERS, 1, 3)));
    bench().assertHolds(LOG, Rows.ofSource(ContractTables.rows(LOG, 4, 6)));
  }

  @Test
  default void flushWithNothingTakenReturns() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);

    session.flush();

    assertThat(session.listener().confirmations()).isEmpty();
  }

  @Test
  default void statusTellsOfEveryTable() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS, LOG);
    session.apply(insertsAt(1, 3, LOG));
    session.flush();

    List<TableStatus> statuses = session.agent().status();

    assertThat(statuses)
        .extracting(TableStatus::table)
        .containsExactlyInAnyOrder(ORDERS.table(), LOG.table());
    TableStatus log =
        statuses.stream().filter(s -> s.table().equals(LOG.table())).findFirst().orElseThrow();
    assertThat(log.rowsPublished()).isEqualTo(3);
    assertThat(log.lastPosition()).contains(SourceCommit.positionAt(3));
    assertThat(log.oldestUnconfirmed()).isEmpty();
    assertThat(log.problem()).isEmpty();
  }

  @Test
  default void positionsThatGoBackAreRefused() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);
    session.apply(insertAt(5, ORDERS));

    assertThatThrownBy(() -> session.apply(insertAt(4, ORDERS)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  default void closeGivesUpWhatIsNotPublishedAndConfirmsNothingAfterwards()
      throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);
    session.apply(insertAt(1, ORDERS));
    session.flush();
    session.apply(insertAt(2, ORDERS));

    session.agent().close();
    session.listener().expectSilence();
    session.agent().close();

    assertThat(session.listener().lastConfirmed()).contains(SourceCommit.positionAt(1));
  }

  @Test
  default void closeEndsInTimeAndLeavesNoThreadThoughTheTargetDoesNotAnswer()
      throws InterruptedException {
    Set<Thread> before = liveThreads();
    AgentSession session = bench().open(AgentTuning.PROMPT, ORDERS, LOG);
    session.apply(insertAt(1, LOG));
    session.flush();
    bench().target().hold(ORDERS.table());
    session.apply(insertAt(2, ORDERS));
    Instant start = Instant.now();

    session.agent().close();

    assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(35));
    session.listener().expectSilence();
    assertThat(survivors(before)).as("threads left behind").isEmpty();
    bench().target().release();
    assertThat(session.listener().lastConfirmed()).contains(SourceCommit.positionAt(1));
  }

  private static Set<Thread> liveThreads() {
    return new HashSet<>(Thread.getAllStackTraces().keySet());
  }

  /** Threads of the machine itself and of shared pools do not count. */
  private static List<Thread> survivors(Set<Thread> before) throws InterruptedException {
    List<Thread> left =
        liveThreads().stream()
            .filter(thread -> !before.contains(thread))
            .filter(thread -> !thread.getName().startsWith("ForkJoinPool.commonPool"))
            .filter(
                thread ->
                    thread.getThreadGroup() != null
                        && !thread.getThreadGroup().getName().equals("system")
                        && !thread.getThreadGroup().getName().equals("InnocuousThreadGroup"))
            .toList();
    for (Thread thread : left) {
      thread.join(1000);
    }
    return left.stream().filter(Thread::isAlive).toList();
  }
}
