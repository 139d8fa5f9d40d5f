package io.corehub.fabric.mirroring;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.PublishedFile;
import io.corehub.agent.TableProgress;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PublishingTest {

  static final TableSchema ORDERS = table("orders", List.of("id"));
  static final TableSchema LOG = table("log", List.of());

  private static TableSchema table(String name, List<String> keys) {
    return new TableSchema(
        TableId.of("shop", name),
        List.of(
            Column.of("id", ColumnType.of(Kind.INT)),
            Column.of("text", ColumnType.of(Kind.STRING))),
        keys,
        1);
  }

  static SourceCommit insert(TableSchema table, int id) {
    return SourceCommit.at(id, new Insert(SourceRow.of(table, id, "row " + id)));
  }

  @Test
  void firstFileOfAKeyedTableComesAfterItsMetadata() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.script.take();

      run.publish(insert(ORDERS, 1));

      assertThat(run.script.take())
          .satisfiesExactly(
              first -> assertThat(first).startsWith("CREATE _metadata."),
              second -> assertThat(second).startsWith("APPEND _metadata."),
              third -> assertThat(third).isEqualTo("RENAME _metadata.json"),
              look -> assertThat(look).isEqualTo("READ _metadata.json"),
              create -> assertThat(create).isEqualTo("CREATE _00000000000000000001"),
              append -> assertThat(append).isEqualTo("APPEND _00000000000000000001"),
              rename -> assertThat(rename).isEqualTo("RENAME 00000000000000000001.parquet"));
      assertThat(run.tables.keys(ORDERS.table())).containsExactly("id");
    }
  }

  @Test
  void aSmallFileTakesExactlyThreeRequests() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.publish(insert(ORDERS, 1));
      run.script.take();

      run.publish(insert(ORDERS, 2));

      assertThat(run.script.take())
          .containsExactly(
              "CREATE _00000000000000000002",
              "APPEND _00000000000000000002",
              "RENAME 00000000000000000002.parquet");
    }
  }

  @Test
  void afterAPauseOneListComesBeforeTheCreate() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.publish(insert(ORDERS, 1));
      run.now.updateAndGet(now -> now.plusSeconds(11));
      run.script.take();

      run.publish(insert(ORDERS, 2));

      assertThat(run.script.take())
          .containsExactly(
              "LIST orders",
              "CREATE _00000000000000000002",
              "APPEND _00000000000000000002",
              "RENAME 00000000000000000002.parquet");
    }
  }

  /** A wall clock may be set back while time passes, and the other stands still in a suspend. */
  @Test
  void aPauseByEitherClockIsOne() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.publish(insert(ORDERS, 1));
      run.now.updateAndGet(now -> now.minusSeconds(3_600));
      run.advance(Duration.ofSeconds(11));
      run.script.take();
      run.publish(insert(ORDERS, 2));
      assertThat(run.script.take()).startsWith("LIST orders");
    }
  }

  @Test
  void aLargeFileIsAppendedInBlocksAndFlushedOnce() throws InterruptedException {
    Random random = new Random(1);
    byte[] bytes = new byte[1_700_000];
    random.nextBytes(bytes);
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append((char) ('!' + (b & 63)));
    }
    try (AgentRun run = new AgentRun().with("uploadBlockSizeMb", "1").open(LOG)) {
      run.script.take();

      run.publish(SourceCommit.at(1, new Insert(SourceRow.of(LOG, 1, text.toString()))));

      List<String> requests = run.script.take();
      assertThat(requests.get(0)).isEqualTo("CREATE _00000000000000000001");
      assertThat(requests).filteredOn(r -> r.startsWith("APPEND")).hasSizeGreaterThan(1);
      assertThat(requests.subList(requests.size() - 2, requests.size()))
          .containsExactly("FLUSH _00000000000000000001", "RENAME 00000000000000000001.parquet");
      assertThat(run.tables.rows(LOG.table()))
          .contains(Rows.ofSource(List.of(SourceRow.of(LOG, 1, text.toString()))));
    }
  }

  static Stream<Arguments> faults() {
    List<Arguments> all = new ArrayList<>();
    for (Operation operation : List.of(Operation.CREATE, Operation.APPEND, Operation.RENAME)) {
      for (boolean after : new boolean[] {false, true}) {
        for (DfsException.Kind kind :
            List.of(
                DfsException.Kind.CONNECTION_LOST,
                DfsException.Kind.TIMEOUT,
                DfsException.Kind.TRANSIENT)) {
          all.add(Arguments.of(operation, after, kind, true));
        }
        all.add(Arguments.of(operation, false, DfsException.Kind.THROTTLED, false));
      }
    }
    for (DfsException.Kind kind :
        List.of(
            DfsException.Kind.ALREADY_EXISTS,
            DfsException.Kind.SOURCE_NOT_FOUND,
            DfsException.Kind.PARENT_NOT_FOUND,
            DfsException.Kind.CONDITION_NOT_MET)) {
      all.add(Arguments.of(Operation.RENAME, true, kind, true));
      all.add(Arguments.of(Operation.RENAME, false, kind, true));
    }
    // A right that is missing may be that to replace a file, which then is there.
    all.add(Arguments.of(Operation.RENAME, true, DfsException.Kind.FORBIDDEN, true));
    all.add(Arguments.of(Operation.APPEND, false, DfsException.Kind.INVALID_FLUSH_POSITION, false));
    all.add(Arguments.of(Operation.APPEND, false, DfsException.Kind.NOT_FOUND, false));
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void whateverARequestAnswersEachRowStandsThereOnce(
      Operation operation, boolean after, DfsException.Kind kind, boolean unknown)
      throws InterruptedException {
    try (AgentRun run = new AgentRun().open(LOG)) {
      run.script.fail(operation, "0001", after, 2, kind, unknown);
      run.script.fail(operation, "0003", after, 1, kind, unknown);

      run.publish(insert(LOG, 1), insert(LOG, 2), insert(LOG, 3), insert(LOG, 4));

      assertThat(
              run.tables
                  .rows(LOG.table())
                  .orElseThrow()
                  .differenceTo(Rows.ofSource(AgentRun.rows(LOG, 1, 4))))
          .isEmpty();
      assertThat(run.tables.names(LOG.table())).hasSize(4);
      assertThat(run.listener.lastConfirmed()).contains(SourceCommit.positionAt(4));
      assertThat(run.listener.stoppedTables()).isEmpty();
      assertThat(run.listener.files())
          .as("each file is told once, however often it was tried")
          .extracting(PublishedFile::name)
          .containsExactlyInAnyOrderElementsOf(run.tables.names(LOG.table()));
      run.assertNoViolations();
    }
  }

  @Test
  void aTemporaryFileThatVanishesIsUploadedAgain() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(LOG)) {
      DfsClient other = run.fileSystem.client();
      run.script.before(
          Operation.RENAME,
          "0001.parquet",
          () -> {
            for (String name : run.tables.entries(LOG.table())) {
              other.delete(run.tables.folder(LOG.table()) + "/" + name, false);
            }
          });

      run.publish(insert(LOG, 1), insert(LOG, 2));

      assertThat(run.tables.rows(LOG.table())).contains(Rows.ofSource(AgentRun.rows(LOG, 1, 2)));
    }
  }

  @Test
  void afterALongUploadOneListComesBeforeTheRename() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.publish(insert(ORDERS, 1));
      run.script.take();
      run.script.before(
          Operation.APPEND, "/_0", () -> run.now.updateAndGet(now -> now.plusSeconds(11)));

      run.publish(insert(ORDERS, 2));

      assertThat(run.script.take())
          .startsWith(
              "CREATE _00000000000000000002",
              "APPEND _00000000000000000002",
              "LIST orders",
              "RENAME 00000000000000000002.parquet");
    }
  }

  @Test
  void aFolderDeletedUnderAnUploadStopsItsTableAndNothingIsWrittenThere()
      throws InterruptedException {
    try (AgentRun run = new AgentRun().open(LOG)) {
      run.publish(insert(LOG, 1));
      run.script.before(
          Operation.RENAME,
          "00000000000000000002",
          () -> run.fileSystem.client().delete(run.tables.folder(LOG.table()), true));

      run.publish(insert(LOG, 2));

      assertThat(run.listener.awaitStop(LOG.table(), AgentRun.PATIENCE).code())
          .isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
      assertThat(run.tables.entries(LOG.table())).isEmpty();
    }
  }

  @Test
  void aForeignFileAtOurNumberStopsTheTableAndIsLeftAlone() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(LOG, ORDERS)) {
      String path = run.tables.folder(LOG.table()) + "/00000000000000000001.parquet";
      run.script.before(Operation.RENAME, "log/0", () -> put(run, path, "not ours"));

      run.publish(insert(LOG, 1), insert(ORDERS, 2));

      assertThat(run.listener.awaitStop(LOG.table(), AgentRun.PATIENCE).code())
          .isEqualTo(ErrorCode.CONFLICT);
      assertThat(new String(run.tables.bytes(path), StandardCharsets.UTF_8)).isEqualTo("not ours");
      assertThat(run.tables.rows(ORDERS.table())).isPresent();
      assertThat(run.listener.files())
          .extracting(PublishedFile::table)
          .containsOnly(ORDERS.table());
      assertThat(run.listener.confirmations()).isEmpty();
    }
  }

  static void put(AgentRun run, String path, String content) throws InterruptedException {
    DfsClient client = run.fileSystem.client();
    client.create(path, true);
    client.append(
        path,
        0,
        ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)),
        AppendMode.APPEND_FLUSH_CLOSE);
  }

  @Test
  void anOldWriterIsFencedByANewerOne() throws InterruptedException {
    try (AgentRun old = new AgentRun().open(LOG)) {
      old.publish(insert(LOG, 1));
      try (AgentRun newer = new AgentRun(old.fileSystem)) {
        newer.epoch = 2;
        newer.open(LOG).publish(insert(LOG, 2));

        old.apply(insert(LOG, 2));
        old.agent().flush();

        assertThat(old.listener.awaitStop(LOG.table(), AgentRun.PATIENCE).code())
            .isEqualTo(ErrorCode.FENCED);
        newer.publish(insert(LOG, 3));
        assertThat(newer.tables.rows(LOG.table()))
            .contains(Rows.ofSource(AgentRun.rows(LOG, 1, 3)));
      }
    }
  }

  @Test
  void anOldWriterThatWakesAfterItsNumberWasCleanedUpWritesNothing() throws InterruptedException {
    try (AgentRun old = new AgentRun().open(LOG)) {
      old.publish(insert(LOG, 1));
      try (AgentRun newer = new AgentRun(old.fileSystem)) {
        newer.epoch = 2;
        newer.open(LOG).publish(insert(LOG, 2), insert(LOG, 3));
        DfsClient fabric = old.fileSystem.client();
        fabric.delete(old.tables.folder(LOG.table()) + "/00000000000000000001.parquet", false);
        fabric.delete(old.tables.folder(LOG.table()) + "/00000000000000000002.parquet", false);
        old.now.updateAndGet(now -> now.plusSeconds(60));

        old.publish(insert(LOG, 2));

        assertThat(old.listener.awaitStop(LOG.table(), AgentRun.PATIENCE).code())
            .isEqualTo(ErrorCode.FENCED);
        assertThat(old.tables.names(LOG.table())).containsExactly("00000000000000000003.parquet");
      }
    }
  }

  @Test
  void aFolderDeletedWhileRunningStopsItsTableAndNothingIsWrittenThere()
      throws InterruptedException {
    try (AgentRun run = new AgentRun().open(LOG, ORDERS)) {
      run.publish(insert(LOG, 1));
      run.fileSystem.client().delete(run.tables.folder(LOG.table()), true);
      run.now.updateAndGet(now -> now.plusSeconds(11));

      run.publish(insert(LOG, 2), insert(ORDERS, 3));

      assertThat(run.listener.awaitStop(LOG.table(), AgentRun.PATIENCE).code())
          .isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
      assertThat(run.tables.entries(LOG.table())).isEmpty();
      assertThat(run.tables.rows(ORDERS.table())).isPresent();
    }
  }

  @Test
  void aFolderDeletedBetweenTwoFilesIsFoundAtTheNextLook() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(LOG)) {
      run.publish(insert(LOG, 1), insert(LOG, 2));
      run.fileSystem.client().delete(run.tables.folder(LOG.table()), true);
      run.publish(insert(LOG, 3));
      run.now.updateAndGet(now -> now.plusSeconds(11));

      run.publish(insert(LOG, 4));

      assertThat(run.listener.awaitStop(LOG.table(), AgentRun.PATIENCE).code())
          .isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
      assertThat(run.tables.names(LOG.table())).containsExactly("00000000000000000003.parquet");
    }
  }

  /** Its number is written by nobody again, and Fabric would wait for it for ever. */
  @Test
  void aLastFileThatIsDeletedStopsItsTableAtTheNextLook() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(LOG)) {
      run.publish(insert(LOG, 1), insert(LOG, 2), insert(LOG, 3));
      run.fileSystem
          .client()
          .delete(run.tables.folder(LOG.table()) + "/00000000000000000003.parquet", false);
      run.now.updateAndGet(now -> now.plusSeconds(11));

      run.publish(insert(LOG, 4));

      assertThat(run.listener.awaitStop(LOG.table(), AgentRun.PATIENCE).code())
          .isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
      assertThat(run.tables.names(LOG.table()))
          .containsExactly("00000000000000000001.parquet", "00000000000000000002.parquet");
    }
  }

  @Test
  void aFolderDeletedBetweenTwoFilesIsFoundByTheNextRunWhenItsMetadataIsGone()
      throws InterruptedException {
    try (AgentRun first = new AgentRun().open(ORDERS)) {
      first.publish(insert(ORDERS, 1), insert(ORDERS, 2));
      first.fileSystem.client().delete(first.tables.folder(ORDERS.table()), true);
      first.publish(insert(ORDERS, 3));

      try (AgentRun second = first.successor().open(first.listener.resumePoint(), ORDERS)) {
        assertThat(second.progress(ORDERS)).isInstanceOf(TableProgress.Stopped.class);
        assertThat(second.listener.awaitStop(ORDERS.table(), AgentRun.PATIENCE).code())
            .isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
      }
    }
  }

  @Test
  void aFileWhoseRenameTookLongIsNotConfirmedWhenAnotherRunWentOn() throws InterruptedException {
    try (AgentRun old = new AgentRun().open(LOG)) {
      old.publish(insert(LOG, 1));
      String folder = old.tables.folder(LOG.table()) + "/";
      DfsClient fabric = old.fileSystem.client();
      old.script.before(
          Operation.RENAME,
          "00000000000000000002.parquet",
          () -> {
            AgentRun newer = new AgentRun(old.fileSystem);
            newer.epoch = 2;
            try (newer) {
              newer.open(LOG).publish(insert(LOG, 2), insert(LOG, 3));
            }
            fabric.delete(folder + FileName.numbered(1), false);
            fabric.delete(folder + FileName.numbered(2), false);
            old.now.updateAndGet(now -> now.plusSeconds(60));
          });

      old.publish(insert(LOG, 2));

      assertThat(old.listener.awaitStop(LOG.table(), AgentRun.PATIENCE).code())
          .isEqualTo(ErrorCode.FENCED);
      assertThat(old.listener.resumePoint().confirmed()).contains(SourceCommit.positionAt(1));
    }
  }

  @Test
  void aFolderDeletedBetweenTwoRunsStopsItsTable() throws InterruptedException {
    try (AgentRun first = new AgentRun().open(LOG)) {
      first.publish(insert(LOG, 1));
      first.fileSystem.client().delete(first.tables.folder(LOG.table()), true);
      try (AgentRun second = first.successor()) {
        second.open(first.listener.resumePoint(), LOG);

        assertThat(second.progress(LOG)).isInstanceOf(TableProgress.Stopped.class);
        assertThat(second.listener.awaitStop(LOG.table(), AgentRun.PATIENCE).code())
            .isEqualTo(ErrorCode.NEEDS_SNAPSHOT);
      }
    }
  }

  @Test
  void aCrashAtAnyRequestLosesAndRepeatsNothing() throws InterruptedException {
    for (int requests = 1; requests < 34; requests++) {
      AgentRun run = new AgentRun().open(LOG, ORDERS);
      run.script.dieAfter(requests);
      for (int id = 1; id <= 6; id++) {
        run.apply(insert(id % 2 == 0 ? LOG : ORDERS, id));
      }
      try (AgentRun next = run.successor()) {
        next.open(run.listener.resumePoint(), LOG, ORDERS);
        long confirmed = run.listener.lastConfirmed().map(p -> p.order()).orElse(0L);
        for (int id = (int) confirmed + 1; id <= 8; id++) {
          next.apply(insert(id % 2 == 0 ? LOG : ORDERS, id));
        }
        next.agent().flush();
        for (TableSchema table : List.of(LOG, ORDERS)) {
          List<SourceRow> expected =
              AgentRun.rows(table, 1, 8).stream()
                  .filter(row -> (Integer) row.cell(0) % 2 == (table.equals(LOG) ? 0 : 1))
                  .toList();
          assertThat(
                  next.tables
                      .rows(table.table())
                      .orElseThrow()
                      .differenceTo(Rows.ofSource(expected)))
              .as("table %s after a crash at request %d", table.table(), requests)
              .isEmpty();
        }
        assertThat(next.listener.lastConfirmed()).contains(SourceCommit.positionAt(8));
      }
      run.close();
    }
  }

  @Test
  void filesFormAChain() throws InterruptedException {
    try (AgentRun run = new AgentRun().open(ORDERS)) {
      run.snapshot(ORDERS, "s1", 10, AgentRun.rows(ORDERS, 1, 3));
      run.publish(insert(ORDERS, 11), insert(ORDERS, 12));

      List<ChainEntry> chain =
          run.tables.files(ORDERS.table()).values().stream().map(LandedFile::chain).toList();
      assertThat(chain).extracting(ChainEntry::seq).containsExactly(1L, 2L, 3L);
      assertThat(chain.get(0).prev()).isEmpty();
      assertThat(chain.get(1).prev()).contains(chain.get(0).fileId());
      assertThat(chain.get(2).prev()).contains(chain.get(1).fileId());
      assertThat(chain)
          .extracting(ChainEntry::incarnation)
          .containsOnly(chain.get(0).incarnation());
      assertThat(chain.get(0).content())
          .isEqualTo(new ChainEntry.Snapshot("s1", 0, true, plain(SourceCommit.positionAt(10))));
      assertThat(chain.get(2).content())
          .isEqualTo(
              new ChainEntry.Changes(
                  SourceCommit.TIMELINE, 12, 12, 1, java.util.Optional.empty(), 1));
    }
  }

  private static io.corehub.agent.SourcePosition plain(io.corehub.agent.SourcePosition position) {
    return new io.corehub.agent.SourcePosition(position.timeline(), position.order(), "");
  }
}
