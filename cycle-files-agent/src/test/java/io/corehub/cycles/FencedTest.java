package io.corehub.cycles;

import static io.corehub.cycles.Job.ORDERS;
import static io.corehub.cycles.Job.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.AgentException;
import io.corehub.agent.ErrorCode;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two live runs of one job: the newer one writes on, the older one makes nothing visible. */
class FencedTest {

  private static SourceCommit insert(long order) {
    return SourceCommit.at(order, new Insert(WorkedExampleTest.order((int) order, "NEW", "1.00")));
  }

  @Test
  void theOlderOfTwoRunsStopsBeforeItsCycleIsVisible() throws InterruptedException {
    try (Job older = new Job()) {
      older.start(ORDERS);
      older.apply(insert(101));
      try (Job newer = new Job(older.files, at("10:00:01"))) {
        newer.start(ORDERS);
        older.agent.flush();

        AgentException stop = older.listener.awaitAgentStop(Duration.ofSeconds(30));
        assertThat(stop.code()).isEqualTo(ErrorCode.FENCED);
        assertThat(stop).hasMessageContaining("WRITER_FENCED").hasMessageContaining("_writer");
        assertThat(older.consumed().cycles()).isEmpty();
        assertThat(older.listener.lastConfirmed()).isEmpty();

        newer.apply(insert(101));
        newer.agent.flush();
        newer.awaitConfirmed(101);
        assertThat(newer.consumed().tables().get("orders").lines()).hasSize(1);
      }
    }
  }

  /** Going on would leave a folder that looks whole and lacks what was deleted. */
  @Test
  void aJobWhoseFolderIsDeletedStops() throws InterruptedException {
    try (Job job = new Job()) {
      job.start(ORDERS);
      job.apply(insert(101));
      job.agent.flush();
      job.awaitConfirmed(101);
      job.client().delete("Files/cdc/sales_cdc", true);

      job.apply(insert(102));
      job.agent.flush();

      AgentException stop = job.listener.awaitAgentStop(Duration.ofSeconds(30));
      assertThat(stop.code()).isEqualTo(ErrorCode.CONFLICT);
      assertThat(stop)
          .hasMessageContaining("_writer/000000001.json")
          .hasMessageContaining("deleted");
      assertThat(job.listener.lastConfirmed().orElseThrow().order()).isEqualTo(101);
      assertThat(job.consumed().cycles()).isEmpty();
    }
  }

  private static void assertFenced(Job older) {
    AgentException stop = older.listener.awaitAgentStop(Duration.ofSeconds(30));
    assertThat(stop.code()).isEqualTo(ErrorCode.FENCED);
  }

  /** Names have seconds, so that the cycles of two runs may have the same. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theNewerWritesOnThoughBothOpenACycleInTheSameSecond(boolean olderFirst)
      throws InterruptedException {
    try (Job older = new Job();
        Job newer = new Job(older.files, at("10:00:00"))) {
      older.start(ORDERS);
      older.apply(insert(101));
      newer.start(ORDERS);
      newer.apply(insert(101), insert(102));
      for (Job ends : olderFirst ? List.of(older, newer) : List.of(newer, older)) {
        ends.agent.flush();
      }

      assertFenced(older);
      newer.awaitConfirmed(102);
      assertThat(newer.consumed().tables().get("orders").lines()).hasSize(2);
      assertThat(newer.listener.agentStops()).isEmpty();
    }
  }

  @Test
  void anOlderCycleWithoutFilesDoesNotTakeItsNameFromTheNewer() throws InterruptedException {
    try (Job older = new Job();
        Job newer = new Job(older.files, at("10:00:00"))) {
      older.settings.put("emptyCycles", "write");
      older.start(ORDERS);
      newer.start(ORDERS);
      newer.apply(insert(101));
      older.time.turnTo(at("10:01:00"));
      assertFenced(older);

      newer.agent.flush();
      newer.awaitConfirmed(101);
      assertThat(newer.consumed().cycles()).containsExactly("2026-11-29-10-00-00");
    }
  }
}
