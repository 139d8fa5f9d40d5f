package io.corehub.cycles;

import static io.corehub.cycles.Job.CUSTOMERS;
import static io.corehub.cycles.Job.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.CommitBatch;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Truncate;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table that stops within a commit keeps all of the commits before it, and nothing of it. */
class StoppedInCommitTest {

  private final Job job = new Job();

  /** A truncation stops a table, until the setting is another. */
  @BeforeEach
  void refuseTruncations() {
    job.settings.put("truncateInIncremental", "fail");
  }

  private static Insert order(int id) {
    return new Insert(SourceRow.of(ORDERS, id, "NEW", "10.00"));
  }

  private static Insert customer(int id) {
    return new Insert(SourceRow.of(CUSTOMERS, id, "Ann"));
  }

  private List<String> orders() {
    return job.consumed().tables().get("orders").lines().stream()
        .map(line -> line.op() + line.sequence().substring(17))
        .toList();
  }

  @Test
  void rowsBeforeTheEventThatStopsItGo() throws InterruptedException {
    SourceCommit before = SourceCommit.at(101, order(1), customer(1));
    SourceCommit stopping = SourceCommit.at(102, order(2), new Truncate(ORDERS), order(3));
    try (job) {
      job.start(ORDERS, CUSTOMERS);
      job.apply(before, stopping, SourceCommit.at(103, customer(2)));
      job.agent.flush();
      assertThat(job.listener.stopOf(ORDERS.table())).isPresent();
      assertThat(orders()).containsExactly("I101000000000001");

      job.settings.put("truncateInIncremental", "write");
      job.restart(ORDERS, CUSTOMERS);
      job.apply(before, stopping, SourceCommit.at(103, customer(2)));
      job.agent.flush();
      job.awaitConfirmed(103);

      assertThat(orders())
          .containsExactly(
              "I101000000000001", "I102000000000001", "T102000000000002", "I102000000000003");
    }
  }

  @Test
  void theEndOfACommitThatCameInPartsStaysWhenTheNextOneStopsIt() throws InterruptedException {
    CommitBatch begun =
        CommitBatches.parts(SourceCommit.at(101, order(1), order(2)), 1, BeforeImage.FULL).get(0);
    CommitBatch rest =
        CommitBatches.of(
            List.of(
                SourceCommit.at(101, order(2)),
                SourceCommit.at(102, new Truncate(ORDERS)),
                SourceCommit.at(103, customer(1))),
            BeforeImage.FULL);
    try (job) {
      job.start(ORDERS, CUSTOMERS);
      job.agent.apply(begun);
      job.agent.apply(new CommitBatch(rest.commits(), rest.events(), false));
      job.apply(SourceCommit.at(103, customer(2)));
      job.agent.flush();

      assertThat(job.listener.stopOf(ORDERS.table())).isPresent();
      assertThat(orders()).containsExactly("I101000000000001", "I101000000000002");
    }
  }
}
