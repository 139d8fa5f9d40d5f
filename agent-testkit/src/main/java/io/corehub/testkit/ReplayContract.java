package io.corehub.testkit;

import static io.corehub.testkit.ConfirmationContract.bigInsert;
import static io.corehub.testkit.ContractTables.LOG;
import static io.corehub.testkit.ContractTables.ORDERS;
import static io.corehub.testkit.ContractTables.insertAt;
import static io.corehub.testkit.ContractTables.insertsAt;
import static io.corehub.testkit.ContractTables.row;
import static io.corehub.testkit.ContractTables.rows;
import static io.corehub.testkit.SourceCommit.positionAt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.corehub.agent.AgentState;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.TableProgress.ChangesPublished;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** After a crash the hub delivers again what was not confirmed; the target ends the same. */
interface ReplayContract {

  AgentBench bench();

  @Test
  default void replayedCommitsOfAKeylessTableAreSkipped() throws InterruptedException {
    AgentSession first = bench().open(AgentTuning.PATIENT, LOG);
    first.apply(insertsAt(1, 10, LOG));
    first.flush();

    AgentSession second = bench().restart(AgentTuning.PATIENT, confirmedUpTo(3), LOG);
    second.apply(insertsAt(4, 12, LOG));
    second.flush();

    bench().assertHolds(LOG, Rows.ofSource(rows(LOG, 1, 12)));
    assertThat(second.listener().lastConfirmed()).contains(positionAt(12));
  }

  @Test
  default void replayedCommitsOfAKeyedTableAreSkipped() throws InterruptedException {
    List<SourceCommit> commits =
        List.of(
            insertAt(1, ORDERS),
            SourceCommit.at(2, new Update(row(ORDERS, 1), row(ORDERS, 5))),
            SourceCommit.at(3, new Delete(row(ORDERS, 5))),
            SourceCommit.at(4, new Insert(row(ORDERS, 1, "again"))));
    ReferenceModel model = new ReferenceModel();
    commits.forEach(model::apply);
    AgentSession first = bench().open(AgentTuning.PROMPT, ORDERS);
    for (SourceCommit commit : commits) {
      first.apply(commit);
    }
    first.flush();

    AgentSession second = bench().restart(AgentTuning.PROMPT, ResumePoint.NONE, ORDERS);
    String published = bench().target().contents();
    for (SourceCommit commit : commits) {
      second.apply(commit);
    }
    second.flush();

    bench().assertShows(model, ORDERS);
    assertThat(bench().target().contents()).as("nothing is published twice").isEqualTo(published);
    assertThat(second.listener().lastConfirmed()).contains(positionAt(4));
  }

  @Test
  default void replayAfterASnapshotGoesOnBehindIt() throws InterruptedException {
    AgentSession first = bench().open(AgentTuning.PATIENT, LOG);
    first.snapshot(LOG, "s1", 10, rows(LOG, 1, 5));
    first.apply(insertsAt(11, 13, LOG));

    AgentSession second = bench().restart(AgentTuning.PATIENT, first.listener().resumePoint(), LOG);
    second.apply(insertsAt(11, 14, LOG));
    second.flush();

    List<SourceRow> expected = new ArrayList<>(rows(LOG, 1, 5));
    expected.addAll(rows(LOG, 11, 14));
    bench().assertHolds(LOG, Rows.ofSource(expected));
  }

  @Test
  default void tablesThatWereAheadOfTheConfirmedPositionEndTheSame() throws InterruptedException {
    assumeFalse(bench().target().publishesTogether(), "no table is ahead of another");
    AgentSession first = bench().open(AgentTuning.PROMPT, LOG, ORDERS);
    bench().target().hold(ORDERS.table());
    first.apply(insertAt(1, ORDERS));
    first.apply(insertsAt(2, 6, LOG));
    Await.until(
        () -> bench().target().readTable(LOG.table()).orElse(Rows.NONE).count() == 5,
        "rows of the table that is not held",
        bench().patience());
    ResumePoint resume = first.listener().resumePoint();
    assertThat(resume.confirmed()).isEmpty();

    AgentSession second = bench().restart(AgentTuning.PROMPT, resume, LOG, ORDERS);
    bench().target().release();
    second.apply(insertAt(1, ORDERS));
    second.apply(insertsAt(2, 8, LOG));
    second.flush();

    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 1, 1)));
    bench().assertHolds(LOG, Rows.ofSource(rows(LOG, 2, 8)));
    assertThat(second.listener().lastConfirmed()).contains(positionAt(8));
  }

  @Test
  default void aBigCommitCutByACrashGoesOnWhereItStopped() throws InterruptedException {
    replayBigCommit(15);
  }

  @Test
  default void aBigCommitCutByACrashMayComeInOtherParts() throws InterruptedException {
    replayBigCommit(7);
  }

  private void replayBigCommit(int changesPerPartOnReplay) throws InterruptedException {
    AgentTuning tuning = AgentTuning.PATIENT.withRowsPerFile(10);
    AgentSession first = bench().open(tuning, LOG);
    first.apply(insertsAt(1, 3, LOG));
    SourceCommit big = bigInsert(4, LOG, 60);
    for (CommitBatch part : first.parts(big, 15).subList(0, 3)) {
      first.agent().apply(part);
    }
    first.flush();
    boolean together = bench().target().publishesTogether();
    if (!together) {
      assertThat(bench().rows(LOG).count()).as("part of the commit stands there").isEqualTo(48);
    }

    AgentSession second = bench().restart(tuning, first.listener().resumePoint(), LOG);
    if (together) {
      if (first.listener().lastConfirmed().isEmpty()) {
        second.apply(insertsAt(1, 3, LOG));
      }
    } else {
      assertThat(second.progressOf(LOG)).isInstanceOf(ChangesPublished.class);
      assertThat(((ChangesPublished) second.progressOf(LOG)).complete()).isFalse();
    }
    for (CommitBatch part : second.parts(big, changesPerPartOnReplay)) {
      second.agent().apply(part);
    }
    second.apply(insertAt(5, LOG));
    second.flush();

    List<SourceRow> expected = new ArrayList<>(rows(LOG, 1001, 1060));
    expected.addAll(rows(LOG, 1, 3));
    expected.add(row(LOG, 5));
    bench().assertHolds(LOG, Rows.ofSource(expected));
    assertThat(second.listener().lastConfirmed()).contains(positionAt(5));
  }

  @Test
  default void unsignedPositionsAreSkippedOnReplayToo() throws InterruptedException {
    List<SourceCommit> commits = List.of(at(Long.MAX_VALUE, 1), at(Long.MIN_VALUE, 2), at(-2, 3));
    AgentSession first = bench().open(AgentTuning.PATIENT, LOG);
    first.apply(commits);
    first.flush();

    AgentSession second = bench().restart(AgentTuning.PATIENT, ResumePoint.NONE, LOG);
    second.apply(commits);
    second.apply(at(-1, 4));
    second.flush();

    bench().assertHolds(LOG, Rows.ofSource(rows(LOG, 1, 4)));
  }

  private static SourceCommit at(long order, int id) {
    return SourceCommit.at(order, new Insert(row(LOG, id)));
  }

  @Test
  default void everyRestartPointLeadsToTheSameTables() throws InterruptedException {
    TableSchema[] tables = {LOG, ORDERS};
    List<SourceCommit> commits =
        IntStream.rangeClosed(1, 8).mapToObj(i -> insertAt(i, tables[i % 2])).toList();
    int applied = 0;
    AgentSession session = bench().open(AgentTuning.PROMPT, tables);
    while (applied < commits.size()) {
      session.apply(commits.get(applied++));
      ResumePoint resume = session.listener().resumePoint();
      session = bench().restart(AgentTuning.PROMPT, resume, tables);
      long confirmed = resume.confirmed().map(p -> p.order()).orElse(0L);
      session.apply(commits.subList((int) confirmed, applied));
    }
    session.flush();

    ReferenceModel model = new ReferenceModel();
    commits.forEach(model::apply);
    bench().assertShows(model, LOG);
    bench().assertShows(model, ORDERS);
  }

  private static ResumePoint confirmedUpTo(long order) {
    return new ResumePoint(Optional.of(positionAt(order)), AgentState.NONE);
  }
}
