package io.corehub.cycles;

import static io.corehub.cycles.Job.ORDERS;
import static io.corehub.cycles.Job.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.CommitBatches;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a cycle ends, why it says so, and that it never ends inside a transaction. */
class CycleEndsTest {

  private static final TableSchema WIDER = wider();

  private final Job job = new Job();

  @AfterEach
  void close() {
    job.close();
  }

  private static TableSchema wider() {
    List<Column> columns = new ArrayList<>(ORDERS.columns());
    columns.add(Column.of("note", ColumnType.of(Kind.STRING)));
    return new TableSchema(ORDERS.table(), columns, ORDERS.keyColumns(), 2);
  }

  private static Insert insert(int id) {
    return new Insert(WorkedExampleTest.order(id, "NEW", "1.00"));
  }

  private static SourceCommit commit(long order) {
    return SourceCommit.at(order, insert((int) order));
  }

  /** Name, end and reason of each completed cycle, and its current sequence. */
  private List<String> completed() {
    return job.consumed().completedLines().values().stream()
        .map(line -> line.get(0) + " " + line.get(2).substring(11) + " " + line.get(5))
        .toList();
  }

  private List<String> insertsByCycle() {
    return job.consumed().contents().values().stream()
        .map(lines -> lines.stream().map(line -> line.get("inserts")).toList().toString())
        .toList();
  }

  @Test
  void theLimitEndsACycleAtTheCommitThatReachesIt() throws InterruptedException {
    job.start(ORDERS);
    job.apply(commit(101), commit(102));
    job.time.turnTo(at("10:00:01"));
    job.apply(SourceCommit.at(103, insert(3), insert(4), insert(5)), commit(104));
    job.awaitConfirmed(103);
    job.agent.flush();

    assertThat(completed())
        .containsExactly(
            "2026-11-29-10-00-00 10:00:01.000Z NORMAL_COMMIT",
            "2026-11-29-10-00-01 10:00:01.000Z NORMAL_EXPIRY");
    assertThat(insertsByCycle()).containsExactly("[5]", "[1]");
  }

  @Test
  void aLimitReachedWithinASecondWaitsForTheSecondToPass() throws InterruptedException {
    job.start(ORDERS);
    job.apply(commit(101), commit(102), commit(103), commit(104));
    job.time.turnTo(at("10:00:00").plusMillis(999));
    job.apply(commit(105));
    job.time.turnTo(at("10:00:01"));
    job.awaitConfirmed(105);

    assertThat(completed()).containsExactly("2026-11-29-10-00-00 10:00:01.000Z NORMAL_COMMIT");
    assertThat(insertsByCycle()).containsExactly("[5]");
  }

  @Test
  void aLimitThatWaitsIsTheReasonThoughTheSourceEndsFirst() throws InterruptedException {
    job.start(ORDERS);
    job.apply(commit(101), commit(102), commit(103), commit(104));
    job.agent.flush();

    assertThat(completed()).containsExactly("2026-11-29-10-00-00 10:00:00.000Z NORMAL_COMMIT");
  }

  @Test
  void theIntervalEndsACycleAtItsDeadline() throws InterruptedException {
    job.start(ORDERS);
    job.time.turnTo(at("10:00:07"));
    job.apply(commit(101));
    job.time.turnTo(at("10:30:00"));
    job.awaitConfirmed(101);

    assertThat(completed()).containsExactly("2026-11-29-10-00-07 10:01:07.000Z NORMAL_EXPIRY");
  }

  @Test
  void anIntervalThatRunsOutWithinATransactionWaitsForItsCommit() throws InterruptedException {
    job.settings.put("maxFileRows", "1");
    job.settings.put("lowActivityFlushSeconds", "5");
    job.start(ORDERS);
    List<CommitBatch> parts =
        CommitBatches.parts(
            SourceCommit.at(101, insert(1), insert(2), insert(3)), 1, BeforeImage.FULL);
    job.agent.apply(parts.get(0));
    job.time.turnTo(at("10:02:00"));
    job.agent.apply(parts.get(1));
    job.time.turnTo(at("10:05:00"));
    job.agent.apply(parts.get(2));
    job.awaitConfirmed(101);

    assertThat(completed()).containsExactly("2026-11-29-10-00-00 10:05:00.000Z NORMAL_COMMIT");
    assertThat(insertsByCycle()).containsExactly("[3]");
    assertThat(job.consumed().tables().get("orders").lines()).hasSize(3);
  }

  /** Else a transaction of any size would have to wait in memory for its end. */
  @Test
  void partsOfATransactionStandInTheStorageBeforeItsEnd() throws InterruptedException {
    job.settings.put("maxFileRows", "1");
    job.start(ORDERS);
    List<CommitBatch> parts =
        CommitBatches.parts(
            SourceCommit.at(101, insert(1), insert(2), insert(3)), 1, BeforeImage.FULL);
    job.agent.apply(parts.get(0));
    job.agent.apply(parts.get(1));

    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (dataFiles() < 2) {
      assertThat(System.nanoTime()).as("two parts within 30 s").isLessThan(deadline);
      Thread.onSpinWait();
    }
    assertThat(completed()).isEmpty();

    job.agent.apply(parts.get(2));
    job.agent.flush();
    assertThat(dataFiles()).isEqualTo(3);
    assertThat(insertsByCycle()).containsExactly("[3]");
  }

  private int dataFiles() throws InterruptedException {
    List<String> files = new ArrayList<>();
    job.client()
        .list(
            Job.FOLDER,
            true,
            entry -> {
              if (entry.name().startsWith("orders_") && entry.length() > 0) {
                files.add(entry.path());
              }
            });
    return files.size();
  }

  @Test
  void aSourceThatIsQuietEndsACycleWhenAskedTo() throws InterruptedException {
    job.settings.put("lowActivityFlushSeconds", "5");
    job.start(ORDERS);
    job.apply(commit(101));
    job.time.turnTo(at("10:00:04"));
    job.apply(SourceCommit.at(102));
    job.time.turnTo(at("10:00:20"));
    job.awaitConfirmed(102);

    assertThat(completed())
        .as("five seconds behind the last commit, whatever it held")
        .containsExactly("2026-11-29-10-00-00 10:00:09.000Z NORMAL_EXPIRY");
  }

  @Test
  void aStopEndsTheOpenCycleAtOnceAndTheNextNameIsASecondLater() throws InterruptedException {
    job.start(ORDERS);
    job.apply(commit(101));
    job.agent.flush();
    job.apply(commit(102));
    job.agent.flush();

    assertThat(completed())
        .containsExactly(
            "2026-11-29-10-00-00 10:00:00.000Z NORMAL_EXPIRY",
            "2026-11-29-10-00-01 10:00:00.000Z NORMAL_EXPIRY");
  }

  @Test
  void aStopGivesTheOpenCycleUpWhenAskedTo() throws InterruptedException {
    job.settings.put("closeCycleOnStop", "false");
    job.start(ORDERS);
    job.apply(commit(101));
    job.agent.flush();
    assertThat(completed()).isEmpty();
    assertThat(job.listener.lastConfirmed()).isEmpty();

    job.restart(ORDERS);
    job.apply(commit(101));
    job.time.turnTo(at("10:05:00"));
    job.awaitConfirmed(101);

    assertThat(completed()).hasSize(1);
    assertThat(insertsByCycle()).containsExactly("[1]");
  }

  @Test
  void aNewSchemaVersionBeginsInACycleOfItsOwn() throws InterruptedException {
    job.start(ORDERS);
    job.apply(commit(101));
    job.time.turnTo(at("10:00:10"));
    job.apply(
        SourceCommit.at(102, new Insert(SourceRow.of(WIDER, 102, "NEW", "1.00", "a note"))),
        SourceCommit.at(103, new Insert(SourceRow.of(WIDER, 103, "NEW", "1.00", null))));
    job.agent.flush();

    assertThat(completed())
        .containsExactly(
            "2026-11-29-10-00-00 10:00:10.000Z NORMAL_COMMIT",
            "2026-11-29-10-00-10 10:00:10.000Z NORMAL_EXPIRY");
    List<Map<String, String>> second = job.consumed().contents().get("2026-11-29-10-00-10");
    assertThat(second).hasSize(1);
    assertThat(second.get(0))
        .containsEntry("schema_version", "2")
        .containsEntry("schema_path", "sales_cdc/data/orders/schema/V2/orders.schema")
        .containsEntry("inserts", "2");
  }

  @Test
  void twoSchemaVersionsInOneTransactionAreTwoLinesOfOneCycle() throws InterruptedException {
    job.start(ORDERS);
    job.apply(
        SourceCommit.at(
            101, insert(1), new Insert(SourceRow.of(WIDER, 2, "NEW", "1.00", "a note"))));
    job.agent.flush();

    assertThat(completed()).hasSize(1);
    List<Map<String, String>> lines = job.consumed().contents().values().iterator().next();
    String folder = "sales_cdc/data/orders/data/2026-11-29-10-00-00/orders_20261129100000";
    assertThat(lines)
        .extracting(line -> line.get("schema_version") + " " + line.get("cycle_path"))
        .containsExactly("1 " + folder + ".csv", "2 " + folder + "_0002.csv");
  }

  @Test
  void commitsWithoutCapturedRowsAreConfirmedAndLeaveNothing() throws InterruptedException {
    job.start(ORDERS);
    job.apply(SourceCommit.at(101), SourceCommit.at(102));
    job.awaitConfirmed(102);
    job.agent.flush();

    assertThat(completed()).isEmpty();
  }

  @Test
  void anOpenCyclesCurrentSequenceMovesOnWithCommitsThatHaveNoRows() throws InterruptedException {
    job.start(ORDERS);
    job.apply(commit(101), SourceCommit.at(105));
    job.agent.flush();

    assertThat(job.consumed().completedLines().get("2026-11-29-10-00-00").get(3))
        .isEqualTo("00000000000000000105000000000000");
    job.awaitConfirmed(105);
  }

  @Test
  void emptyCyclesAreWrittenAtEachIntervalWhenAskedFor() throws InterruptedException {
    job.settings.put("emptyCycles", "write");
    job.start(ORDERS);
    job.time.turnTo(at("10:01:00"));
    job.agent.flush();

    assertThat(completed()).containsExactly("2026-11-29-10-00-00 10:01:00.000Z NORMAL_EXPIRY");
    assertThat(insertsByCycle()).containsExactly("[]");
  }
}
