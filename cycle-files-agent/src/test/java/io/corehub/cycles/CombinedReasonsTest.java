package io.corehub.cycles;

import static io.corehub.cycles.Job.CUSTOMERS;
import static io.corehub.cycles.Job.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.SnapshotEnd;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cycles of loads: why they end, and how a load that comes again is told from the first. */
class CombinedReasonsTest {

  private final Job job = new Job();

  @BeforeEach
  void combined() {
    job.settings.put("loadType", "COMBINED");
  }

  @AfterEach
  void close() {
    job.close();
  }

  private SnapshotWriter begin(TableSchema table, long at) throws InterruptedException {
    return job.agent.beginSnapshot(
        table.table(), new SnapshotStart("s" + at, SourceCommit.positionAt(at)));
  }

  private static SourceRow order(int id) {
    return WorkedExampleTest.order(id, "NEW", "1.00");
  }

  private static SourceCommit insert(long position, int id) {
    return SourceCommit.at(position, new Insert(order(id)));
  }

  private List<String> reasons() {
    return job.consumed().completedLines().values().stream().map(line -> line.get(5)).toList();
  }

  private List<String> prefixes() {
    return job.consumed().tables().get("orders").lines().stream()
        .map(
            line ->
                line.op()
                    + " "
                    + Integer.parseInt(line.sequence().substring(0, 9))
                    + " "
                    + line.sequence().substring(18, 20))
        .toList();
  }

  @Test
  void theLastTablesLoadAndTheBacklogEndACycleEach() throws InterruptedException {
    job.start(ORDERS, CUSTOMERS);
    SnapshotWriter orders = begin(ORDERS, 100);
    orders.write(ColumnBatches.of(order(1)));
    orders.finish(new SnapshotEnd(Optional.of(SourceCommit.positionAt(102)), true));
    SnapshotWriter customers = begin(CUSTOMERS, 101);
    customers.write(ColumnBatches.of(WorkedExampleTest.customer(7, "Ann")));
    customers.finish();
    job.apply(insert(102, 2), insert(103, 3));
    job.agent.backlogEnded(ORDERS.table(), SourceCommit.positionAt(103));
    job.apply(insert(104, 4));
    job.agent.flush();

    assertThat(reasons())
        .as("only the last of the loads is told")
        .containsExactly(
            "NORMAL_EXPIRY", "INITIAL_LOAD_COMPLETED", "BACKLOG_COMPLETED", "NORMAL_EXPIRY");
    assertThat(prefixes())
        .containsExactly("T 1 00", "I 1 01", "X 1 02", "Y 1 02", "I 1 03", "I 1 04");
  }

  @Test
  void withoutBacklogRowsThereIsNoCycleForThem() throws InterruptedException {
    job.start(ORDERS);
    SnapshotWriter orders = begin(ORDERS, 100);
    orders.write(ColumnBatches.of(order(1)));
    orders.finish(new SnapshotEnd(Optional.of(SourceCommit.positionAt(102)), true));
    job.agent.backlogEnded(ORDERS.table(), SourceCommit.positionAt(103));
    job.apply(SourceCommit.at(103), insert(104, 4));
    job.agent.flush();

    assertThat(reasons()).containsExactly("INITIAL_LOAD_COMPLETED", "NORMAL_EXPIRY");
    assertThat(prefixes()).containsExactly("T 1 00", "I 1 01", "I 1 04");
  }

  @Test
  void aTableThatIsLoadedAnewBeginsWithAHigherIncarnationInACycleOfItsOwn()
      throws InterruptedException {
    job.start(ORDERS);
    SnapshotWriter first = begin(ORDERS, 100);
    first.write(ColumnBatches.of(order(1), order(2)));
    first.finish();
    job.apply(insert(101, 3));
    SnapshotWriter second = begin(ORDERS, 101);
    second.write(ColumnBatches.of(order(3)));
    second.finish();
    job.agent.flush();

    assertThat(reasons())
        .containsExactly("INITIAL_LOAD_COMPLETED", "RESYNC_STARTED", "INITIAL_LOAD_COMPLETED");
    assertThat(prefixes())
        .containsExactly("T 1 00", "I 1 01", "I 1 01", "I 1 04", "T 2 00", "I 2 01");
    assertThat(job.consumed().rows(TableId.of("orders")))
        .contains(Rows.ofSource(List.of(order(3))));
  }

  @Test
  void aLoadThatWasInterruptedIsDoneAgainAndTellsSo() throws InterruptedException {
    job.settings.put("cycleChangeLimit", "1");
    job.start(ORDERS);
    SnapshotWriter first = begin(ORDERS, 100);
    first.write(ColumnBatches.of(order(1), order(2)));
    job.time.turnTo(job.time.now().plusSeconds(1));
    first.write(ColumnBatches.of(order(3)));
    job.agent.flush();
    job.restart(ORDERS);
    SnapshotWriter second = begin(ORDERS, 105);
    second.write(ColumnBatches.of(order(3)));
    second.finish();

    assertThat(prefixes())
        .containsExactly("T 1 00", "I 1 01", "I 1 01", "I 1 01", "T 2 00", "I 2 01");
    assertThat(job.consumed().rows(TableId.of("orders")))
        .contains(Rows.ofSource(List.of(order(3))));
  }
}
