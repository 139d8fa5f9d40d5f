package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.AgentException;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.HandedOver;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.Successor;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tables that one pipeline hands over and another one goes on with (decision C7). */
class SuccessionTest {

  private static final Successor CONNECT = new Successor("connect", Optional.empty());

  /** A later run of the pipeline, or of another one, with what the host remembers of it. */
  private static AgentRun later(AgentRun run, String pipeline) {
    AgentRun next = run.successor();
    next.pipeline = pipeline;
    return next;
  }

  private static List<HandedOver> handOver(AgentRun run, Successor to) throws InterruptedException {
    try (AgentRun visit = later(run, run.pipeline)) {
      return visit.open(run.listener.resumePoint()).agent().handOver(to);
    }
  }

  private static AgentRun published() throws InterruptedException {
    AgentRun run = new AgentRun().open(LOG, ORDERS);
    run.snapshot(ORDERS, "s1", 1, AgentRun.rows(ORDERS, 1, 3));
    run.publish(insert(LOG, 2), insert(ORDERS, 10), insert(LOG, 11));
    run.listener.awaitConfirmed(SourceCommit.positionAt(11), AgentRun.PATIENCE);
    return run;
  }

  private static SourceCommit insertAt(SourcePosition position) {
    SourceCommit commit = insert(LOG, (int) position.order());
    return new SourceCommit(Commit.at(position), commit.changes());
  }

  private static ChainEntry lastEntry(AgentRun run, TableSchema table) {
    List<LandedFile> files = List.copyOf(run.tables.files(table.table()).values());
    return files.get(files.size() - 1).chain();
  }

  @Test
  void theSuccessorAloneGoesOnBehindWhatIsConfirmed() throws InterruptedException {
    try (AgentRun run = published()) {
      List<HandedOver> handed = handOver(run, CONNECT);

      assertThat(handed)
          .extracting(one -> one.table())
          .containsExactly(LOG.table(), ORDERS.table());
      assertThat(handed).allMatch(one -> one.begin().order() == 12 && !one.earlier());
      ChainEntry entry = lastEntry(run, ORDERS);
      assertThat(entry.rows()).isZero();
      assertThat(entry.next())
          .contains(new ChainEntry.Next("connect", SourceCommit.positionAt(1).timeline(), 12));
      try (AgentRun old = later(run, "shop")) {
        old.open(run.listener.resumePoint(), LOG, ORDERS);
        assertThat(old.progress(LOG)).isInstanceOf(TableProgress.Stopped.class);
        assertThat(((TableProgress.Stopped) old.progress(LOG)).reason())
            .hasMessageContaining("handed over to pipeline 'connect'");
      }
      try (AgentRun third = later(run, "third")) {
        third.open(LOG);
        assertThat(third.progress(LOG)).isInstanceOf(TableProgress.Stopped.class);
      }
      try (AgentRun next = later(run, "connect")) {
        next.open(LOG, ORDERS);
        assertThat(next.progress(ORDERS))
            .isEqualTo(
                new TableProgress.ChangesPublished(
                    new SourcePosition(SourceCommit.positionAt(11).timeline(), 11, ""), true));

        // Its source is read from the start.
        next.publish(insert(LOG, 2), insert(ORDERS, 10), insert(LOG, 11), insert(LOG, 12));

        assertThat(next.tables.rows(LOG.table()).orElseThrow().count()).isEqualTo(3);
        assertThat(next.tables.rows(ORDERS.table()).orElseThrow().count()).isEqualTo(4);
      }
    }
  }

  @Test
  void nobodyElseDeletesWhatAnotherPipelineGoesOnWith() throws InterruptedException {
    try (AgentRun run = published()) {
      handOver(run, CONNECT);
      assertNotDeletedBy(run, "shop", "was handed over to pipeline 'connect'");
      try (AgentRun next = later(run, "connect")) {
        next.open(LOG, ORDERS);
        next.publish(insert(LOG, 2), insert(ORDERS, 10), insert(LOG, 11), insert(ORDERS, 12));
      }
      assertNotDeletedBy(run, "shop", "belongs to pipeline 'connect', and this is 'shop'");
      assertThat(run.tables.rows(ORDERS.table()).orElseThrow().count()).isEqualTo(5);
    }
  }

  private static void assertNotDeletedBy(AgentRun run, String pipeline, String why)
      throws InterruptedException {
    try (AgentRun other = later(run, pipeline).withTable("snapshotOntoExistingTable", "recreate")) {
      other.open(run.listener.resumePoint(), ORDERS);
      assertThatThrownBy(() -> other.agent().recreateTable(ORDERS.table()))
          .isInstanceOf(TableStoppedException.class)
          .hasMessageContainingAll(why, "delete the folder", "yourself");
      assertThat(other.progress(ORDERS)).isInstanceOf(TableProgress.Stopped.class);
    }
    assertThat(later(run, pipeline).create().look(run.listener.resumePoint()))
        .filteredOn(status -> status.table().equals(ORDERS.table()))
        .singleElement()
        .matches(status -> status.state() == TableStatus.State.STOPPED)
        .matches(status -> status.problem().orElse("").contains(why));
  }

  @Test
  void theSuccessorMayCountOtherwise() throws InterruptedException {
    try (AgentRun run = published()) {
      SourcePosition begin = new SourcePosition("kafka", 5, "");

      handOver(run, new Successor("connect", Optional.of(begin)));

      assertThat(lastEntry(run, LOG).next()).contains(new ChainEntry.Next("connect", "kafka", 5));
      try (AgentRun next = later(run, "connect")) {
        next.open(LOG);
        SourceCommit before = insertAt(new SourcePosition("kafka", 4, ""));
        SourceCommit first = insertAt(begin);
        next.publish(before, first);
        assertThat(next.tables.rows(LOG.table()).orElseThrow().count()).isEqualTo(3);
      }
    }
  }

  @Test
  void itMayBeHandedBack() throws InterruptedException {
    try (AgentRun run = published()) {
      handOver(run, CONNECT);
      try (AgentRun next = later(run, "connect").open(LOG)) {
        next.publish(insert(LOG, 12));
        next.listener.awaitConfirmed(SourceCommit.positionAt(12), AgentRun.PATIENCE);
        handOver(next, new Successor("shop", Optional.empty()));

        try (AgentRun back = later(next, "shop")) {
          back.open(run.listener.resumePoint(), LOG);
          back.publish(insert(LOG, 12), insert(LOG, 13));

          assertThat(back.tables.rows(LOG.table()).orElseThrow().count()).isEqualTo(4);
        }
      }
    }
  }

  @Test
  void nothingIsHandedOverWhileOneTableIsNotWhole() throws InterruptedException {
    try (AgentRun run = new AgentRun().with("cdcBatchRows", "1").open(LOG, ORDERS)) {
      run.publish(insert(LOG, 2));
      SourceCommit commit =
          SourceCommit.at(
              10,
              new Insert(SourceRow.of(ORDERS, 1, "a")),
              new Insert(SourceRow.of(ORDERS, 2, "b")));
      run.agent().apply(CommitBatches.parts(commit, 1, BeforeImage.FULL).get(0));
      run.agent().flush();

      assertThatThrownBy(() -> handOver(run, CONNECT))
          .isInstanceOf(ActionRequiredException.class)
          .hasMessageContaining("Table " + ORDERS.table() + ": commit 10 stands there in part");
      assertThat(lastEntry(run, LOG).next()).isEmpty();
    }
  }

  @Test
  void anUnfinishedSnapshotIsNotHandedOver() throws InterruptedException {
    try (AgentRun run = new AgentRun().withTable("parquetMaxRowCount", "1").open(ORDERS)) {
      run.begin(ORDERS, "s1", 1).write(ColumnBatches.of(ORDERS, AgentRun.rows(ORDERS, 1, 2)));
      OwnershipTest.awaitFile(run);

      assertThatThrownBy(() -> handOver(run, CONNECT))
          .isInstanceOf(ActionRequiredException.class)
          .hasMessageContaining("its snapshot is not finished");
    }
  }

  @Test
  void whatIsLostOfAFolderIsNotHandedOver() throws InterruptedException {
    try (AgentRun run = published()) {
      run.fileSystem.client().delete(run.tables.folder(LOG.table()), true);

      assertThatThrownBy(() -> handOver(run, CONNECT))
          .hasMessageContaining("Table " + LOG.table() + ": folder")
          .hasMessageContaining("lost its files");
      assertThat(lastEntry(run, ORDERS).next()).isEmpty();
    }
  }

  @Test
  void aHubThatLostItsStateHandsOverWhatTheFoldersTell() throws InterruptedException {
    try (AgentRun run = published();
        AgentRun visit = later(run, "shop")) {
      List<HandedOver> handed = visit.open(ResumePoint.NONE).agent().handOver(CONNECT);

      assertThat(handed).extracting(one -> one.begin().order()).containsExactly(12L, 11L);
    }
  }

  @Test
  void anotherPipelinesTablesAreLeftAlone() throws InterruptedException {
    try (AgentRun run = published()) {
      try (AgentRun other = later(run, "other")) {
        assertThat(other.open().agent().handOver(CONNECT)).isEmpty();
      }
      assertThat(lastEntry(run, LOG).next()).isEmpty();
    }
  }

  @Test
  void nobodyHandsOverToItself() throws InterruptedException {
    try (AgentRun run = published()) {
      assertThatThrownBy(() -> handOver(run, new Successor("shop", Optional.empty())))
          .isInstanceOf(ActionRequiredException.class)
          .hasMessageContaining("writes these tables already");
    }
  }

  @Test
  void aRunThatIsStillAliveIsShutOut() throws InterruptedException {
    try (AgentRun run = published()) {
      try (AgentRun visit = new AgentRun(run.fileSystem)) {
        visit.epoch = 2;
        visit.open(run.listener.resumePoint()).agent().handOver(CONNECT);
      }

      run.apply(insert(LOG, 12));

      assertThat(run.listener.awaitStop(LOG.table(), AgentRun.PATIENCE).code())
          .isEqualTo(ErrorCode.FENCED);
    }
  }

  @Test
  void whereverItDiesTheNextCallCarriesItToItsEnd() throws InterruptedException {
    for (int requests = 1; ; requests++) {
      try (AgentRun run = published()) {
        boolean died;
        try (AgentRun visit = later(run, "shop")) {
          visit.open(run.listener.resumePoint());
          visit.script.dieAfter(requests);
          died = diesHandingOver(visit);
        }
        List<HandedOver> handed = handOver(run, CONNECT);

        assertThat(handed).as("after %d requests", requests).hasSize(2);
        assertThat(run.tables.names(LOG.table())).hasSize(3);
        assertThat(run.tables.names(ORDERS.table())).hasSize(3);
        if (!died) {
          assertThat(handed).allMatch(HandedOver::earlier);
          return;
        }
      }
    }
  }

  private static boolean diesHandingOver(AgentRun visit) throws InterruptedException {
    try {
      visit.agent().handOver(CONNECT);
      return false;
    } catch (AgentException dead) {
      return true;
    }
  }

  @Test
  void aBatchBehindTheHandoverIsTakenInParts() throws InterruptedException {
    try (AgentRun run = published()) {
      handOver(run, CONNECT);
      try (AgentRun next = later(run, "connect").with("cdcBatchRows", "1").open(LOG)) {
        SourceCommit commit =
            SourceCommit.at(
                12, new Insert(SourceRow.of(LOG, 1, "a")), new Insert(SourceRow.of(LOG, 2, "b")));
        for (CommitBatch part : CommitBatches.parts(commit, 1, BeforeImage.FULL)) {
          next.agent().apply(part);
        }
        next.agent().flush();

        assertThat(next.tables.rows(LOG.table()).orElseThrow().count()).isEqualTo(4);
      }
    }
  }
}
