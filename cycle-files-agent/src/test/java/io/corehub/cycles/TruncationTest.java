package io.corehub.cycles;

import static io.corehub.cycles.Job.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.table.TableId;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Truncate;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.List;
import org.junit.jupiter.api.Test;

class TruncationTest {

  private static List<String> operations(Job job) {
    return job.consumed().tables().get("orders").lines().stream()
        .map(line -> line.op() + " " + line.sequence())
        .toList();
  }

  private static Insert insert(int id) {
    return new Insert(WorkedExampleTest.order(id, "NEW", "10.00"));
  }

  @Test
  void aCombinedJobWritesItInThePhaseItIsIn() throws InterruptedException {
    try (Job job = new Job()) {
      job.settings.put("loadType", "COMBINED");
      job.start(ORDERS);
      SnapshotWriter load =
          job.agent.beginSnapshot(
              ORDERS.table(), new SnapshotStart("s1", SourceCommit.positionAt(100)));
      load.write(ColumnBatches.of(WorkedExampleTest.order(1, "NEW", "10.00")));
      load.finish();
      job.apply(SourceCommit.at(101, insert(2), new Truncate(ORDERS), insert(3)));
      job.agent.flush();

      assertThat(operations(job))
          .containsExactly(
              "T 0000000010000000010000000000000000000100000000000000",
              "I 0000000010000000010100000000000000000100000000000001",
              "I 0000000010000000010400000000000000000101000000000001",
              "T 0000000010000000010400000000000000000101000000000002",
              "I 0000000010000000010400000000000000000101000000000003");
      assertThat(
              job.consumed().contents().values().stream()
                  .flatMap(lines -> lines.stream().map(line -> line.get("truncates"))))
          .containsExactly("1", "1");
      assertThat(job.consumed().rows(TableId.of("orders")))
          .contains(Rows.ofSource(List.of(WorkedExampleTest.order(3, "NEW", "10.00"))));
    }
  }

  @Test
  void anIncrementalJobSkipsItWithOneWarningForATableAndCountsIt() throws InterruptedException {
    CountingMeters meters = new CountingMeters();
    try (Job job = new Job()) {
      job.meters = meters;
      job.start(ORDERS);
      job.apply(
          SourceCommit.at(101, insert(1), new Truncate(ORDERS)),
          SourceCommit.at(102, new Truncate(ORDERS), insert(2)));
      job.agent.flush();
      job.awaitConfirmed(102);

      assertThat(operations(job))
          .containsExactly(
              "I 00000000000000000101000000000001", "I 00000000000000000102000000000001");
      assertThat(job.listener.warnings())
          .singleElement()
          .satisfies(
              warning ->
                  assertThat(warning).contains("sales.orders", "truncateInIncremental", "write"));
      assertThat(meters.sum("truncates.skipped")).isEqualTo(2);
      assertThat(job.agent.status().get(0).diverged()).isTrue();
    }
  }

  @Test
  void anIncrementalJobStopsTheTableWhenAskedTo() throws InterruptedException {
    try (Job job = new Job()) {
      job.settings.put("truncateInIncremental", "fail");
      job.start(ORDERS);
      job.apply(SourceCommit.at(101, insert(1)), SourceCommit.at(102, new Truncate(ORDERS)));
      job.agent.flush();

      assertThat(job.listener.stopOf(ORDERS.table()))
          .hasValueSatisfying(
              stop ->
                  assertThat(stop)
                      .hasMessageContaining("sales.orders")
                      .hasMessageContaining("truncateInIncremental"));
      assertThat(operations(job)).containsExactly("I 00000000000000000101000000000001");
    }
  }

  /** Rows bring the shape of a table along; a truncation has to do without them. */
  @Test
  void oneThatComesFirstAfterARestartIsWritten() throws InterruptedException {
    Job job = new Job();
    job.settings.put("truncateInIncremental", "write");
    job.start(ORDERS);
    job.apply(SourceCommit.at(101, new Insert(SourceRow.of(ORDERS, 1, "NEW", "10.00"))));
    job.agent.flush();
    job.awaitConfirmed(101);

    job.restart(ORDERS);
    job.apply(SourceCommit.at(102, new Truncate(ORDERS)));
    job.agent.flush();
    job.awaitConfirmed(102);
    job.agent.close();

    assertThat(
            job.consumed().tables().get("orders").lines().stream().map(line -> line.op()).toList())
        .containsExactly("I", "T");
  }
}
