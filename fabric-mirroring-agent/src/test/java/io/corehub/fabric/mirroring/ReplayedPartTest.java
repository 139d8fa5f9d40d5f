package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A commit of which a part was published is gone on with only if it is the same commit. */
class ReplayedPartTest {

  private static SourceCommit commit(String second) {
    return SourceCommit.at(
        7,
        new Insert(SourceRow.of(LOG, 1, "first")),
        new Insert(SourceRow.of(LOG, 2, second)),
        new Insert(SourceRow.of(LOG, 3, "third")),
        new Insert(SourceRow.of(LOG, 4, "fourth")));
  }

  private static AgentRun withPublishedHalf() throws InterruptedException {
    AgentRun run = new AgentRun().open(LOG);
    run.agent().apply(CommitBatches.parts(commit("second"), 2, BeforeImage.FULL).get(0));
    run.agent().flush();
    assertThat(run.tables.rows(LOG.table()).orElseThrow().count()).isEqualTo(2);
    return run;
  }

  @Test
  void theSameCommitIsCompleted() throws InterruptedException {
    try (AgentRun first = withPublishedHalf();
        AgentRun second = first.successor().open(LOG)) {
      second.publish(commit("second"));

      assertThat(second.listener.stoppedTables()).isEmpty();
      assertThat(second.tables.rows(LOG.table()).orElseThrow().count()).isEqualTo(4);
    }
  }

  @Test
  void anotherCommitAtItsPositionStopsTheTableAndNothingIsWritten() throws InterruptedException {
    try (AgentRun first = withPublishedHalf();
        AgentRun second = first.successor().open(LOG)) {
      second.publish(commit("filtered otherwise"));

      TableStoppedException stop = second.listener.awaitStop(LOG.table(), AgentRun.PATIENCE);
      assertThat(stop.code()).isEqualTo(ErrorCode.CONFLICT);
      assertThat(stop)
          .hasMessageContaining("Table shop.log: a part of commit")
          .hasMessageContaining("is not the same")
          .hasMessageContaining("Were columns or tables selected otherwise since?");
      assertThat(second.tables.rows(LOG.table()).orElseThrow().count()).isEqualTo(2);
    }
  }

  /** The source lost the commit, or some of its rows: what is published would be too much. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aCommitThatComesWithFewerRowsThanArePublishedStopsTheTableAtTheNext(int rows)
      throws InterruptedException {
    try (AgentRun first = withPublishedHalf();
        AgentRun second = first.successor().open(LOG)) {
      if (rows > 0) {
        second.publish(SourceCommit.at(7, new Insert(SourceRow.of(LOG, 1, "first"))));
      }
      second.publish(SourceCommit.at(8, new Insert(SourceRow.of(LOG, 9, "next"))));

      TableStoppedException stop = second.listener.awaitStop(LOG.table(), AgentRun.PATIENCE);
      assertThat(stop.code()).isEqualTo(ErrorCode.CONFLICT);
      assertThat(stop).hasMessageContaining("what the source delivers again is not the same");
      assertThat(second.tables.rows(LOG.table()).orElseThrow().count()).isEqualTo(2);
    }
  }
}
