package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static io.corehub.fabric.mirroring.PublishingTest.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.AgentState;
import io.corehub.agent.Commit;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.Finding;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Truncate;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OpeningTest {

  private static TableStoppedException stop(AgentRun run, TableSchema table) {
    assertThat(run.progress(table)).isInstanceOf(TableProgress.Stopped.class);
    TableStoppedException reason = ((TableProgress.Stopped) run.progress(table)).reason();
    assertThat(String.valueOf(reason.getMessage()))
        .as("the remedy is told once")
        .doesNotContainPattern("(?is)load(ed)? (the table )?anew.*load(ed)? (the table )?anew");
    return reason;
  }

  private static String folder(AgentRun run, TableSchema table) {
    return run.tables.folder(table.table());
  }

  @Test
  void aGapBetweenNumbersIsNamed() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.publish(insert(LOG, 1), insert(LOG, 2), insert(LOG, 3));
      first.listener.awaitConfirmed(SourceCommit.positionAt(3), AgentRun.PATIENCE);
      first.fileSystem.client().delete(folder(first, LOG) + "/00000000000000000002.parquet", false);

      try (AgentRun second = first.successor().open(LOG)) {
        assertThat(stop(second, LOG)).hasMessageContaining("00000000000000000002");
      }
    }
  }

  @Test
  void aFileWithoutBytesIsNamed() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.publish(insert(LOG, 1));
      first.fileSystem.client().create(folder(first, LOG) + "/00000000000000000002.parquet", true);

      try (AgentRun second = first.successor().open(LOG)) {
        assertThat(stop(second, LOG)).hasMessageContaining("has no bytes");
      }
    }
  }

  @Test
  void lastFilesThatAreGoneStopTheTableWhoseHostKnowsOfThem() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.publish(insert(LOG, 1), insert(LOG, 2), insert(LOG, 3));
      first.listener.awaitConfirmed(SourceCommit.positionAt(3), AgentRun.PATIENCE);
      first.fileSystem.client().delete(folder(first, LOG) + "/00000000000000000003.parquet", false);

      try (AgentRun second = first.successor().open(first.listener.resumePoint(), LOG)) {
        assertThat(stop(second, LOG).code()).isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
        assertThat(stop(second, LOG))
            .hasMessageContaining("00000000000000000002")
            .hasMessageContaining("00000000000000000003");
      }
      // Without a confirmed position everything is delivered again: nothing is lost.
      try (AgentRun third = first.successor().open(LOG)) {
        assertThat(third.progress(LOG)).isInstanceOf(TableProgress.ChangesPublished.class);
      }
    }
  }

  @Test
  void theEndOfASnapshotThatIsGoneStopsTheTableWhoseHostKnowsOfIt() throws InterruptedException {
    try (AgentRun first = new AgentRun().withTable("parquetMaxRowCount", "1").open(LOG)) {
      first.snapshot(LOG, "s1", 10, AgentRun.rows(LOG, 1, 2));
      first.agent().flush();
      first.fileSystem.client().delete(folder(first, LOG) + "/00000000000000000002.parquet", false);

      try (AgentRun second = first.successor().open(first.listener.resumePoint(), LOG)) {
        assertThat(stop(second, LOG).code()).isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
      }
    }
  }

  @Test
  void anotherFileUnderTheLastNumberStopsTheTableWhoseHostKnowsTheOneThatWasThere()
      throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.publish(insert(LOG, 1), insert(LOG, 2));
      first.listener.awaitConfirmed(SourceCommit.positionAt(2), AgentRun.PATIENCE);
      ResumePoint known = first.listener.resumePoint();
      first.fileSystem.client().delete(folder(first, LOG) + "/00000000000000000002.parquet", false);
      for (int i = 2; i <= 3; i++) {
        try (AgentRun forgetful = first.successor().open(LOG)) {
          forgetful.publish(insert(LOG, i + 10));
        }

        try (AgentRun second = first.successor().open(known, LOG)) {
          assertThat(stop(second, LOG).code())
              .as("last number %d", i)
              .isEqualTo(ErrorCode.CONFLICT);
          assertThat(stop(second, LOG))
              .hasMessageContaining("number 2")
              .hasMessageContaining("log");
        }
      }
    }
  }

  @Test
  void aFolderThatAnotherRunBeganAnewIsGoneOnWithOnlyIfItIsAsFar() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.publish(insert(LOG, 1), insert(LOG, 2), insert(LOG, 3));
      first.listener.awaitConfirmed(SourceCommit.positionAt(3), AgentRun.PATIENCE);
      ResumePoint known = first.listener.resumePoint();
      first.fileSystem.client().delete(folder(first, LOG), true);
      try (AgentRun forgetful = first.successor().open(LOG)) {
        forgetful.publish(insert(LOG, 1), insert(LOG, 2));
      }
      try (AgentRun second = first.successor().open(known, LOG)) {
        assertThat(stop(second, LOG).code()).isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
        assertThat(stop(second, LOG)).hasMessageContaining("begun anew by another run");
      }
      try (AgentRun forgetful = first.successor().open(LOG)) {
        forgetful.publish(insert(LOG, 3));
      }

      try (AgentRun second = first.successor().open(known, LOG)) {
        second.publish(insert(LOG, 4));

        assertThat(second.tables.names(LOG.table())).hasSize(4);
      }
    }
  }

  @Test
  void theSequenceGoesOnBehindFilesThatFabricMovedAway() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.publish(insert(LOG, 1), insert(LOG, 2));
      first.listener.awaitConfirmed(SourceCommit.positionAt(2), AgentRun.PATIENCE);
      DfsClient fabric = first.fileSystem.client();
      fabric.createDirectory(folder(first, LOG) + "/_FilesReadyToDelete");
      for (int i = 1; i <= 2; i++) {
        String name = FileName.numbered(i);
        fabric.renameIfAbsent(
            folder(first, LOG) + "/" + name, folder(first, LOG) + "/_FilesReadyToDelete/" + name);
      }

      try (AgentRun second = first.successor().open(first.listener.resumePoint(), LOG)) {
        second.publish(insert(LOG, 3));

        assertThat(second.tables.names(LOG.table()))
            .containsExactly("00000000000000000003.parquet");
      }
    }
  }

  @Test
  void numbersBeyondALongAreRefused() throws InterruptedException {
    try (AgentRun run = new AgentRun()) {
      run.fileSystem.client().createDirectory(folder(run, LOG));
      put(run, folder(run, LOG) + "/99999999999999999999.parquet", "x");
      run.open(LOG);

      assertThat(stop(run, LOG).code()).isEqualTo(ErrorCode.CONFLICT);
    }
  }

  @Test
  void aFolderOfAnotherPipelineIsRefused() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.publish(insert(LOG, 1));
      AgentRun other = first.successor();
      other.pipeline = "warehouse";
      try (other) {
        other.open(LOG);

        assertThat(stop(other, LOG)).hasMessageContaining("shop").hasMessageContaining("warehouse");
      }
    }
  }

  @Test
  void aCopiedFileIsRefused() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.publish(insert(LOG, 1));
      first
          .fileSystem
          .client()
          .renameIfAbsent(
              folder(first, LOG) + "/00000000000000000001.parquet",
              folder(first, LOG) + "/00000000000000000007.parquet");

      try (AgentRun second = first.successor().open(LOG)) {
        assertThat(stop(second, LOG)).hasMessageContaining("number 1");
      }
    }
  }

  @Test
  void metadataWithAnotherKeyStopsTheTableBeforeAnyFile() throws InterruptedException {
    try (AgentRun run = new AgentRun()) {
      run.fileSystem.client().createDirectory(folder(run, ORDERS));
      put(run, folder(run, ORDERS) + "/_metadata.json", "{\"keyColumns\":[\"text\"]}");
      run.open(ORDERS);

      assertThat(stop(run, ORDERS).code()).isEqualTo(ErrorCode.KEY_CHANGED);
    }
  }

  @Test
  void metadataLeftByAnInterruptedFirstStartIsNoObstacle() throws InterruptedException {
    try (AgentRun run = new AgentRun()) {
      run.fileSystem.client().createDirectory(folder(run, ORDERS));
      put(run, folder(run, ORDERS) + "/_metadata.json", "{\"keyColumns\":[\"id\"]}");
      run.open(ORDERS).publish(insert(ORDERS, 1));

      assertThat(run.tables.names(ORDERS.table())).hasSize(1);
    }
  }

  @Test
  void garbageInTheMetadataIsAnErrorAndStays() throws InterruptedException {
    try (AgentRun run = new AgentRun()) {
      run.fileSystem.client().createDirectory(folder(run, ORDERS));
      put(run, folder(run, ORDERS) + "/_metadata.json", "{\"keyCol");
      run.open(ORDERS);

      assertThat(stop(run, ORDERS)).hasMessageContaining("_metadata.json");
      assertThat(
              new String(
                  run.tables.bytes(folder(run, ORDERS) + "/_metadata.json"),
                  StandardCharsets.UTF_8))
          .isEqualTo("{\"keyCol");
    }
  }

  @Test
  void aTableThatGetsItsKeyLaterGetsMetadata() throws InterruptedException {
    TableSchema keyed = new TableSchema(LOG.table(), LOG.columns(), List.of("id"), 2);
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.publish(insert(LOG, 1));
      assertThat(first.tables.keys(LOG.table())).isEmpty();

      try (AgentRun second = first.successor().open(keyed)) {
        second.publish(
            insert(keyed, 2), SourceCommit.at(3, new Delete(SourceRow.of(keyed, 1, "row 1"))));

        assertThat(second.tables.keys(LOG.table())).containsExactly("id");
        assertThat(second.tables.rows(LOG.table()))
            .contains(Rows.ofSource(AgentRun.rows(LOG, 2, 2)));
      }
    }
  }

  @Test
  void anotherTimelineStopsTheTable() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.publish(insert(LOG, 1));

      try (AgentRun second = first.successor().open(LOG)) {
        second.apply(
            new SourceCommit(
                Commit.at(new SourcePosition("restored", 1, "")),
                List.of(new Insert(SourceRow.of(LOG, 1, "x")))));

        assertThat(second.listener.awaitStop(LOG.table(), AgentRun.PATIENCE).code())
            .isEqualTo(ErrorCode.SOURCE_REPLACED);
      }
      try (AgentRun third = first.successor()) {
        third.open(
            new ResumePoint(Optional.of(new SourcePosition("restored", 1, "")), AgentState.NONE),
            LOG);
        assertThat(stop(third, LOG).code()).isEqualTo(ErrorCode.SOURCE_REPLACED);
      }
    }
  }

  @Test
  void namesThatCannotBeFoldersStopTheirTablesAlone() throws InterruptedException {
    TableSchema hidden = named(TableId.of("_hidden"));
    TableSchema slash = named(TableId.of("shop", "a/b"));
    TableSchema schemaLike = named(TableId.of("x.schema"));
    TableSchema upper = named(TableId.of("shop", "Orders"));
    TableSchema odd = named(TableId.of("shop", "50% #1 +ä"));
    try (AgentRun run = new AgentRun().open(hidden, slash, schemaLike, ORDERS, upper, odd)) {
      for (TableSchema refused : List.of(hidden, slash, schemaLike, ORDERS, upper)) {
        assertThat(stop(run, refused).code()).isEqualTo(ErrorCode.NAME_REFUSED);
      }
      run.publish(insert(odd, 1));

      assertThat(run.tables.rows(odd.table())).isPresent();
    }
  }

  @Test
  void twoTablesThatAreAddedAtTheSameMomentAreRefusedTogether() throws Exception {
    TableSchema upper = named(TableId.of("shop", "Orders"));
    ExecutorService host = Executors.newSingleThreadExecutor();
    try (AgentRun run = new AgentRun().open()) {
      CountDownLatch looking = new CountDownLatch(1);
      CountDownLatch bothAdded = new CountDownLatch(1);
      run.script.before(
          Operation.LIST,
          "shop.schema/orders",
          () -> {
            looking.countDown();
            bothAdded.await();
          });
      Future<TableProgress> lower = host.submit(() -> run.agent().addTable(run.spec(ORDERS)));
      looking.await();

      TableProgress second = run.agent().addTable(run.spec(upper));
      bothAdded.countDown();

      for (TableProgress each : List.of(second, lower.get())) {
        assertThat(((TableProgress.Stopped) each).reason())
            .hasMessageContaining("differ only by case")
            .extracting(TableStoppedException::code)
            .isEqualTo(ErrorCode.NAME_REFUSED);
      }
    } finally {
      host.shutdownNow();
    }
  }

  private static TableSchema named(TableId id) {
    return new TableSchema(id, LOG.columns(), List.of(), 1);
  }

  /** What a restart costs: a list of the folder and one ranged read of the last file's end. */
  @Test
  void aTableIsOpenedByOneListAndTheEndOfItsLastFile() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG, ORDERS)) {
      first.publish(insert(LOG, 1), insert(LOG, 2), insert(ORDERS, 3));

      try (AgentRun keyless = first.successor().open(LOG)) {
        assertThat(keyless.script.take().stream().filter(request -> !request.startsWith("HEAD")))
            .containsExactly("LIST log", "READ 00000000000000000002.parquet");
      }
      try (AgentRun keyed = first.successor().open(ORDERS)) {
        assertThat(keyed.script.take().stream().filter(request -> !request.startsWith("HEAD")))
            .containsExactly(
                "LIST orders", "READ 00000000000000000001.parquet", "READ _metadata.json");
      }
    }
  }

  @Test
  void sixteenFoldersAreLookedAtAtATimeAndNoMore() throws Exception {
    TableSchema[] tables =
        IntStream.range(0, 40)
            .mapToObj(n -> new TableSchema(TableId.of("many_" + n), LOG.columns(), List.of(), 1))
            .toArray(TableSchema[]::new);
    CountDownLatch held = new CountDownLatch(16);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    try (AgentRun run = new AgentRun()) {
      run.beforeUploads = begun::incrementAndGet;
      run.script.always(
          Operation.LIST,
          "many_",
          () -> {
            held.countDown();
            go.await();
          });
      FutureTask<AgentRun> opening = new FutureTask<>(() -> run.open(tables));
      Thread host = new Thread(opening, "host");
      host.start();
      assertThat(held.await(AgentRun.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      long end = System.nanoTime() + AgentRun.PATIENCE.toNanos();
      while (host.getState() != Thread.State.WAITING) {
        assertThat(System.nanoTime() - end).as("the host waits in time").isNegative();
        Thread.onSpinWait();
      }

      assertThat(begun).hasValue(16);

      go.countDown();
      opening.get(AgentRun.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(run.progress(tables[39])).isInstanceOf(TableProgress.NothingPublished.class);
    }
  }

  @Test
  void aFinishedSnapshotIsReportedAndASecondOneRefusedByDefault() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(ORDERS)) {
      first.snapshot(ORDERS, "s1", 10, AgentRun.rows(ORDERS, 1, 3));

      try (AgentRun second = first.successor().open(ORDERS)) {
        assertThat(second.progress(ORDERS))
            .isEqualTo(
                new TableProgress.SnapshotFinished(
                    "s1", new SourcePosition(SourceCommit.TIMELINE, 10, "")));
        assertThatThrownBy(() -> second.begin(ORDERS, "s2", 20))
            .isInstanceOf(TableStoppedException.class)
            .hasMessageContaining("recreate")
            .hasMessageContaining("append")
            .hasMessageContaining("upsert");
      }
    }
  }

  @Test
  void anInterruptedSnapshotStartsOver() throws InterruptedException {
    try (AgentRun first = new AgentRun().withTable("parquetMaxRowCount", "2").open(ORDERS)) {
      SnapshotWriter writer = first.begin(ORDERS, "s1", 10);
      writer.write(ColumnBatches.of(ORDERS, AgentRun.rows(ORDERS, 1, 5)));
      first.agent().flush();
      awaitFiles(first, 2);

      try (AgentRun second = first.successor().open(ORDERS)) {
        assertThat(second.progress(ORDERS)).isEqualTo(new TableProgress.SnapshotUnfinished("s1"));
        second.snapshot(ORDERS, "s2", 11, AgentRun.rows(ORDERS, 1, 5));

        assertThat(second.tables.rows(ORDERS.table()))
            .contains(Rows.ofSource(AgentRun.rows(ORDERS, 1, 5)));
        assertThat(second.tables.names(ORDERS.table())).hasSize(3);
      }
    }
  }

  private static void awaitFiles(AgentRun run, int count) throws InterruptedException {
    long deadline = System.nanoTime() + AgentRun.PATIENCE.toNanos();
    while (run.tables.names(ORDERS.table()).size() < count && System.nanoTime() < deadline) {
      run.agent().flush();
      Thread.onSpinWait();
    }
    assertThat(run.tables.names(ORDERS.table())).hasSize(count);
  }

  @Test
  void recreatingWaitsUntilFabricDroppedTheTableAndShowsItAgain() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(ORDERS)) {
      first.snapshot(ORDERS, "s1", 10, AgentRun.rows(ORDERS, 1, 3));
      AgentRun second = first.successor().withTable("snapshotOntoExistingTable", "recreate");
      try (second) {
        second.open(ORDERS);
        String status = "Files/Monitoring/tables.json";
        String shown =
            "{\"tables\":[{\"sourceSchemaName\":\"shop\",\"sourceTableName\":\"orders\"}]}";
        DfsClient fabric = second.fileSystem.client();
        fabric.createDirectory("Files/Monitoring");
        put(second, status, shown);
        int[] sleeps = {0};
        second.script.onSleep(
            () -> {
              sleeps[0]++;
              try {
                fabric.delete(status, false);
                put(second, status, sleeps[0] == 2 ? "{\"tables\":[]}" : shown);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });

        second.snapshot(ORDERS, "s2", 20, AgentRun.rows(ORDERS, 4, 5));

        assertThat(sleeps[0]).isGreaterThan(2);
        assertThat(second.tables.rows(ORDERS.table()))
            .contains(Rows.ofSource(AgentRun.rows(ORDERS, 4, 5)));
        assertThat(second.tables.names(ORDERS.table())).containsExactly(FileName.numbered(1));
      }
    }
  }

  @Test
  void appendAndUpsertGoOnInTheSameFolder() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(ORDERS, LOG)) {
      first.snapshot(ORDERS, "s1", 10, AgentRun.rows(ORDERS, 1, 3));
      first.snapshot(LOG, "s1", 10, AgentRun.rows(LOG, 1, 3));
      AgentRun upsert = first.successor().withTable("snapshotOntoExistingTable", "upsert");
      try (upsert) {
        upsert.open(ORDERS);
        upsert.snapshot(ORDERS, "s2", 20, AgentRun.rows(ORDERS, 2, 5));
        assertThat(upsert.tables.rows(ORDERS.table()))
            .contains(Rows.ofSource(AgentRun.rows(ORDERS, 1, 5)));
      }
      AgentRun append = first.successor().withTable("snapshotOntoExistingTable", "append");
      try (append) {
        append.open(LOG);
        append.snapshot(LOG, "s2", 20, AgentRun.rows(LOG, 4, 5));
        assertThat(append.tables.rows(LOG.table()))
            .contains(Rows.ofSource(AgentRun.rows(LOG, 1, 5)));
      }
    }
  }

  @Test
  void recreateCuresAChangedKey() throws InterruptedException {
    TableSchema other = new TableSchema(ORDERS.table(), ORDERS.columns(), List.of("text"), 2);
    try (AgentRun first = new AgentRun().open(ORDERS)) {
      first.publish(insert(ORDERS, 1));
      AgentRun second = first.successor().withTable("snapshotOntoExistingTable", "recreate");
      try (second) {
        second.open(other);
        assertThat(second.progress(other)).isInstanceOf(TableProgress.NothingPublished.class);
        second.snapshot(other, "s2", 20, AgentRun.rows(other, 1, 2));

        assertThat(second.tables.keys(other.table())).containsExactly("text");
      }
    }
  }

  @Test
  void skippedOperationsMarkTheTableAsDiverged() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG, ORDERS)) {
      first.publish(
          insert(LOG, 1),
          SourceCommit.at(2, new Delete(SourceRow.of(LOG, 1, "row 1"))),
          SourceCommit.at(3, new Truncate(ORDERS)),
          SourceCommit.at(4, new Truncate(ORDERS)));

      assertThat(first.status(LOG).diverged()).isTrue();
      assertThat(first.status(ORDERS).diverged()).isTrue();
      assertThat(first.listener.warnings()).hasSize(2);
      assertThat(first.listener.lastConfirmed()).contains(SourceCommit.positionAt(4));
      try (AgentRun second = first.successor()) {
        second.open(first.listener.resumePoint(), LOG, ORDERS);
        assertThat(second.status(LOG).diverged()).isTrue();
      }
    }
  }

  @Test
  void skippedOperationsAreAllCountedAndWarnedOfOnceInTenMinutes() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(LOG, ORDERS)) {
      run.publish(insert(LOG, 1), insert(LOG, 2), insert(LOG, 3), insert(ORDERS, 4));
      run.publish(SourceCommit.at(5, new Delete(SourceRow.of(LOG, 1, "row 1"))));
      run.publish(
          SourceCommit.at(6, new Delete(SourceRow.of(LOG, 2, "row 2")), new Truncate(ORDERS)),
          SourceCommit.at(7, new Truncate(ORDERS)));
      assertThat(run.listener.warnings()).hasSize(2);

      run.advance(Duration.ofMinutes(10));
      run.publish(SourceCommit.at(8, new Delete(SourceRow.of(LOG, 3, "row 3"))));

      assertThat(run.listener.warnings())
          .hasSize(3)
          .last()
          .asString()
          .contains(
              "Table shop.log: 2 operations were skipped",
              "deletes of a table without primary key");
      assertThat(run.counted)
          .containsEntry("deletes.skipped", 3.0)
          .containsEntry("truncates.skipped", 2.0);
      assertThat(run.tables.rows(LOG.table()).orElseThrow().count()).isEqualTo(3);
      assertThat(run.tables.rows(ORDERS.table()).orElseThrow().count()).isEqualTo(1);
    }
  }

  @Test
  void partnerEventsAreWrittenOnceAndNeverStopAnything() throws InterruptedException {
    try (AgentRun run = new AgentRun().with("writePartnerEvents", "true").open(LOG)) {
      run.publish(insert(LOG, 1));

      String file = AgentRun.ROOT + "/_partnerEvents.json";
      assertThat(Json.parse(new String(run.tables.bytes(file), StandardCharsets.UTF_8)))
          .isEqualTo(
              Json.parse(
                  "{\"partnerName\":\"MOLO17\",\"sourceInfo\":{\"sourceType\":\"Gluesync\","
                      + "\"additionalInformation\":{\"databaseType\":\"postgresql\","
                      + "\"databaseVersion\":\"16\"}}}"));
    }
  }

  @Test
  void aPrefixThatTakesTablesToWhereFabricDoesNotLookIsToldOfEachTable()
      throws InterruptedException {
    try (AgentRun run = new AgentRun().with("customPrefix", "eu.schema").open(LOG)) {
      run.agent().flush();
      assertThat(run.listener.warnings())
          .singleElement()
          .asString()
          .contains("customPrefix 'eu.schema'", "[shop.log]", "Leave the prefix empty");
    }
    try (AgentRun run =
        new AgentRun().with("customPrefix", "eu.schema").open(named(TableId.of("plain")))) {
      run.agent().flush();
      assertThat(run.listener.warnings()).isEmpty();
    }
  }

  @Test
  void checkFindsEverythingAndWritesNothing() throws InterruptedException {
    try (AgentRun run = new AgentRun().with("customPrefix", "team/a")) {
      List<Finding> findings = run.create().check();

      assertThat(findings).extracting(Finding::severity).contains(Finding.Severity.WARNING);
      assertThat(findings).noneMatch(f -> f.severity() == Finding.Severity.ERROR);
      assertThat(run.script.take()).noneMatch(r -> r.startsWith("CREATE"));
    }
  }
}
