package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableStoppedException;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Whose folder it is when two runs of a pipeline are alive, and whose last commit is missing. */
class OwnershipTest {

  /** Another run of the pipeline that is alive at the same time. */
  private static AgentRun rival(AgentRun run) {
    AgentRun rival = new AgentRun(run.fileSystem);
    rival.settings.putAll(run.settings);
    rival.tableSettings.putAll(run.tableSettings);
    rival.epoch = run.epoch + 1;
    return rival;
  }

  @Test
  void aFolderFilledAnewUpToTheSameNumberIsNotTakenForTheOldOne() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(LOG);
        AgentRun rival = rival(run)) {
      run.publish(insert(LOG, 1));
      run.fileSystem.client().delete(run.tables.folder(LOG.table()), true);
      rival.open(LOG).publish(insert(LOG, 1));
      run.now.updateAndGet(now -> now.plusSeconds(11));

      run.apply(insert(LOG, 2));

      assertThat(run.listener.awaitStop(LOG.table(), AgentRun.PATIENCE).code())
          .isEqualTo(ErrorCode.FENCED);
      assertThat(run.tables.names(LOG.table())).hasSize(1);
    }
  }

  @Test
  void aLookIsAsOldAsTheRequestThatMadeIt() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.publish(insert(LOG, 1));
      try (AgentRun second = first.successor()) {
        second.script.before(
            Operation.READ, "/", () -> second.now.updateAndGet(now -> now.plusSeconds(11)));
        second.open(LOG);
        second.script.take();

        second.publish(insert(LOG, 2));

        assertThat(second.script.take()).startsWith("LIST log");
      }
    }
  }

  /** A hub that lost its state counts from the start, and is the newer writer all the same. */
  @Test
  void aRunIsNewerThanTheOneWhoseFileIsTheLastWhateverItsHostCounts() throws InterruptedException {
    try (AgentRun first = new AgentRun()) {
      first.epoch = 7;
      first.open(LOG).publish(insert(LOG, 1));
      try (AgentRun second = first.successor()) {
        second.epoch = 0;
        second.open(LOG).publish(insert(LOG, 2));

        assertThat(second.tables.files(LOG.table()).values())
            .extracting(file -> file.chain().epoch())
            .containsExactly(7L, 8L);
      }
    }
  }

  @Test
  void aCreateOfUnknownOutcomeIsRepeatedUnderAnotherName() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(LOG)) {
      run.script.fail(Operation.CREATE, "/_0", true, 1, DfsException.Kind.TIMEOUT, true);

      run.publish(insert(LOG, 1));

      assertThat(run.tables.names(LOG.table())).hasSize(1);
      assertThat(run.tables.entries(LOG.table())).filteredOn(FileName::isTemporary).hasSize(1);
    }
  }

  @Test
  void anEarlierRunIsShutOutBeforeItsUnfinishedSnapshotIsDeleted() throws InterruptedException {
    try (AgentRun run = new AgentRun().withTable("parquetMaxRowCount", "1").open(ORDERS);
        AgentRun rival = rival(run)) {
      SnapshotWriter old = run.begin(ORDERS, "s1", 10);
      old.write(ColumnBatches.of(ORDERS, AgentRun.rows(ORDERS, 1, 2)));
      awaitFile(run);
      rival.script.onSleep(() -> run.now.updateAndGet(now -> now.plusSeconds(11)));

      rival.open(ORDERS).snapshot(ORDERS, "s2", 20, AgentRun.rows(ORDERS, 1, 3));
      old.write(ColumnBatches.of(ORDERS, AgentRun.rows(ORDERS, 3, 4)));
      run.listener.awaitStop(ORDERS.table(), AgentRun.PATIENCE);

      assertThat(rival.tables.rows(ORDERS.table()))
          .contains(Rows.ofSource(AgentRun.rows(ORDERS, 1, 3)));
    }
  }

  static void awaitFile(AgentRun run) {
    long deadline = System.nanoTime() + AgentRun.PATIENCE.toNanos();
    while (run.tables.names(ORDERS.table()).isEmpty()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  @Test
  void aSnapshotThatAnotherRunFinishedMeanwhileIsNotStartedOver() throws InterruptedException {
    try (AgentRun run = new AgentRun().withTable("parquetMaxRowCount", "1").open(ORDERS);
        AgentRun rival = rival(run)) {
      SnapshotWriter writer = run.begin(ORDERS, "s1", 10);
      writer.write(ColumnBatches.of(ORDERS, AgentRun.rows(ORDERS, 1, 2)));
      awaitFile(run);
      rival.open(ORDERS);
      rival.script.before(Operation.LIST, "orders", writer::finish);

      TableStoppedException stop =
          catchThrowableOfType(TableStoppedException.class, () -> rival.begin(ORDERS, "s2", 20));

      assertThat(stop).hasMessageContaining("finished");
      assertThat(run.tables.rows(ORDERS.table()))
          .contains(Rows.ofSource(AgentRun.rows(ORDERS, 1, 2)));
    }
  }

  @Test
  void aFenceInAFolderThatWasDeletedMeanwhileIsTakenAway() throws InterruptedException {
    try (AgentRun run = new AgentRun().withTable("parquetMaxRowCount", "1").open(ORDERS);
        AgentRun rival = rival(run)) {
      run.begin(ORDERS, "s1", 10).write(ColumnBatches.of(ORDERS, AgentRun.rows(ORDERS, 1, 2)));
      awaitFile(run);
      rival.open(ORDERS);
      String folder = run.tables.folder(ORDERS.table());
      rival.script.before(
          Operation.CREATE, "/_0", () -> run.fileSystem.client().delete(folder, true));

      TableStoppedException stop =
          catchThrowableOfType(TableStoppedException.class, () -> rival.begin(ORDERS, "s2", 20));

      assertThat(stop.code()).isEqualTo(ErrorCode.CONFLICT);
      assertThat(stop).hasMessageContaining("deleted folder " + folder + " at the same moment");
      assertThat(run.tables.names(ORDERS.table())).isEmpty();
    }
  }

  @Test
  void aFolderThatIsToGoIsKnownFromOneMadeAnew() {
    UUID life = new UUID(0, 1);
    Remembered.Ending decided = new Remembered.Ending(Optional.of(life), Optional.of("e1"));
    Remembered.Ending lifeless = new Remembered.Ending(Optional.empty(), Optional.of("e1"));
    Remembered.Ending gone = new Remembered.Ending(Optional.empty(), Optional.empty());

    assertThat(decided.replacedBy(decided)).isFalse();
    assertThat(decided.replacedBy(lifeless)).as("half deleted").isFalse();
    assertThat(decided.replacedBy(gone)).as("deleted").isFalse();
    assertThat(decided.replacedBy(new Remembered.Ending(Optional.empty(), Optional.of("e2"))))
        .isTrue();
    assertThat(
            decided.replacedBy(new Remembered.Ending(Optional.of(new UUID(0, 2)), decided.etag())))
        .isTrue();
    assertThat(lifeless.replacedBy(decided)).as("filled by another run").isTrue();
    assertThat(gone.replacedBy(lifeless)).isTrue();
  }

  /** The rest of the commit had no row for the table, so no later file says that it is whole. */
  @Test
  void aCommitThatWasConfirmedIsWholeWhateverTheLastFileSays() throws InterruptedException {
    try (AgentRun first = new AgentRun().with("cdcBatchRows", "1").open(ORDERS, LOG)) {
      SourceCommit commit =
          SourceCommit.at(
              10,
              new Insert(SourceRow.of(ORDERS, 1, "a")),
              new Insert(SourceRow.of(ORDERS, 2, "b")),
              new Insert(SourceRow.of(LOG, 1, "c")));
      for (CommitBatch part : CommitBatches.parts(commit, 1, BeforeImage.FULL)) {
        first.agent().apply(part);
      }
      first.agent().flush();
      first.listener.awaitConfirmed(SourceCommit.positionAt(10), AgentRun.PATIENCE);
      try (AgentRun second = first.successor()) {
        second.open(first.listener.resumePoint(), ORDERS, LOG);

        second.publish(insert(ORDERS, 20));

        assertThat(second.tables.rows(ORDERS.table()).orElseThrow().count()).isEqualTo(3);
      }
    }
  }
}
