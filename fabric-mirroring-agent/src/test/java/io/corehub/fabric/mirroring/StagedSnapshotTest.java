package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.insert;
import static io.corehub.fabric.mirroring.PublishingTest.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.corehub.agent.AgentException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableProgress;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.testkit.ColumnBatches;
import io.corehub.testkit.Rows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StagedSnapshotTest {

  private static final int ROWS = 7;

  private static AgentRun staged(AgentRun run) {
    return run.with("snapshotPublishing", "staged").withTable("parquetMaxRowCount", "2");
  }

  private static AgentRun opened() throws InterruptedException {
    return staged(new AgentRun()).open(LOG);
  }

  private static String folder(AgentRun run) {
    return run.tables.folder(LOG.table());
  }

  /** Everything but published files. */
  private static List<String> hidden(AgentRun run) {
    return run.tables.entries(LOG.table()).stream().filter(n -> !FileName.isNumbered(n)).toList();
  }

  private static void takeSnapshot(AgentRun run, String id) throws InterruptedException {
    run.snapshot(LOG, id, 10, AgentRun.rows(LOG, 1, ROWS));
  }

  private static void assertRows(AgentRun run, int to, String when) {
    assertThat(
            run.tables
                .rows(LOG.table())
                .orElseThrow()
                .differenceTo(Rows.ofSource(AgentRun.rows(LOG, 1, to))))
        .as(when)
        .isEmpty();
  }

  @Test
  void nothingIsVisibleBeforeTheEndAndNothingButTheFilesIsLeft() throws InterruptedException {
    try (AgentRun run = opened()) {
      SnapshotWriter writer = run.begin(LOG, "s1", 10);
      writer.write(ColumnBatches.of(LOG, AgentRun.rows(LOG, 1, ROWS)));
      awaitUploads(run, 2);
      run.agent().flush();
      assertThat(run.tables.names(LOG.table())).isEmpty();
      run.script.take();

      writer.finish();

      assertThat(run.tables.names(LOG.table())).hasSize(4);
      assertThat(hidden(run)).isEmpty();
      assertRows(run, ROWS, "after the snapshot");
      assertThat(run.status(LOG).rowsPublished()).isEqualTo(ROWS);
      List<String> requests = run.script.take();
      int manifest = indexOf(requests, "RENAME _snapshot_");
      assertThat(requests.subList(manifest + 1, requests.size()))
          .satisfiesExactly(
              first -> assertThat(first).isEqualTo("RENAME 00000000000000000001.parquet"),
              second -> assertThat(second).isEqualTo("RENAME 00000000000000000002.parquet"),
              third -> assertThat(third).isEqualTo("RENAME 00000000000000000003.parquet"),
              last -> assertThat(last).isEqualTo("RENAME 00000000000000000004.parquet"),
              deleted -> assertThat(deleted).startsWith("DELETE _snapshot_"));
      assertThat(requests.subList(0, manifest))
          .noneMatch(request -> request.startsWith("RENAME 0"));
      run.publish(insert(LOG, 11));
      assertThat(run.tables.files(LOG.table())).hasSize(5);
    }
  }

  private static int indexOf(List<String> requests, String start) {
    for (int i = 0; i < requests.size(); i++) {
      if (requests.get(i).startsWith(start)) {
        return i;
      }
    }
    throw new AssertionError(start + " is not among " + requests);
  }

  private static void awaitUploads(AgentRun run, int count) {
    long deadline = System.nanoTime() + AgentRun.PATIENCE.toNanos();
    while (hidden(run).size() < count && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(hidden(run)).hasSizeGreaterThanOrEqualTo(count);
  }

  @Test
  void aTableMayHaveItsOwnWay() throws InterruptedException {
    try (AgentRun run = staged(new AgentRun()).withTable("snapshotPublishing", "streamed")) {
      run.open(LOG);
      run.script.take();
      takeSnapshot(run, "s1");
      assertThat(run.script.take()).noneMatch(request -> request.contains("_snapshot_"));
    }
  }

  @Test
  void anEmptySnapshotIsStagedToo() throws InterruptedException {
    try (AgentRun run = opened()) {
      run.snapshot(LOG, "s1", 10, List.of());

      assertThat(run.tables.names(LOG.table())).hasSize(1);
      assertThat(hidden(run)).isEmpty();
    }
  }

  /**
   * The first run dies at each of its requests in turn, done or not; the second one at each of its
   * requests too; the third one must find or make every row stand there once.
   */
  @Test
  void aCrashAtAnyRequestLeavesNothingOrTheWholeSnapshot() throws InterruptedException {
    int secondDeaths = 0;
    for (int first = 1; dies(first); first++) {
      for (int second = 1 + first % 4; crashTwice(first, second); second += 4) {
        secondDeaths++;
      }
    }
    assertThat(secondDeaths).isGreaterThan(30);
  }

  private static boolean dies(int requests) throws InterruptedException {
    try (AgentRun run = staged(new AgentRun())) {
      run.script.dieAfter(requests);
      return runs(run);
    }
  }

  /** Whether a run, which takes the snapshot if the folder asks for it, dies before its end. */
  private static boolean runs(AgentRun run) throws InterruptedException {
    boolean[] whole = {false};
    untilDead(
        run,
        () -> {
          run.open(LOG);
          TableProgress progress = run.progress(LOG);
          if (progress instanceof TableProgress.NothingPublished) {
            takeSnapshot(run, "s" + run.epoch);
          }
          whole[0] = !(progress instanceof TableProgress.Stopped);
        });
    return !whole[0];
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  /** Works on a thread of its own until it is done, or until the process is dead. */
  private static void untilDead(AgentRun run, Work work) throws InterruptedException {
    Thread host =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (InterruptedException | AgentException dead) {
                Thread.currentThread().interrupt();
              }
            });
    host.start();
    while (host.isAlive() && !run.script.dead()) {
      host.join(1);
    }
    if (run.script.dead()) {
      host.interrupt();
    }
    host.join(AgentRun.PATIENCE.toMillis());
    assertThat(host.isAlive()).isFalse();
  }

  private static boolean crashTwice(int first, int second) throws InterruptedException {
    AgentRun one = staged(new AgentRun());
    one.script.dieAfter(first);
    runs(one);
    assertWholeOrPrefix(one);
    AgentRun two = one.successor();
    two.script.dieAfter(second);
    boolean died = runs(two);
    assertWholeOrPrefix(two);
    String when = "after crashes at requests " + first + " and " + second;
    try (AgentRun three = two.successor()) {
      assertThat(runs(three)).as(when).isFalse();
      assertRows(three, ROWS, when);
      assertThat(hidden(three)).as(when).isEmpty();
      three.publish(insert(LOG, 11));
      assertThat(three.tables.files(LOG.table())).as(when).hasSize(5);
      three.assertNoViolations();
    }
    one.close();
    two.close();
    return died;
  }

  /** Files are visible only when a manifest vouches for the others, or all are. */
  private static void assertWholeOrPrefix(AgentRun run) {
    int visible = run.tables.names(LOG.table()).size();
    boolean manifest = hidden(run).stream().anyMatch(FileName::isManifest);
    assertThat(visible == 0 || visible == 4 || manifest)
        .as("%s files are visible without a manifest", visible)
        .isTrue();
  }

  static Stream<Arguments> faults() {
    List<Arguments> all = new ArrayList<>();
    for (String path : List.of("_snapshot_", "/0000000000000000000")) {
      for (boolean after : new boolean[] {false, true}) {
        for (DfsException.Kind kind :
            List.of(
                DfsException.Kind.TIMEOUT,
                DfsException.Kind.CONNECTION_LOST,
                DfsException.Kind.TRANSIENT,
                DfsException.Kind.ALREADY_EXISTS,
                DfsException.Kind.SOURCE_NOT_FOUND,
                DfsException.Kind.PARENT_NOT_FOUND,
                DfsException.Kind.CONDITION_NOT_MET)) {
          all.add(Arguments.of(Operation.RENAME, path, after, kind));
        }
      }
    }
    for (Operation operation : List.of(Operation.CREATE, Operation.APPEND, Operation.DELETE)) {
      for (boolean after : new boolean[] {false, true}) {
        all.add(Arguments.of(operation, "_snapshot_", after, DfsException.Kind.TIMEOUT));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void whateverARequestAnswersEachRowStandsThereOnce(
      Operation operation, String path, boolean after, DfsException.Kind kind)
      throws InterruptedException {
    try (AgentRun run = opened()) {
      run.script.fail(operation, path, after, 2, kind, true);

      takeSnapshot(run, "s1");

      assertRows(run, ROWS, "after the snapshot");
      assertThat(hidden(run)).noneMatch(FileName::isManifest);
      assertThat(run.listener.stoppedTables()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aRollForwardTakesEveryAnswerToo(
      Operation operation, String path, boolean after, DfsException.Kind kind)
      throws InterruptedException {
    try (AgentRun run = diedBehindTheManifest()) {
      AgentRun next = run.successor();
      next.script.fail(operation, path, after, 2, kind, true);
      try (next) {
        next.open(LOG);

        assertThat(next.progress(LOG)).isInstanceOf(TableProgress.SnapshotFinished.class);
        assertRows(next, ROWS, "after the roll forward");
        assertThat(hidden(next)).isEmpty();
      }
    }
  }

  /** A run whose files are all staged, none is renamed, and the manifest stands. */
  private static AgentRun diedBehindTheManifest() throws InterruptedException {
    AgentRun run = opened();
    run.script.before(
        Operation.RENAME,
        "/00000000000000000001.parquet",
        () -> {
          run.script.kill();
          throw DfsException.of(DfsException.Kind.CLOSED, "test").build("the process is dead");
        });
    untilDead(run, () -> takeSnapshot(run, "s1"));
    assertThat(hidden(run)).anyMatch(FileName::isManifest);
    assertThat(run.tables.names(LOG.table())).isEmpty();
    return run;
  }

  @Test
  void aManifestWhoseUploadsAreGoneIsGivenUpAndNothingBecomesVisible() throws InterruptedException {
    try (AgentRun run = diedBehindTheManifest()) {
      String upload =
          hidden(run).stream().filter(n -> n.startsWith("_00000000000000000003")).toList().get(0);
      run.fileSystem.client().delete(folder(run) + "/" + upload, false);

      try (AgentRun next = run.successor().open(LOG)) {
        assertThat(next.progress(LOG)).isInstanceOf(TableProgress.NothingPublished.class);
        assertThat(next.tables.names(LOG.table())).isEmpty();
        takeSnapshot(next, "s2");
        assertRows(next, ROWS, "after the second snapshot");
        assertThat(hidden(next)).isEmpty();
      }
    }
  }

  @Test
  void onlyOwnUploadsAreRemovedWhenASnapshotStartsOver() throws InterruptedException {
    try (AgentRun run = opened()) {
      SnapshotWriter writer = run.begin(LOG, "s1", 10);
      writer.write(ColumnBatches.of(LOG, AgentRun.rows(LOG, 1, ROWS)));
      awaitUploads(run, 2);
      List<String> foreign =
          List.of("_00000000000000000001.parquet", "_notes.txt", "_snapshot_mine.json");
      for (String name : foreign) {
        put(run, folder(run) + "/" + name, "x");
      }

      try (AgentRun next = run.successor().open(LOG)) {
        takeSnapshot(next, "s2");

        assertRows(next, ROWS, "after the second snapshot");
        assertThat(hidden(next)).containsExactlyInAnyOrderElementsOf(foreign);
      }
    }
  }

  @Test
  void anAbortedSnapshotLeavesNothing() throws InterruptedException {
    try (AgentRun run = opened()) {
      SnapshotWriter writer = run.begin(LOG, "s1", 10);
      writer.write(ColumnBatches.of(LOG, AgentRun.rows(LOG, 1, ROWS)));
      awaitUploads(run, 2);
      writer.abort();

      takeSnapshot(run, "s2");

      assertRows(run, ROWS, "after the second snapshot");
      assertThat(hidden(run)).isEmpty();
    }
  }

  @Test
  void anUploadThatVanishesStartsTheSnapshotOver() throws InterruptedException {
    try (AgentRun run = opened()) {
      DfsClient other = run.fileSystem.client();
      run.script.before(
          Operation.RENAME,
          "/00000000000000000001.parquet",
          () -> {
            for (String name : hidden(run)) {
              if (FileName.isTemporary(name)) {
                other.delete(folder(run) + "/" + name, false);
              }
            }
          });

      assertThatThrownBy(() -> takeSnapshot(run, "s1")).isInstanceOf(RetryLaterException.class);
      takeSnapshot(run, "s2");

      assertRows(run, ROWS, "after the second snapshot");
      assertThat(hidden(run)).isEmpty();
    }
  }

  @Test
  void aManifestThatTheFolderHasMovedOnFromIsRemoved() throws InterruptedException {
    try (AgentRun run = diedBehindTheManifest()) {
      // Another run was already past its look at the folder: its first file took the number.
      AgentRun other = new AgentRun();
      try (other) {
        other.open(LOG).publish(insert(LOG, 1));
        byte[] file = other.tables.bytes(folder(other) + "/" + FileName.numbered(1));
        DfsClient client = run.fileSystem.client();
        String path = folder(run) + "/" + FileName.numbered(1);
        client.create(path, true);
        client.append(
            path,
            0,
            java.nio.ByteBuffer.wrap(file),
            io.corehub.onelake.AppendMode.APPEND_FLUSH_CLOSE);
      }

      try (AgentRun next = run.successor().open(LOG)) {
        assertThat(next.progress(LOG)).isInstanceOf(TableProgress.ChangesPublished.class);
        assertThat(hidden(next)).isEmpty();
        assertThat(next.tables.names(LOG.table())).containsExactly(FileName.numbered(1));
      }
    }
  }

  @Test
  void aManifestOfAnotherPipelineOrWithoutSenseStopsTheTableAndStays() throws InterruptedException {
    try (AgentRun run = diedBehindTheManifest()) {
      AgentRun other = run.successor();
      other.pipeline = "warehouse";
      try (other) {
        other.open(LOG);
        assertThat(reason(other)).contains("warehouse").contains("shop");
      }
      assertThat(hidden(run)).anyMatch(FileName::isManifest);
    }
    try (AgentRun run = staged(new AgentRun())) {
      String name = FileName.manifest(UUID.randomUUID());
      run.fileSystem.client().createDirectory(folder(run));
      put(run, folder(run) + "/" + name, "{\"v\":1");
      run.open(LOG);

      assertThat(reason(run)).contains(name);
      assertThat(new String(run.tables.bytes(folder(run) + "/" + name), StandardCharsets.UTF_8))
          .isEqualTo("{\"v\":1");
    }
  }

  private static String reason(AgentRun run) {
    assertThat(run.progress(LOG)).isInstanceOf(TableProgress.Stopped.class);
    var stop = ((TableProgress.Stopped) run.progress(LOG)).reason();
    assertThat(stop.code()).isEqualTo(ErrorCode.CONFLICT);
    return stop.getMessage();
  }

  @Test
  void aStagedSnapshotMayBeAppended() throws InterruptedException {
    try (AgentRun first = opened()) {
      first.snapshot(LOG, "s1", 10, AgentRun.rows(LOG, 1, 3));
      AgentRun append = first.successor().withTable("snapshotOntoExistingTable", "append");
      try (append) {
        append.open(LOG).snapshot(LOG, "s2", 20, AgentRun.rows(LOG, 4, ROWS));

        assertRows(append, ROWS, "after both snapshots");
        assertThat(hidden(append)).isEmpty();
      }
    }
  }
}
