package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetReport;
import io.corehub.agent.TargetReport.Condition;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.onelake.memory.InMemoryDfsClient;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the agent makes of Fabric's own files while it publishes. */
class FabricWatchTest {

  private static final Duration PATIENCE = Duration.ofSeconds(600);
  private static final String FOLDER = AgentRun.ROOT + "/shop.schema/orders/";
  private static final String NEVER = "0001-01-01T00:00:00";

  private AgentRun run;
  private InMemoryDfsClient fabric;

  @BeforeEach
  void begin() throws InterruptedException {
    run =
        new AgentRun()
            .with("monitoringSeconds", "1")
            .with("notConsumingSeconds", Long.toString(PATIENCE.toSeconds()));
    run.now.set(Instant.now());
    fabric = run.fileSystem.client();
    fabric.createDirectory("Files/Monitoring");
    database("Running");
  }

  @AfterEach
  void end() {
    run.assertNoViolations();
    run.close();
  }

  private void write(String file, String content) throws InterruptedException {
    fabric.create(file, false);
    ByteBuffer bytes = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
    if (bytes.hasRemaining()) {
      fabric.append(file, 0, bytes, AppendMode.APPEND_FLUSH_CLOSE);
    }
  }

  private void database(String status) throws InterruptedException {
    write(
        "Files/Monitoring/replicator.json",
        "{\"status\":\"" + status + "\",\"errorCode\":\"\",\"errorMessage\":\"\"}");
  }

  private void orders(String status, String error, String lastSync) throws InterruptedException {
    write(
        "Files/Monitoring/tables.json",
        "{\"tables\":[{\"status\":\""
            + status
            + "\",\"errorMessage\":\""
            + error
            + "\",\"sourceTableName\":\"orders\",\"sourceSchemaName\":\"shop\",\"metrics\":"
            + "{\"processedRowCount\":77,\"lastSyncTimeUtc\":\""
            + lastSync
            + "\"}}]}");
  }

  /** As Fabric does with files it applied. */
  private void moveAway(int... numbers) throws InterruptedException {
    for (int number : numbers) {
      fabric.delete(FOLDER + FileName.numbered(number), false);
    }
  }

  private String later() {
    return run.now.get().plusSeconds(5).toString();
  }

  private String earlier() {
    return run.now.get().minusSeconds(50).toString();
  }

  private void publish(int files) throws InterruptedException {
    run.open(ORDERS);
    for (int id = 1; id <= files; id++) {
      run.publish(insert(ORDERS, id));
    }
  }

  private TargetReport report() {
    return run.status(ORDERS).target().orElseThrow();
  }

  private int waiting() {
    return run.status(ORDERS).target().map(target -> target.filesWaiting().orElse(-1)).orElse(-1);
  }

  private void awaitCondition(Condition condition) {
    await(
        () ->
            run.status(ORDERS)
                .target()
                .map(target -> target.condition() == condition)
                .orElse(false));
  }

  private void await(Callable<Boolean> reached) {
    long deadline = System.nanoTime() + AgentRun.PATIENCE.toNanos();
    try {
      while (!reached.call()) {
        assertThat(System.nanoTime()).as("%s", run.agent().status()).isLessThan(deadline);
        LockSupport.parkNanos(1_000_000);
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until the watch began as many looks anew; all before them are concluded. */
  private void awaitLooks(int count) {
    run.script.take();
    int[] seen = {0};
    await(
        () -> {
          seen[0] += Collections.frequency(run.script.take(), "READ replicator.json");
          return seen[0] > count;
        });
  }

  @Test
  void tellsStateOperationsLastSyncAndThatNothingWaits() throws InterruptedException {
    String sync = later();
    orders("Replicating", "", sync);
    publish(3);
    moveAway(1, 2);

    awaitCondition(Condition.CONSUMING);
    await(() -> waiting() == 0);

    assertThat(report().state()).isEqualTo("Replicating");
    assertThat(report().operations()).hasValue(77);
    assertThat(report().lastSync()).contains(Instant.parse(sync));
    assertThat(report().filesWaiting()).hasValue(0);
    assertThat(report().problem()).isEmpty();
    assertThat(run.status(ORDERS).rowsPublished()).isEqualTo(3);
    assertThat(run.listener.warnings()).isEmpty();
  }

  @Test
  void countsTheFilesBehindTheOneThatFabricKeeps() throws InterruptedException {
    orders("Replicating", "", earlier());
    publish(3);

    await(() -> waiting() == 2);

    moveAway(1);
    await(() -> waiting() == 1);
  }

  @Test
  void countsAllFilesOfATableThatFabricHasNotFound() throws InterruptedException {
    publish(3);

    await(() -> waiting() == 3);

    assertThat(report().condition()).isEqualTo(Condition.UNKNOWN);
    assertThat(report().waitingSince()).isPresent();
  }

  @Test
  void aFailedTableIsToldOnceWithItsErrorTheProbableFileAndTheRemedy() throws InterruptedException {
    publish(3);
    orders("Failed", "SchemaMergeFailure on id", earlier());

    run.listener.awaitWarning("SchemaMergeFailure", AgentRun.PATIENCE);
    awaitCondition(Condition.FAILED);
    awaitLooks(3);

    assertThat(run.listener.warnings()).hasSize(1);
    assertThat(run.listener.warnings().get(0))
        .contains("Table shop.orders: Fabric stopped mirroring it (Failed)")
        .contains("probably at 00000000000000000002.parquet")
        .contains("pipeline 'shop' wrote")
        .contains("recreate");
    assertThat(report().file()).contains("00000000000000000002.parquet");
    assertThat(report().fileInferred()).isTrue();
    run.publish(insert(ORDERS, 4));
    assertThat(run.status(ORDERS).state()).isEqualTo(TableStatus.State.CHANGES);
    assertThat(fabric.head(FOLDER + "00000000000000000004.parquet")).isPresent();
  }

  @Test
  void aFileThatTheErrorNamesIsTheOneAndAForeignOneIsCalledSo() throws InterruptedException {
    publish(1);
    write(FOLDER + "00000000000000000002.parquet", "not one of ours at all");
    orders("Failed", "00000000000000000002.parquet: 'id' is long", earlier());

    run.listener.awaitWarning(
        "It stands at 00000000000000000002.parquet, which no run of this agent wrote",
        AgentRun.PATIENCE);
    assertThat(report().fileInferred()).isFalse();
  }

  @Test
  void filesThatWaitTooLongWhileNothingMovesAreToldOnceAndTheEndToo() throws InterruptedException {
    publish(2);
    orders("Replicating", "", earlier());
    awaitCondition(Condition.CONSUMING);
    await(() -> waiting() == 1);
    run.advance(PATIENCE.dividedBy(2));
    awaitLooks(2);
    assertThat(report().condition()).isEqualTo(Condition.CONSUMING);
    assertThat(run.listener.warnings()).isEmpty();

    run.advance(PATIENCE.dividedBy(2));
    run.listener.awaitWarning("Fabric is not consuming: 1 file has waited", AgentRun.PATIENCE);
    awaitCondition(Condition.NOT_CONSUMING);
    awaitLooks(3);
    assertThat(run.listener.warnings()).hasSize(1);

    orders("Replicating", "", later());
    awaitCondition(Condition.CONSUMING);
    moveAway(1);
    await(() -> waiting() == 0);
  }

  @Test
  void filesAppliedButNotMovedAwayAreNoAlarm() throws InterruptedException {
    publish(2);
    orders("Replicating", "", later());
    awaitCondition(Condition.CONSUMING);
    run.advance(PATIENCE.multipliedBy(3));
    awaitLooks(3);

    assertThat(report().condition()).isEqualTo(Condition.CONSUMING);
    assertThat(run.listener.warnings()).isEmpty();
  }

  @Test
  void aSyncThatMovesIsProgressThoughFilesGoOnWaiting() throws InterruptedException {
    publish(3);
    for (int i = 0; i < 4; i++) {
      orders("Replicating", "", run.now.get().minusSeconds(500 - i).toString());
      awaitLooks(2);
      run.advance(PATIENCE.dividedBy(2));
    }
    assertThat(report().condition()).isEqualTo(Condition.CONSUMING);
    assertThat(run.listener.warnings()).isEmpty();
  }

  @Test
  void manyTablesThatBeginToWaitAreOneWarning() throws InterruptedException {
    TableSchema[] tables = new TableSchema[30];
    for (int i = 0; i < tables.length; i++) {
      tables[i] =
          new TableSchema(TableId.of("shop", "t" + i), ORDERS.columns(), ORDERS.keyColumns(), 1);
    }
    run.open(tables);
    for (int i = 0; i < tables.length; i++) {
      run.apply(SourceCommit.at(i + 1, new Insert(SourceRow.of(tables[i], i, "x"))));
    }
    run.agent().flush();
    await(
        () ->
            run.agent().status().stream()
                .allMatch(s -> s.target().flatMap(t -> t.waitingSince()).isPresent()));
    run.advance(PATIENCE);

    run.listener.awaitWarning("30 files of 30 tables (", AgentRun.PATIENCE);
    assertThat(run.listener.warnings()).hasSize(1);
  }

  @Test
  void aStoppedDatabaseIsOneWarningWhateverTheTables() throws InterruptedException {
    run.open(ORDERS, LOG);
    run.publish(insert(ORDERS, 1), insert(LOG, 2));
    database("Stopped");

    run.listener.awaitWarning("The mirrored database is Stopped", AgentRun.PATIENCE);
    awaitCondition(Condition.HALTED);
    awaitLooks(2);
    assertThat(run.listener.warnings()).hasSize(1);
    assertThat(report().state()).isEqualTo("Stopped");

    database("Running");
    await(() -> report().condition() == Condition.UNKNOWN);
  }

  @Test
  void halfWrittenFilesLeaveTheLastReportInForce() throws InterruptedException {
    publish(1);
    orders("Replicating", "", later());
    awaitCondition(Condition.CONSUMING);
    write("Files/Monitoring/tables.json", "{\"tables\":[{\"sourceTab");
    write("Files/Monitoring/replicator.json", "");
    awaitLooks(3);

    assertThat(report().condition()).isEqualTo(Condition.CONSUMING);
    assertThat(run.listener.warnings()).isEmpty();
  }

  @Test
  void aStatusThatMayNotBeReadIsOneNoticeAndPublishingGoesOn() throws InterruptedException {
    run.script.fail(Operation.READ, "Monitoring", false, 20, Kind.FORBIDDEN, false);
    publish(1);

    run.listener.awaitWarning("What Fabric says of the tables cannot be read", AgentRun.PATIENCE);
    run.publish(insert(ORDERS, 2));
    orders("Replicating", "", later());
    awaitCondition(Condition.CONSUMING);
    assertThat(run.listener.warnings()).hasSize(1);
  }

  @Test
  void aShortOutageOfTheStatusIsNoNews() throws InterruptedException {
    run.script.fail(Operation.READ, "Monitoring", false, 5, Kind.TIMEOUT, true);
    publish(1);
    orders("Replicating", "", later());

    awaitCondition(Condition.CONSUMING);
    assertThat(run.listener.warnings()).isEmpty();
  }

  @Test
  void aLookThatHangsHoldsNothingUp() throws InterruptedException {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    run.script.before(
        Operation.READ,
        "tables.json",
        () -> {
          hanging.countDown();
          released.await();
        });
    run.open(ORDERS);
    hanging.await();

    run.publish(insert(ORDERS, 1));

    assertThat(run.status(ORDERS).filesPublished()).isEqualTo(1);
    released.countDown();
  }

  @Test
  void costsTwoRequestsWhileNothingWaitsAndListsOnlyWhatDoes() throws InterruptedException {
    TableSchema[] tables =
        IntStream.range(0, 30)
            .mapToObj(
                i ->
                    new TableSchema(
                        TableId.of("shop", "t" + i), ORDERS.columns(), ORDERS.keyColumns(), 1))
            .toArray(TableSchema[]::new);
    run.open(tables);
    List<String> idle = requestsOf(3);
    assertThat(idle).containsOnly("READ replicator.json", "READ tables.json");

    for (int i = 0; i < tables.length; i++) {
      run.apply(SourceCommit.at(i + 1, new Insert(SourceRow.of(tables[i], i, "x"))));
    }
    run.agent().flush();
    for (List<String> look : looks(requestsOf(4))) {
      assertThat(look).filteredOn(request -> request.startsWith("LIST")).hasSize(20);
    }
  }

  private List<String> requestsOf(int looks) {
    awaitLooks(1);
    List<String> requests = new ArrayList<>();
    await(
        () -> {
          requests.addAll(run.script.take());
          return Collections.frequency(requests, "READ replicator.json") > looks;
        });
    return requests;
  }

  /** The requests of each look, without the first and the last, which may not be whole. */
  private static List<List<String>> looks(List<String> requests) {
    List<List<String>> looks = new ArrayList<>();
    for (String request : requests) {
      if (request.equals("READ replicator.json")) {
        looks.add(new ArrayList<>());
      }
      if (!looks.isEmpty()) {
        looks.get(looks.size() - 1).add(request);
      }
    }
    return looks.subList(0, looks.size() - 1);
  }

  @Test
  void doesNotLookWhenSwitchedOff() throws InterruptedException {
    run.with("monitoringSeconds", "0");
    publish(2);

    assertThat(run.status(ORDERS).target()).isEqualTo(Optional.empty());
    assertThat(run.script.take()).noneMatch(request -> request.contains("tables.json"));
  }

  @Test
  void neverSyncedIsNoTime() throws InterruptedException {
    orders("Initial", "", NEVER);
    publish(1);

    await(() -> waiting() == 1);
    assertThat(report().state()).isEqualTo("Initial");
    assertThat(report().lastSync()).isEmpty();
  }
}
