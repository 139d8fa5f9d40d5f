package io.corehub.cycles;

import static io.corehub.cycles.Job.CUSTOMERS;
import static io.corehub.cycles.Job.ORDERS;
import static io.corehub.cycles.Job.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.agent.verify.Violation;
import io.corehub.cyclereader.CycleDirectories;
import io.corehub.cyclereader.CycleVerifier;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.Retries;
import io.corehub.onelake.memory.Faults;
import io.corehub.runtime.WorkerPools;
import io.corehub.storage.ObjectStore;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Completed cycles that are older than a user wants to keep go; what is left stays readable. */
class RetentionTest {

  private static final Instant THREE_DAYS_LATER = at("10:00:00").plus(Duration.ofDays(3));

  private final WorkerPools workers = new WorkerPools("retention", 2);
  private Job job = new Job();

  @BeforeEach
  void build() throws InterruptedException {
    tree();
  }

  @AfterEach
  void close() {
    job.close();
    workers.close();
  }

  /** Two old cycles, one of today, and the newest. */
  private void tree() throws InterruptedException {
    job.start(ORDERS, CUSTOMERS);
    cycle(101);
    cycle(102);
    job.time.turnTo(THREE_DAYS_LATER.minus(Duration.ofHours(5)));
    cycle(103);
    cycle(104);
    job.agent.close();
  }

  private void cycle(long order) throws InterruptedException {
    job.apply(
        SourceCommit.at(
            order,
            new Insert(WorkedExampleTest.order((int) order, "NEW", "1.00")),
            new Insert(WorkedExampleTest.customer((int) order, "Ann"))));
    job.agent.flush();
  }

  private Retention retention(Faults faults) {
    CycleConfig config =
        CycleConfigReader.read(CycleSettings.AGENT.parse(job.settings), "sales", Map.of());
    ObjectStore store =
        new Stores(
                config,
                new Retries(Retries.Time.SYSTEM, new Random(1)::nextDouble),
                Retries.Time.SYSTEM,
                UUID::randomUUID)
            .atSetUp(job.files.client(faults), workers);
    return new Retention(store, config.layout(), Duration.ofDays(1));
  }

  private List<String> paths() throws InterruptedException {
    return all(Job.FOLDER);
  }

  private List<String> all(String folder) throws InterruptedException {
    List<String> paths = new ArrayList<>();
    job.client().list(folder, true, entry -> paths.add(entry.path()));
    return paths;
  }

  private List<Violation> judged() throws Exception {
    try (TargetFiles files = job.stored()) {
      return new CycleVerifier(CycleDirectories.usual("sales_cdc")).verify(files);
    }
  }

  private void assertOnlyRemarks() throws Exception {
    assertThat(judged()).allMatch(found -> found.severity() == Violation.Severity.REMARK);
  }

  @Test
  void onlyOldCyclesGoWithAllTheirFiles() throws Exception {
    retention(Faults.NONE).run(THREE_DAYS_LATER);

    assertThat(job.consumed().cycles())
        .containsExactly("2026-12-02-05-00-00", "2026-12-02-05-00-01");
    assertThat(paths())
        .as("nothing that tells the name of an old cycle")
        .noneMatch(path -> path.contains("2026-11-29") || path.contains("20261129"))
        .as("schemas stay")
        .anyMatch(path -> path.endsWith("/schema/V1/orders.schema"));
    assertOnlyRemarks();
  }

  @ParameterizedTest
  @ValueSource(strings = {"lake/{TableName}", "sales_cdc_data/{TableName}", "{TableName}/data"})
  void dataOutsideOfTheJobsFolderGoesAndOtherJobsDataStays(String dataDirectory) throws Exception {
    job.close();
    job = new Job();
    job.settings.put("dataDirectory", dataDirectory);
    tree();
    String folder = "Files/cdc/" + dataDirectory.replace("{TableName}", "orders");
    List<String> others =
        List.of(
            folder + "/2026-11-29-10-00-01/orders_20261129100001_0007.csv",
            folder + "/2026-11-29-10-00-09/orders_20261129100009.csv");
    for (String other : others) {
      job.client().create(other, true);
    }

    retention(Faults.NONE).run(THREE_DAYS_LATER);

    assertThat(all("Files/cdc"))
        .contains(others.get(0), others.get(1))
        .filteredOn(path -> path.contains("2026-11-29") && path.endsWith(".csv"))
        .containsExactlyInAnyOrderElementsOf(others);
    assertThat(all("Files/cdc"))
        .as("no empty folder is left")
        .noneMatch(path -> path.endsWith("/2026-11-29-10-00-00"));
    assertThat(job.consumed().tables().get("orders").lines()).hasSize(2);
  }

  @Test
  void aJobBelowTheJobsFolderKeepsItsFiles() throws Exception {
    job.close();
    job = new Job();
    job.settings.put("dataDirectory", "{TaskTargetDirectory}/{TableName}");
    tree();
    List<String> others =
        List.of(
            Job.FOLDER + "/eu/orders/2026-11-29-10-00-01/orders_20261129100001.csv",
            Job.FOLDER + "/eu/cycle/_writer/000000001.json",
            Job.FOLDER + "/eu/cycle/completed/2026-11-29-10-00-01/Cycle-20261129100001.csv");
    for (String path : others) {
      job.client().create(path, true);
    }

    retention(Faults.NONE).run(THREE_DAYS_LATER);

    assertThat(paths()).containsAll(others);
    assertThat(job.consumed().cycles())
        .containsExactly("2026-12-02-05-00-00", "2026-12-02-05-00-01");
  }

  @Test
  void aTableThatIsCalledLikeAnOldCycleKeepsItsFiles() throws Exception {
    TableSchema table =
        new TableSchema(
            TableId.of("sales", "2026-11-29-10-00-00"), CUSTOMERS.columns(), List.of(), 1);
    job.time.turnTo(THREE_DAYS_LATER);
    job.restart(table);
    job.apply(SourceCommit.at(105, new Insert(SourceRow.of(table, 1, "Ann"))));
    job.agent.flush();
    job.agent.close();

    retention(Faults.NONE).run(THREE_DAYS_LATER);

    assertThat(job.consumed().tables().get("2026-11-29-10-00-00").lines()).hasSize(1);
  }

  @Test
  void theNewestCycleStaysHoweverOldItIs() throws Exception {
    retention(Faults.NONE).run(THREE_DAYS_LATER.plus(Duration.ofDays(100)));

    assertThat(job.consumed().cycles()).containsExactly("2026-12-02-05-00-01");
    assertOnlyRemarks();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDeathInTheMiddleLeavesAGoodTreeAndTheNextRunEndsTheWork(boolean before) throws Exception {
    int deletes = 0;
    for (int dies = 1; deletes == 0 || dies <= deletes; dies++) {
      if (dies > 1) {
        job.close();
        job = new Job();
        tree();
      }
      DeathAtDelete death = new DeathAtDelete(dies, before);
      retention(death).run(THREE_DAYS_LATER);
      if (death.deletes < dies) {
        break;
      }
      deletes = dies + 1;
      assertOnlyRemarks();
      assertThat(job.consumed().cycles())
          .as("what is kept is whole, after " + dies)
          .endsWith("2026-12-02-05-00-00", "2026-12-02-05-00-01");

      job.restart(ORDERS, CUSTOMERS);
      job.agent.close();
      retention(Faults.NONE).run(THREE_DAYS_LATER);

      assertThat(paths())
          .as("after a death at delete " + dies)
          .noneMatch(path -> path.contains("2026-11-29") || path.contains("20261129"));
      assertOnlyRemarks();
    }
    assertThat(deletes).as("requests that a removal takes").isGreaterThan(8);
  }

  @Test
  void aJobRemovesItsOldCyclesWhileItRuns() throws Exception {
    job.settings.put("retentionDays", "1");
    CountDownLatch removed = new CountDownLatch(1);
    job.time.turnTo(THREE_DAYS_LATER);
    job.start(
        job.listener.resumePoint(),
        new Faults() {
          @Override
          public void after(Request request) {
            if (request.operation() == Operation.DELETE
                && request.path().endsWith("/data/orders/data/2026-11-29-10-00-01")) {
              removed.countDown();
            }
          }
        },
        ORDERS,
        CUSTOMERS);
    cycle(105);
    assertThat(removed.await(30, TimeUnit.SECONDS)).isTrue();

    assertThat(job.consumed().cycles())
        .containsExactly("2026-12-02-05-00-00", "2026-12-02-05-00-01", "2026-12-02-10-00-00");
  }

  /** The process ends at a request to delete. */
  private static final class DeathAtDelete implements Faults {
    private final int at;
    private final boolean before;
    private int deletes;
    private boolean dead;

    DeathAtDelete(int at, boolean before) {
      this.at = at;
      this.before = before;
    }

    @Override
    public void before(Request request) {
      if (request.operation() == Operation.DELETE && !dead) {
        deletes++;
        dead = before && deletes == at;
      }
      requireAlive();
    }

    @Override
    public void after(Request request) {
      dead = dead || (request.operation() == Operation.DELETE && deletes == at);
      requireAlive();
    }

    private void requireAlive() {
      if (dead) {
        throw DfsException.of(DfsException.Kind.CLOSED, "test").build("the process is dead");
      }
    }
  }
}
