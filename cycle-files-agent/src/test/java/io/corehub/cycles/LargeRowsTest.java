package io.corehub.cycles;

import static io.corehub.cycles.Job.CUSTOMERS;
import static io.corehub.cycles.Job.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableStoppedException;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Update;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import org.junit.jupiter.api.Test;

/** A row whose columns are too large together is refused by name, before it is encoded. */
class LargeRowsTest {

  /** An eighth of the heap. */
  private static final int LIMIT = 2 << 20;

  private static Job job() {
    Job job = new Job();
    job.heapBytes = 8L * LIMIT;
    return job;
  }

  private static SourceRow order(int id, int bytes) {
    return SourceRow.of(ORDERS, id, "x".repeat(bytes), "10.00");
  }

  @Test
  void inAChangeItStopsItsTableAloneAndWhatCameBeforeIsVisible() throws InterruptedException {
    try (Job job = job()) {
      job.start(ORDERS, CUSTOMERS);
      job.apply(
          SourceCommit.at(101, new Insert(order(1, 10))),
          SourceCommit.at(102, new Insert(order(2, LIMIT))),
          SourceCommit.at(103, new Insert(SourceRow.of(CUSTOMERS, 1, "Ann"))));
      job.agent.flush();

      TableStoppedException stop = job.listener.stoppedTables().get(0);
      assertThat(stop.code()).isEqualTo(ErrorCode.VALUE_REFUSED);
      assertThat(stop)
          .hasMessageStartingWith(
              "Table sales.orders, key order_id=2: the columns of the row hold ")
          .hasMessageContaining(" at most 2097152 can be written with a heap of 16 MB.");
      assertThat(job.consumed().tables().get("orders").lines()).hasSize(1);
      assertThat(job.consumed().tables().get("customers").lines()).hasSize(1);
    }
  }

  @Test
  void theOldRowOfAnUpdateCountsToo() throws InterruptedException {
    try (Job job = job()) {
      job.start(ORDERS);
      SourceRow before = order(1, LIMIT / 2);
      job.apply(
          SourceCommit.at(101, new Insert(before)),
          SourceCommit.at(102, new Update(before, order(1, LIMIT / 2 - 1))));
      job.agent.flush();

      assertThat(job.listener.stoppedTables().get(0))
          .hasMessageStartingWith(
              "Table sales.orders, key order_id=1: the columns of the row hold ");
    }
  }

  /**
   * What was written of the commit is given up, so it was not applied: it comes again as a whole.
   */
  @Test
  void inTheMiddleOfACommitInPartsItLosesNothingOfIt() throws InterruptedException {
    try (Job job = job()) {
      SourceCommit commit =
          SourceCommit.at(
              102,
              new Insert(order(2, 10)),
              new Insert(order(3, LIMIT)),
              new Insert(SourceRow.of(CUSTOMERS, 1, "Ann")));
      job.start(ORDERS, CUSTOMERS);
      job.apply(SourceCommit.at(101, new Insert(order(1, 10))));
      job.agent.flush();
      for (CommitBatch part : CommitBatches.parts(commit, 1, BeforeImage.FULL)) {
        job.agent.apply(part);
      }
      job.agent.flush();
      assertThat(job.listener.stoppedTables()).hasSize(1);
      assertThat(job.consumed().tables().get("orders").lines()).hasSize(1);
      assertThat(job.consumed().tables().get("customers").lines()).hasSize(1);

      job.heapBytes = 1L << 30;
      job.restart(ORDERS, CUSTOMERS);
      job.apply(commit);
      job.agent.flush();

      assertThat(job.consumed().tables().get("orders").lines()).hasSize(3);
      assertThat(job.consumed().tables().get("customers").lines()).hasSize(1);
    }
  }

  @Test
  void inALoadItStopsItsTable() throws InterruptedException {
    try (Job job = job()) {
      job.settings.put("loadType", "COMBINED");
      job.start(ORDERS);
      SnapshotWriter load =
          job.agent.beginSnapshot(
              ORDERS.table(), new SnapshotStart("s1", SourceCommit.positionAt(100)));

      assertThatThrownBy(() -> load.write(ColumnBatches.of(order(1, 10), order(2, LIMIT))))
          .isInstanceOf(TableStoppedException.class)
          .hasMessageStartingWith(
              "Table sales.orders, key order_id=2: the columns of the row hold ");
    }
  }
}
