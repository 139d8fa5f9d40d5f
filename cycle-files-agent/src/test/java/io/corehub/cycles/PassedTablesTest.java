package io.corehub.cycles;

import static io.corehub.cycles.Job.CUSTOMERS;
import static io.corehub.cycles.Job.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableStoppedException;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Truncate;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import org.junit.jupiter.api.Test;

/** Tables that the confirmed position went on without. */
class PassedTablesTest {

  private static Insert order(int id) {
    return new Insert(SourceRow.of(ORDERS, id, "NEW", "10.00"));
  }

  private static Insert customer(int id) {
    return new Insert(SourceRow.of(CUSTOMERS, id, "Ann"));
  }

  /** A truncation stops a table here, whatever stands of it. */
  private static Job job() {
    Job job = new Job();
    job.settings.put("truncateInIncremental", "fail");
    job.settings.put("stoppedTablePolicy", "release");
    return job;
  }

  private static void apply(Job job, SourceCommit commit, long order) throws InterruptedException {
    job.apply(commit);
    job.agent.flush();
    job.awaitConfirmed(order);
  }

  private static long orders(Job job) {
    return job.consumed().tables().get("orders").lines().stream()
        .filter(line -> line.op().equals("I"))
        .count();
  }

  @Test
  void oneOfWhichNothingStandsBeginsAtTheNextStart() throws InterruptedException {
    try (Job job = job()) {
      job.start(ORDERS, CUSTOMERS);
      apply(job, SourceCommit.at(101, new Truncate(ORDERS), customer(1)), 101);
      assertThat(job.listener.stoppedTables()).hasSize(1);

      job.restart(ORDERS, CUSTOMERS);
      assertThat(job.progress.get(ORDERS.table())).isNotInstanceOf(TableProgress.Stopped.class);
      apply(job, SourceCommit.at(102, order(1)), 102);

      job.restart(ORDERS, CUSTOMERS);
      assertThat(job.progress.get(ORDERS.table())).isNotInstanceOf(TableProgress.Stopped.class);
      assertThat(orders(job)).isEqualTo(1);
    }
  }

  @Test
  void anIncrementalJobNeverGoesOnBehindAGapThatItsConsumersCannotSee()
      throws InterruptedException {
    try (Job job = job()) {
      job.start(ORDERS, CUSTOMERS);
      apply(job, SourceCommit.at(101, order(1)), 101);
      apply(job, SourceCommit.at(102, new Truncate(ORDERS), customer(1)), 102);

      job.restart(ORDERS, CUSTOMERS);

      TableStoppedException stop =
          ((TableProgress.Stopped) job.progress.get(ORDERS.table())).reason();
      assertThat(stop.code()).isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
      assertThat(stop)
          .hasMessageContaining("Table sales.orders: the others went on without it")
          .hasMessageContaining("choose a new taskTargetDirectory, with loadType COMBINED");
      assertThatThrownBy(() -> job.agent.recreateTable(ORDERS.table()))
          .isInstanceOf(TableStoppedException.class)
          .hasMessageContaining("Table sales.orders has rows in cycles of a job whose loadType is")
          .hasMessageContaining("choose a new taskTargetDirectory");
      apply(job, SourceCommit.at(103, order(2), customer(2)), 103);
      assertThat(orders(job)).isEqualTo(1);

      job.restart(ORDERS, CUSTOMERS);
      assertThat(job.progress.get(ORDERS.table())).isInstanceOf(TableProgress.Stopped.class);
    }
  }

  @Test
  void aCombinedJobLoadsOneOfWhichNothingStandsAndRemembersThat() throws InterruptedException {
    try (Job job = job()) {
      job.settings.put("loadType", "COMBINED");
      job.heapBytes = 16L << 20;
      job.start(ORDERS, CUSTOMERS);
      SourceRow large = SourceRow.of(ORDERS, 1, "x".repeat(3 << 20), "10.00");
      apply(job, SourceCommit.at(101, new Insert(large), customer(1)), 101);
      assertThat(job.listener.stoppedTables()).hasSize(1);

      job.restart(ORDERS, CUSTOMERS);
      assertThat(job.progress.get(ORDERS.table())).isNotInstanceOf(TableProgress.Stopped.class);
      SnapshotWriter load =
          job.agent.beginSnapshot(
              ORDERS.table(), new SnapshotStart("s1", SourceCommit.positionAt(102)));
      load.write(ColumnBatches.of(SourceRow.of(ORDERS, 2, "NEW", "10.00")));
      load.finish();
      apply(job, SourceCommit.at(103, order(3)), 103);

      job.restart(ORDERS, CUSTOMERS);
      assertThat(job.progress.get(ORDERS.table())).isNotInstanceOf(TableProgress.Stopped.class);
      assertThat(orders(job)).isEqualTo(2);
    }
  }

  @Test
  void oneThatAPersonRemovedStaysOutThoughNothingOfItStands() throws InterruptedException {
    try (Job job = job()) {
      job.start(ORDERS, CUSTOMERS);
      job.agent.removeTable(ORDERS.table());

      job.restart(ORDERS, CUSTOMERS);
      assertThat(job.progress.get(ORDERS.table())).isInstanceOf(TableProgress.Stopped.class);

      assertThat(job.agent.recreateTable(ORDERS.table())).isFalse();
      job.restart(ORDERS, CUSTOMERS);
      assertThat(job.progress.get(ORDERS.table())).isNotInstanceOf(TableProgress.Stopped.class);
    }
  }
}
