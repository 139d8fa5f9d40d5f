package io.corehub.cycles;

import static io.corehub.cycles.Job.CUSTOMERS;
import static io.corehub.cycles.Job.ORDERS;
import static io.corehub.cycles.Job.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.AgentState;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotEnd;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.memory.Faults;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a start finds in the job's folder, and what it makes of it. */
class RecoveryTest {

  private static final String CYCLE = "/2026-11-29-10-00-00/";
  private static final String COMPLETED = Job.FOLDER + "/cycle/completed";
  private static final String CONTENTS = Job.FOLDER + "/cycle/contents";
  private static final String MANIFEST = CONTENTS + CYCLE + "_manifest-20261129100000.json";

  private final Job job = new Job();

  @AfterEach
  void close() {
    job.close();
  }

  private static SourceCommit insert(long order) {
    return SourceCommit.at(order, new Insert(WorkedExampleTest.order((int) order, "NEW", "1.00")));
  }

  private void twoCommitsInOneCycle() throws InterruptedException {
    job.start(ORDERS, CUSTOMERS);
    job.apply(insert(101), SourceCommit.at(102, new Insert(WorkedExampleTest.customer(7, "Ann"))));
    job.agent.flush();
    job.awaitConfirmed(102);
  }

  private void write(String path, String text) throws InterruptedException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    DfsClient client = job.client();
    client.create(path, true);
    client.append(path, 0, ByteBuffer.wrap(bytes), AppendMode.APPEND);
    client.flush(path, bytes.length, true);
  }

  private List<String> paths() throws InterruptedException {
    List<String> paths = new ArrayList<>();
    job.client().list("Files/cdc", true, entry -> keep(entry, paths));
    return paths;
  }

  private static void keep(PathEntry entry, List<String> paths) {
    if (!entry.directory()) {
      paths.add(entry.path());
    }
  }

  private void startsWith(ResumePoint resume) throws InterruptedException {
    job.agent.close();
    job.start(resume, Faults.NONE, ORDERS, CUSTOMERS);
  }

  private ActionRequiredException refused(ResumePoint resume) {
    job.agent.close();
    Throwable thrown =
        org.assertj.core.api.Assertions.catchThrowable(
            () -> job.start(resume, Faults.NONE, ORDERS, CUSTOMERS));
    assertThat(thrown).isInstanceOf(ActionRequiredException.class);
    return (ActionRequiredException) thrown;
  }

  /** What an interrupted run may leave: of a cycle, of schemas, and half-written. */
  private List<String> leaveOrphans() throws InterruptedException {
    List<String> orphans =
        List.of(
            Job.FOLDER + "/data/orders/data/2026-11-29-10-30-00/orders_20261129103000.csv",
            Job.FOLDER + "/data/orders/schema/V2/orders.schema",
            Job.FOLDER + "/data/items/schema/V1/items.schema",
            CONTENTS + "/2026-11-29-10-30-00/_manifest-20261129103000.json",
            CONTENTS + "/2026-11-29-10-30-00/Cycle-contents-20261129103000.csv",
            COMPLETED
                + "/2026-11-29-10-30-00/_tmp_Cycle-20261129103000.csv"
                + ".11111111-1111-1111-1111-111111111111",
            Job.FOLDER
                + "/data/orders/data/2026-11-29-10-00-00/_tmp_orders_20261129100000_0002.csv"
                + ".22222222-2222-2222-2222-222222222222");
    for (String orphan : orphans) {
      write(orphan, "left");
    }
    return orphans;
  }

  @Test
  void whatWasNeverCompletedIsDeletedAndNothingElse() throws InterruptedException {
    twoCommitsInOneCycle();
    List<String> before = paths();
    leaveOrphans();
    write("Files/cdc/other_job/data/orders/data/2026-11-29-11-00-00/orders.csv", "another job's");

    job.restart(ORDERS, CUSTOMERS);

    List<String> whole = new ArrayList<>(before);
    whole.add("Files/cdc/other_job/data/orders/data/2026-11-29-11-00-00/orders.csv");
    assertThat(paths())
        .filteredOn(path -> !path.contains("/_writer/"))
        .containsExactlyInAnyOrderElementsOf(
            whole.stream().filter(path -> !path.contains("/_writer/")).toList());
  }

  /** Names of tables are the user's: none of them may look like something that is to be cleared. */
  @ParameterizedTest
  @ValueSource(strings = {"V1", "V2", "_tmp_x", "2026-11-29-10-30-00"})
  void aTableKeepsItsFilesWhateverItIsCalled(String name) throws InterruptedException {
    TableSchema table =
        new TableSchema(
            TableId.of("sales", name),
            List.of(Column.of("id", ColumnType.of(ColumnType.Kind.INT))),
            List.of("id"),
            1);
    job.start(table);
    job.apply(SourceCommit.at(101, new Insert(SourceRow.of(table, 1))));
    job.agent.flush();
    List<String> before = withoutFence(paths());

    job.restart(table);

    assertThat(withoutFence(paths())).containsExactlyInAnyOrderElementsOf(before);
  }

  /** Only its fence tells that a folder below the job's is another job's. */
  @Test
  void aJobBelowTheJobsFolderKeepsItsFiles() throws InterruptedException {
    job.settings.put("dataDirectory", "{TaskTargetDirectory}/{TableName}/data");
    job.settings.put("schemaDirectory", "{TaskTargetDirectory}/{TableName}/schema");
    twoCommitsInOneCycle();
    String other = Job.FOLDER + "/eu";
    List<String> others =
        List.of(
            other + "/cycle/_writer/000000001.json",
            other + "/cycle/completed/2026-11-29-11-00-00/Cycle-20261129110000.csv",
            other + "/cycle/contents/2026-11-29-11-00-00/_manifest-20261129110000.json",
            other + "/orders/data/2026-11-29-11-00-00/orders_20261129110000.csv",
            other
                + "/orders/data/2026-11-29-11-00-00/_tmp_orders_20261129110000_0002.csv"
                + ".22222222-2222-2222-2222-222222222222",
            other + "/orders/schema/V3/orders.schema");
    for (String path : others) {
      write(path, "another job's");
    }

    job.restart(ORDERS, CUSTOMERS);

    assertThat(paths()).containsAll(others);
  }

  private static List<String> withoutFence(List<String> paths) {
    return paths.stream().filter(path -> !path.contains("/_writer/")).toList();
  }

  @Test
  void avroFilesOfVersionsThatNoCompletedCycleUsesAreDeleted() throws InterruptedException {
    job.settings.put("avroSchemaDirectory", "avro");
    twoCommitsInOneCycle();
    write("Files/cdc/avro/sales_orders_V2.txt", "left");
    write("Files/cdc/avro/sales_orders_V3.txt", "left");

    job.restart(ORDERS, CUSTOMERS);

    assertThat(paths())
        .filteredOn(path -> path.startsWith("Files/cdc/avro/"))
        .containsExactlyInAnyOrder(
            "Files/cdc/avro/sales_orders.txt", "Files/cdc/avro/sales_customers.txt");
  }

  @Test
  void orphansStayWhenAskedToAndTheirNamesAreNotTaken() throws InterruptedException {
    job.settings.put("orphanPolicy", "keep");
    twoCommitsInOneCycle();
    List<String> orphans = leaveOrphans();

    job.restart(ORDERS, CUSTOMERS);
    job.apply(insert(103));
    job.agent.flush();

    assertThat(paths()).containsAll(orphans);
    assertThat(job.consumed().cycles())
        .containsExactly("2026-11-29-10-00-00", "2026-11-29-10-30-01");
    assertThat(job.listener.warnings())
        .anySatisfy(warning -> assertThat(warning).contains("orphanPolicy", "keep"));
    assertThat(job.consumed().tables().get("orders").lines()).hasSize(2);
  }

  @Test
  void commitsThatCyclesHoldAreSkippedTableByTable() throws InterruptedException {
    twoCommitsInOneCycle();
    startsWith(ResumePoint.NONE);
    job.apply(
        insert(101),
        SourceCommit.at(102, new Insert(WorkedExampleTest.customer(7, "Ann"))),
        insert(103));
    job.agent.flush();
    job.awaitConfirmed(103);

    assertThat(job.consumed().tables().get("orders").lines()).hasSize(2);
    assertThat(job.consumed().tables().get("customers").lines()).hasSize(1);
  }

  @Test
  void withoutItsManifestACycleIsReadByItsContents() throws InterruptedException {
    twoCommitsInOneCycle();
    job.client().delete(MANIFEST, false);
    startsWith(ResumePoint.NONE);
    job.apply(
        insert(101),
        SourceCommit.at(102, new Insert(WorkedExampleTest.customer(7, "Ann"))),
        insert(103));
    job.agent.flush();

    assertThat(job.listener.warnings())
        .anySatisfy(warning -> assertThat(warning).contains("manifest", "2026-11-29-10-00-00"));
    assertThat(job.consumed().tables().get("orders").lines()).hasSize(2);
    assertThat(job.consumed().tables().get("customers").lines()).hasSize(1);
    assertThat(job.listener.stoppedTables()).isEmpty();
  }

  /** The contents file does not tell how far a load came: half of one must not pass for a whole. */
  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "true, true"})
  void withoutItsManifestATableThatWasBeingLoadedIsLoadedAnew(boolean loaded, boolean caughtUp)
      throws InterruptedException {
    job.settings.put("loadType", "COMBINED");
    job.settings.put("cycleChangeLimit", "1");
    job.start(ORDERS);
    SnapshotWriter load =
        job.agent.beginSnapshot(
            ORDERS.table(), new SnapshotStart("s1", SourceCommit.positionAt(100)));
    load.write(ColumnBatches.of(WorkedExampleTest.order(1, "NEW", "1.00")));
    job.agent.flush();
    if (loaded) {
      load.finish(new SnapshotEnd(Optional.of(SourceCommit.positionAt(102)), true));
      job.apply(insert(102));
      job.agent.flush();
    }
    if (caughtUp) {
      job.agent.backlogEnded(ORDERS.table(), SourceCommit.positionAt(103));
      job.apply(SourceCommit.at(103));
      job.apply(insert(104));
      job.agent.flush();
    }
    for (String cycle : job.consumed().cycles()) {
      job.client()
          .delete(CONTENTS + "/" + cycle + "/_manifest-" + cycle.replace("-", "") + ".json", false);
    }

    job.restart(ORDERS);

    if (caughtUp) {
      assertThat(job.progress.get(ORDERS.table()))
          .isInstanceOf(TableProgress.ChangesPublished.class);
      return;
    }
    assertThat(job.progress.get(ORDERS.table()))
        .isInstanceOf(TableProgress.SnapshotUnfinished.class);
    SnapshotWriter anew =
        job.agent.beginSnapshot(
            ORDERS.table(), new SnapshotStart("s2", SourceCommit.positionAt(105)));
    anew.write(ColumnBatches.of(WorkedExampleTest.order(5, "NEW", "1.00")));
    anew.finish();
    assertThat(job.consumed().rows(TableId.of("orders")))
        .contains(Rows.ofSource(List.of(WorkedExampleTest.order(5, "NEW", "1.00"))));
    assertThat(job.consumed().tables().get("orders").lines())
        .extracting(line -> line.op() + " " + line.sequence().substring(0, 9))
        .contains("T 000000002");
  }

  @Test
  void aDamagedManifestIsNamed() throws InterruptedException {
    twoCommitsInOneCycle();
    job.client().delete(MANIFEST, false);
    write(MANIFEST, "{\"v\":1,");

    assertThat(refused(job.listener.resumePoint()))
        .hasMessageContaining("_manifest-20261129100000.json");
  }

  @Test
  void aFolderThatLostCyclesIsRefused() throws InterruptedException {
    twoCommitsInOneCycle();
    job.client().delete(COMPLETED + CYCLE.substring(0, CYCLE.length() - 1), true);

    ActionRequiredException refused = refused(job.listener.resumePoint());

    assertThat(refused.code()).isEqualTo(ErrorCode.CONFLICT);
    assertThat(refused)
        .hasMessageContaining("CYCLE_STATE_BEHIND_HUB")
        .hasMessageContaining("2026-11-29-10-00-00")
        .hasMessageContaining("acceptTargetRollback");
    assertThat(paths()).as("nothing was cleared").anyMatch(path -> path.contains("/orders_"));
  }

  @Test
  void aLossThatIsAcceptedIsMarkedAndItsNamesStayTaken() throws InterruptedException {
    twoCommitsInOneCycle();
    job.client().delete(COMPLETED + CYCLE.substring(0, CYCLE.length() - 1), true);
    job.settings.put("acceptTargetRollback", "true");
    startsWith(job.listener.resumePoint());
    job.apply(insert(103));
    job.agent.flush();
    job.apply(insert(104));
    job.agent.flush();

    assertThat(job.consumed().cycles())
        .containsExactly("2026-11-29-10-00-01", "2026-11-29-10-00-02");
    assertThat(
            job.text("sales_cdc/cycle/contents/2026-11-29-10-00-01/_manifest-20261129100001.json"))
        .contains("\"rollback\":true");
    assertThat(
            job.text("sales_cdc/cycle/contents/2026-11-29-10-00-02/_manifest-20261129100002.json"))
        .doesNotContain("rollback");
    assertThat(job.listener.warnings())
        .anySatisfy(warning -> assertThat(warning).contains("acceptTargetRollback"));
  }

  @Test
  void aFolderThatWasEmptiedAndFilledAnewIsRefused() throws InterruptedException {
    twoCommitsInOneCycle();
    ResumePoint resume = job.listener.resumePoint();
    job.agent.close();
    job.client().delete(Job.FOLDER, true);
    job.time.turnTo(at("11:00:00"));
    job.start(ResumePoint.NONE, Faults.NONE, ORDERS, CUSTOMERS);
    job.apply(insert(101));
    job.agent.flush();

    assertThat(refused(resume))
        .hasMessageContaining("CYCLE_STATE_BEHIND_HUB")
        .hasMessageContaining("another job");
  }

  @Test
  void anotherFolderIsANewJobAtTheHubsPosition() throws InterruptedException {
    twoCommitsInOneCycle();
    job.settings.put("taskTargetDirectory", "sales_new");
    job.restart(ORDERS, CUSTOMERS);
    job.apply(insert(103));
    job.agent.flush();
    job.awaitConfirmed(103);

    assertThat(job.listener.warnings())
        .anySatisfy(warning -> assertThat(warning).contains("sales_new", "sales_cdc"));
    assertThat(new ConsumedTables(job.client(), "Files/cdc/sales_new").cycles())
        .containsExactly("2026-11-29-10-00-00");
  }

  @Test
  void anotherTimelineIsRefusedWhateverItsOrders() throws InterruptedException {
    twoCommitsInOneCycle();
    AgentState state = job.listener.resumePoint().state();

    ActionRequiredException refused =
        refused(new ResumePoint(Optional.of(new SourcePosition("other", 500, "")), state));

    assertThat(refused.code()).isEqualTo(ErrorCode.SOURCE_REPLACED);
    assertThat(refused).hasMessageContaining("'other'").hasMessageContaining("taskTargetDirectory");
  }

  @Test
  void anotherPipelinesFolderIsRefused() throws InterruptedException {
    twoCommitsInOneCycle();
    job.agent.close();
    String manifest = job.text(MANIFEST.substring("Files/cdc/".length()));
    job.client().delete(MANIFEST, false);
    write(MANIFEST, manifest.replace("\"pipeline\":\"sales\"", "\"pipeline\":\"purchases\""));

    assertThatThrownBy(() -> job.start(ORDERS))
        .isInstanceOf(ActionRequiredException.class)
        .hasMessageContaining("'purchases'")
        .hasMessageContaining("taskTargetDirectory");
  }
}
