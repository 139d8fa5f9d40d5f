package io.corehub.cycles;

import static io.corehub.cycles.Job.ORDERS;
import static io.corehub.cycles.Job.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.AgentException;
import io.corehub.agent.ErrorCode;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

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
}
