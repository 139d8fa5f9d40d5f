package io.corehub.testkit;

import static io.corehub.testkit.ContractTables.ITEMS;
import static io.corehub.testkit.ContractTables.LOG;
import static io.corehub.testkit.ContractTables.ORDERS;
import static io.corehub.testkit.ContractTables.insertAt;
import static io.corehub.testkit.ContractTables.insertsAt;
import static io.corehub.testkit.ContractTables.row;
import static io.corehub.testkit.ContractTables.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableProgress.ChangesPublished;
import io.corehub.agent.TableProgress.NothingPublished;
import io.corehub.agent.TableProgress.SnapshotFinished;
import io.corehub.agent.TableProgress.SnapshotUnfinished;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Update;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A table is loaded once and whole, whatever happens in between. */
interface SnapshotContract {

  AgentBench bench();

  @Test
  default void snapshotAndThenChangesStandInTheTarget() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT.withRowsPerFile(10), ORDERS);
    ReferenceModel model = new ReferenceModel();
    List<SourceCommit> commits =
        List.of(
            SourceCommit.at(11, new Update(row(ORDERS, 3), row(ORDERS, 3, "changed"))),
            SourceCommit.at(12, new Delete(row(ORDERS, 25))),
            insertAt(40, ORDERS));
    model.snapshot(ORDERS, rows(ORDERS, 1, 30));
    commits.forEach(model::apply);

    session.snapshot(ORDERS, "s1", 10, rows(ORDERS, 1, 30));
    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 1, 30)));
    session.apply(commits);
    session.flush();

    bench().assertShows(model, ORDERS);
  }

  @Test
  default void anEmptySnapshotMakesTheTableAppear() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS, LOG);

    session.snapshot(ORDERS, "s1", 10, List.of());
    session.snapshot(LOG, "s1", 10, List.of());

    assertThat(bench().target().readTable(ORDERS.table())).contains(Rows.NONE);
    assertThat(bench().target().readTable(LOG.table())).contains(Rows.NONE);
  }

  @Test
  default void snapshotsOfSeveralTablesMayOverlapWithChangesOfOthers() throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS, ITEMS, LOG);
    SnapshotWriter orders = session.beginSnapshot(ORDERS, "s1", 10);
    SnapshotWriter items = session.beginSnapshot(ITEMS, "s1", 10);

    session.writePages(orders, ORDERS, rows(ORDERS, 1, 3));
    session.apply(insertsAt(11, 13, LOG));
    session.writePages(items, ITEMS, rows(ITEMS, 1, 4));
    session.writePages(orders, ORDERS, rows(ORDERS, 4, 6));
    items.finish();
    session.flush();
    orders.finish();

    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 1, 6)));
    bench().assertHolds(ITEMS, Rows.ofSource(rows(ITEMS, 1, 4)));
    bench().assertHolds(LOG, Rows.ofSource(rows(LOG, 11, 13)));
  }

  @Test
  default void aFinishedSnapshotIsReportedThoughTheHubForgotIt() throws InterruptedException {
    AgentSession first = bench().open(AgentTuning.PATIENT, ORDERS, LOG, ITEMS);
    first.snapshot(ORDERS, "s1", 10, rows(ORDERS, 1, 5));
    first.snapshot(LOG, "s2", 11, List.of());

    AgentSession second =
        bench().restart(AgentTuning.PATIENT, ResumePoint.NONE, ORDERS, LOG, ITEMS);

    assertThat(second.progressOf(ORDERS))
        .isEqualTo(new SnapshotFinished("s1", positionOnTarget(second.progressOf(ORDERS), 10)));
    assertThat(second.progressOf(LOG))
        .isEqualTo(new SnapshotFinished("s2", positionOnTarget(second.progressOf(LOG), 11)));
    assertThat(second.progressOf(ITEMS)).isInstanceOf(NothingPublished.class);
  }

  /** Timeline and order must be those of the snapshot; a target need not keep the token. */
  private static SourcePosition positionOnTarget(TableProgress progress, long order) {
    assertThat(progress).isInstanceOf(SnapshotFinished.class);
    SourcePosition position = ((SnapshotFinished) progress).consistentAt();
    assertThat(position.timeline()).isEqualTo(SourceCommit.TIMELINE);
    assertThat(position.order()).isEqualTo(order);
    return position;
  }

  @Test
  default void changesAfterASnapshotAreReportedWithTheirPosition() throws InterruptedException {
    AgentSession first = bench().open(AgentTuning.PATIENT, ORDERS);
    first.snapshot(ORDERS, "s1", 10, rows(ORDERS, 1, 5));
    first.apply(insertsAt(11, 13, ORDERS));
    first.flush();

    AgentSession second =
        bench().restart(AgentTuning.PATIENT, first.listener().resumePoint(), ORDERS);

    assertThat(second.progressOf(ORDERS)).isInstanceOf(ChangesPublished.class);
    ChangesPublished progress = (ChangesPublished) second.progressOf(ORDERS);
    assertThat(progress.position().order()).isEqualTo(13);
    assertThat(progress.complete()).isTrue();
  }

  @Test
  default void anInterruptedSnapshotIsTakenAgainWithoutDoublingRows() throws InterruptedException {
    takenAgainAfterCrash(ORDERS);
  }

  @Test
  default void anInterruptedSnapshotOfAKeylessTableIsTakenAgainWithoutDoublingRows()
      throws InterruptedException {
    takenAgainAfterCrash(LOG);
  }

  private void takenAgainAfterCrash(TableSchema table) throws InterruptedException {
    AgentTuning tuning = AgentTuning.PATIENT.withRowsPerFile(5);
    AgentSession first = bench().open(tuning, table);
    SnapshotWriter writer = first.beginSnapshot(table, "s1", 10);
    first.writePages(writer, table, rows(table, 1, 30));

    AgentSession second = bench().restart(tuning, ResumePoint.NONE, table);
    assertThat(second.progressOf(table))
        .isInstanceOfAny(SnapshotUnfinished.class, NothingPublished.class);
    second.snapshot(table, "s2", 20, rows(table, 3, 40));

    bench().assertHolds(table, Rows.ofSource(rows(table, 3, 40)));
  }

  /** Several times, because a file may be on its way at any step when the snapshot is aborted. */
  @RepeatedTest(20)
  default void anAbortedSnapshotIsTakenAgainInTheSameRunWithoutDoublingRows()
      throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT.withRowsPerFile(5), ORDERS, LOG);
    SnapshotWriter aborted = session.beginSnapshot(ORDERS, "s1", 10);
    session.writePages(aborted, ORDERS, rows(ORDERS, 1, 30));

    aborted.abort();
    aborted.abort();
    session.snapshot(ORDERS, "s2", 20, rows(ORDERS, 3, 40));

    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 3, 40)));
  }

  @Test
  default void anAbortedSnapshotThatPublishedNothingLeavesTheTableAsItWas()
      throws InterruptedException {
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);

    session.beginSnapshot(ORDERS, "s1", 10).abort();
    session.snapshot(ORDERS, "s2", 10, rows(ORDERS, 1, 2));

    bench().assertHolds(ORDERS, Rows.ofSource(rows(ORDERS, 1, 2)));
  }

  @Test
  default void aColumnAddedWhileTheSnapshotRunsIsFollowed() throws InterruptedException {
    TableSchema wider = SchemaContract.withColumn(ORDERS, "note");
    AgentSession session = bench().open(AgentTuning.PATIENT, ORDERS);
    SnapshotWriter writer = session.beginSnapshot(ORDERS, "s1", 10);

    session.writePages(writer, ORDERS, rows(ORDERS, 1, 3));
    writer.write(ColumnBatches.of(SourceRow.of(wider, 4, "row 4", "with a note")));
    writer.finish();

    ReferenceModel model = new ReferenceModel();
    model.snapshot(ORDERS, rows(ORDERS, 1, 3));
    model.snapshot(wider, List.of(SourceRow.of(wider, 4, "row 4", "with a note")));
    bench().assertShows(model, wider);
  }
}
