package io.corehub.hub.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.Finding;
import io.corehub.agent.RowChanges;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.table.TargetType;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a stream of lines becomes. */
@Timeout(60)
class ChangeStreamSourceTest {

  private static final String KEYED =
      "{\"kind\":\"table\",\"table\":\"s.k\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\",\"nullable\":false},{\"name\":\"v\",\"type\":\"STRING\"}],\"primaryKey\":[\"id\"]}";
  private static final String KEYLESS =
      "{\"kind\":\"table\",\"table\":\"log\",\"columns\":[{\"name\":\"n\",\"type\":\"INT\"}]}";

  @TempDir Path directory;

  private static String commit(long position, String... changes) {
    return "{\"kind\":\"commit\",\"position\":"
        + position
        + ",\"changes\":["
        + String.join(",", changes)
        + "]}";
  }

  private static String insert(String table, String row) {
    return "{\"op\":\"insert\",\"table\":\"" + table + "\",\"after\":" + row + "}";
  }

  @Test
  void readsSnapshotThenChanges() throws Exception {
    assertThat(
            new StreamBench(directory)
                .file(
                    KEYED,
                    KEYLESS,
                    "{\"kind\":\"snapshot\",\"table\":\"s.k\",\"rows\":[{\"id\":1,\"v\":\"a\"}]}",
                    "{\"kind\":\"snapshot\",\"table\":\"s.k\",\"rows\":[{\"v\":\"b\",\"id\":2}]}",
                    "{\"kind\":\"snapshotEnd\",\"table\":\"s.k\",\"backlog\":true}",
                    "{\"kind\":\"backlogEnd\",\"table\":\"s.k\"}",
                    "",
                    "{\"kind\":\"snapshotEnd\",\"table\":\"log\"}",
                    commit(
                        10,
                        insert("s.k", "{\"id\":3}"),
                        "{\"op\":\"update\",\"table\":\"s.k\",\"before\":{\"id\":1,\"v\":\"a\"},\"after\":{\"id\":1,\"v\":\"c\"}}",
                        "{\"op\":\"delete\",\"table\":\"s.k\",\"before\":{\"id\":2,\"v\":\"b\"}}",
                        "{\"op\":\"truncate\",\"table\":\"log\"}",
                        insert("log", "{\"n\":1}")),
                    commit(11))
                .run())
        .containsExactly(
            "table s.k v1",
            "table log v1",
            "begin s.k #1@0",
            "page s.k {id=1,v=a}",
            "page s.k {id=2,v=b}",
            "end s.k",
            "begin log #1@0",
            "end log",
            "commit 10: TRUNCATE log INSERT s.k {id=3} UPDATE_BEFORE s.k {id=1,v=a} UPDATE_AFTER s.k"
                + " {id=1,v=c} DELETE s.k {id=2,v=b} INSERT log {n=1}",
            "commit 11:");
  }

  @Test
  void fieldsMayStandInAnyOrder() throws Exception {
    assertThat(
            new StreamBench(directory)
                .file(
                    KEYED,
                    "{\"rows\":[{\"id\":1}],\"position\":7,\"table\":\"s.k\",\"kind\":\"snapshot\"}",
                    "{\"table\":\"s.k\",\"kind\":\"snapshotEnd\"}",
                    "{\"changes\":[{\"after\":{\"id\":2,\"v\":\"x\"},\"before\":{\"id\":1},\"table\":\"s.k\",\"op\":\"update\"},{\"after\":{\"id\":4},\"table\":\"s.k\",\"op\":\"insert\"}],\"user\":\"u\",\"transactionId\":\"t9\",\"committedAt\":\"2024-01-01T01:00:00+01:00\",\"position\":9,\"kind\":\"commit\"}")
                .run())
        .containsExactly(
            "table s.k v1",
            "begin s.k #1@7",
            "page s.k {id=1}",
            "end s.k",
            "commit 9: UPDATE_BEFORE s.k {id=1} UPDATE_AFTER s.k {id=2,v=x} INSERT s.k {id=4}");
  }

  @Test
  void tellsWhatIsKnownOfACommit() throws Exception {
    StreamBench bench =
        new StreamBench(directory)
            .file(
                "{\"kind\":\"stream\",\"timeline\":\"line-2\"}",
                KEYED,
                "{\"kind\":\"commit\",\"position\":18446744073709551615,\"committedAt\":\"2024-01-01T01:00:00.5+01:00\",\"transactionId\":\"t9\",\"user\":\"u\",\"changes\":[]}");
    bench.run();

    Commit commit = bench.sink.batches.get(0).commits().get(0);
    assertThat(commit.position().timeline()).isEqualTo("line-2");
    assertThat(commit.position().order()).isEqualTo(-1);
    assertThat(commit.committedAt()).contains(Instant.parse("2024-01-01T00:00:00.5Z"));
    assertThat(commit.transactionId()).contains("t9");
    assertThat(commit.user()).contains("u");
  }

  @Test
  void unchangedColumnsComeFromTheOldRowOrAreMarked() throws Exception {
    assertThat(
            new StreamBench(directory)
                .file(
                    KEYED,
                    commit(
                        1,
                        "{\"op\":\"update\",\"table\":\"s.k\",\"before\":{\"id\":1,\"v\":\"a\"},\"after\":{\"id\":1},\"unchanged\":[\"v\"]}",
                        "{\"op\":\"update\",\"table\":\"s.k\",\"after\":{\"id\":2},\"unchanged\":[\"v\"]}"))
                .run())
        .last()
        .isEqualTo(
            "commit 1: UPDATE_BEFORE s.k {id=1,v=a} UPDATE_AFTER s.k {id=1,v=a} UPDATE_AFTER s.k"
                + " {id=2}~v");
  }

  @Test
  void sendsNoMoreOfOldRowsThanTheAgentAsksFor() throws Exception {
    String[] lines = {
      KEYED,
      commit(
          1,
          "{\"op\":\"update\",\"table\":\"s.k\",\"before\":{\"id\":1,\"v\":\"a\"},\"after\":{\"id\":1,\"v\":\"b\"}}",
          "{\"op\":\"update\",\"table\":\"s.k\",\"before\":{\"id\":1,\"v\":\"b\"},\"after\":{\"id\":2,\"v\":\"b\"}}",
          "{\"op\":\"delete\",\"table\":\"s.k\",\"before\":{\"id\":2,\"v\":\"b\"}}")
    };
    assertThat(new StreamBench(directory).file(lines).asks(BeforeImage.KEY).run())
        .last()
        .isEqualTo(
            "commit 1: UPDATE_AFTER s.k {id=1,v=b} UPDATE_BEFORE s.k {id=1} UPDATE_AFTER s.k"
                + " {id=2,v=b} DELETE s.k {id=2}");
    assertThat(new StreamBench(directory).file(lines).asks(BeforeImage.NONE).run())
        .last()
        .isEqualTo(
            "commit 1: UPDATE_AFTER s.k {id=1,v=b} UPDATE_AFTER s.k {id=2,v=b} DELETE s.k {id=2}");
  }

  @Test
  void saysHowCompleteOldRowsAre() throws Exception {
    StreamBench bench =
        new StreamBench(directory)
            .file(
                KEYED,
                commit(1, "{\"op\":\"delete\",\"table\":\"s.k\",\"before\":{\"id\":1}}"),
                commit(
                    2, "{\"op\":\"delete\",\"table\":\"s.k\",\"before\":{\"id\":2,\"v\":null}}"));
    bench.run();

    assertThat(bench.sink.batches.get(0).events())
        .extracting(event -> ((RowChanges) event).beforeImages())
        .containsExactly(BeforeImage.KEY, BeforeImage.FULL);
  }

  @Test
  void followsANewShape() throws Exception {
    StreamBench bench =
        new StreamBench(directory)
            .file(
                KEYLESS,
                commit(1, insert("log", "{\"n\":1}")),
                "{\"kind\":\"table\",\"table\":\"log\",\"columns\":[{\"name\":\"n\",\"type\":\"INT\"},{\"name\":\"w\",\"type\":\"DOUBLE\",\"targetType\":\"string\"}]}",
                commit(2, insert("log", "{\"n\":2,\"w\":0.5}")));

    assertThat(bench.run())
        .containsExactly(
            "table log v1",
            "table log v2",
            "commit 1: INSERT log {n=1}",
            "commit 2: INSERT log {n=2,w=0.5}");
    RowChanges last = (RowChanges) bench.sink.batches.get(0).events().get(1);
    assertThat(last.rows().schema().columns().get(1).targetType())
        .isEqualTo(Optional.of(TargetType.of(TargetType.Kind.STRING)));
  }

  @Test
  void newSnapshotAfterTheEndIsCounted() throws Exception {
    assertThat(
            new StreamBench(directory)
                .file(
                    KEYLESS,
                    "{\"kind\":\"snapshot\",\"table\":\"log\",\"rows\":[{\"n\":1}]}",
                    "{\"kind\":\"snapshotEnd\",\"table\":\"log\"}",
                    commit(5),
                    "{\"kind\":\"snapshot\",\"table\":\"log\",\"rows\":[]}",
                    "{\"kind\":\"snapshotEnd\",\"table\":\"log\"}")
                .run())
        .containsExactly(
            "table log v1",
            "begin log #1@0",
            "page log {n=1}",
            "end log",
            "commit 5:",
            "begin log #2@5",
            "end log");
  }

  @Test
  void restartSkipsWhatStandsInTheTarget() throws Exception {
    StreamBench bench =
        new StreamBench(directory)
            .file(
                KEYED,
                KEYLESS,
                "{\"kind\":\"snapshot\",\"table\":\"s.k\",\"rows\":[{\"id\":1}]}",
                "{\"kind\":\"snapshotEnd\",\"table\":\"s.k\"}",
                commit(1, insert("s.k", "{\"id\":2}")),
                commit(2, insert("log", "{\"n\":2}"), insert("s.k", "{\"id\":3}")),
                commit(3, insert("s.k", "{\"id\":4}")))
            .confirmed(2);
    bench.sink.loaded.add("s.k");
    bench.sink.published.put("s.k", 2L);
    bench.sink.published.put("log", 0L);

    assertThat(bench.run())
        .as("the table that lags gets what it lacks, the other only what is new")
        .containsExactly(
            "table s.k v1",
            "table log v1",
            "begin s.k #1@0",
            "end s.k",
            "commit 2: INSERT log {n=2}",
            "commit 3: INSERT s.k {id=4}");
  }

  @Test
  void readsSeveralFilesAsOneStream() throws Exception {
    assertThat(
            new StreamBench(directory)
                .file(KEYLESS, commit(1, insert("log", "{\"n\":1}")))
                .file(commit(2, insert("log", "{\"n\":2}")))
                .run())
        .containsExactly(
            "table log v1", "commit 1: INSERT log {n=1}", "commit 2: INSERT log {n=2}");
  }

  @Test
  void tableLeftOutIsNotRead() throws Exception {
    StreamBench bench =
        new StreamBench(directory)
            .file(
                KEYLESS,
                "{\"kind\":\"snapshot\",\"table\":\"log\",\"rows\":[{\"n\":70000}]}",
                "{\"kind\":\"snapshotEnd\",\"table\":\"log\"}",
                commit(1, insert("log", "{\"n\":1}")));
    bench.sink.unwanted.add("log");

    assertThat(bench.run()).containsExactly("table log v1", "commit 1:");
  }

  @Test
  void openSnapshotAtTheEndIsAnError() throws Exception {
    StreamBench bench =
        new StreamBench(directory)
            .file(KEYLESS, "{\"kind\":\"snapshot\",\"table\":\"log\",\"rows\":[]}");

    assertThat(bench.fails()).contains("inside the snapshot of log", "'snapshotEnd' is missing");
  }

  @Test
  void longLinesAreReadThroughAFile() throws Exception {
    List<String> rows = new ArrayList<>();
    List<String> changes = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      rows.add("{\"n\":" + i + "}");
      changes.add(insert("log", "{\"n\":" + i + "}"));
    }
    StreamBench bench =
        new StreamBench(directory)
            .file(
                KEYLESS,
                "{\"rows\":["
                    + String.join(",", rows)
                    + "],\"table\":\"log\",\"kind\":\"snapshot\"}",
                "{\"kind\":\"snapshotEnd\",\"table\":\"log\"}",
                commit(1, changes.toArray(String[]::new)),
                commit(2, insert("log", "{\"n\":-1}")))
            .longLine(1000);

    List<String> log = bench.run();

    assertThat(log).filteredOn(line -> line.startsWith("page")).hasSize(50_000);
    assertThat(log).last().isEqualTo("commit 2: INSERT log {n=-1}");
    assertThat(bench.sink.batches).hasSize(3);
    assertThat(bench.sink.batches.get(0).lastCommitComplete()).isFalse();
    assertThat(bench.sink.batches.get(1).lastCommitComplete()).isTrue();
    assertThat(
            bench.sink.batches.subList(0, 2).stream()
                .flatMap(batch -> batch.events().stream())
                .mapToInt(event -> ((RowChanges) event).rowCount())
                .sum())
        .isEqualTo(50_000);
    try (var files = Files.list(directory)) {
      assertThat(files).as("spool files are gone").hasSize(1);
    }
  }

  @Test
  void malformedLongCommitLeavesNothingBehind() throws Exception {
    List<String> changes = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      changes.add(insert("log", "{\"n\":" + i + "}"));
    }
    changes.add(insert("log", "{\"n\":\"abc\"}"));
    StreamBench bench =
        new StreamBench(directory)
            .file(KEYLESS, commit(1), commit(2, changes.toArray(String[]::new)))
            .longLine(1000);

    assertThat(bench.fails()).contains("line 3", "cannot be \"abc\"");
    assertThat(bench.sink.log).containsExactly("table log v1", "commit 1:");
  }

  @Test
  void valueThatDoesNotFitInALongCommitStopsItsTableBeforeAnyOfItsRows() throws Exception {
    List<String> changes = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      changes.add(insert(i % 2 == 0 ? "log" : "s.k", i % 2 == 0 ? "{\"n\":1}" : "{\"id\":1}"));
    }
    changes.add(insert("log", "{\"n\":3000000000}"));
    StreamBench bench =
        new StreamBench(directory)
            .file(KEYLESS, KEYED, commit(2, changes.toArray(String[]::new)))
            .longLine(1000);

    assertThat(bench.run()).anyMatch(line -> line.contains("UNREADABLE log"));
    assertThat(bench.sink.log).noneMatch(line -> line.contains("INSERT log"));
  }

  @Test
  void rowWhoseColumnsAreTooLargeTogetherStopsItsTableByName() throws Exception {
    String wide =
        "{\"kind\":\"table\",\"table\":\"s.wide\",\"columns\":[{\"name\":\"a\",\"type\":\"STRING\"},{\"name\":\"b\",\"type\":\"STRING\"},{\"name\":\"id\",\"type\":\"INT\"},{\"name\":\"c\",\"type\":\"STRING\"}],\"primaryKey\":[\"id\"]}";
    String fits = "\"a\":\"" + "a".repeat(500) + "\",\"b\":\"" + "b".repeat(500) + "\"";
    StreamBench bench =
        new StreamBench(directory)
            .rowLimit(1000)
            .file(
                wide,
                KEYED,
                "{\"kind\":\"snapshotEnd\",\"table\":\"s.wide\"}",
                "{\"kind\":\"snapshotEnd\",\"table\":\"s.k\"}",
                commit(1, insert("s.wide", "{\"id\":1," + fits + "}")),
                commit(
                    2,
                    insert("s.wide", "{" + fits + ",\"c\":\"c\",\"id\":2}"),
                    insert("s.k", "{\"id\":1}")));
    assertThat(bench.run()).endsWith("commit 2: UNREADABLE s.wide INSERT s.k {id=1}");
    assertThat(bench.sink.batches)
        .flatExtracting(CommitBatch::events)
        .filteredOn(TableUnreadable.class::isInstance)
        .singleElement()
        .extracting(event -> ((TableUnreadable) event).reason().getMessage())
        .asString()
        .startsWith(
            "Table s.wide, key id=2, column 'c': with it the columns of the row hold 1001 bytes,"
                + " and at most 1000 can be taken with a heap of");
  }

  @Test
  void handsOverWhatCameThroughAPipeWithoutWaitingForMore() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    BlockingQueue<String> seen = new ArrayBlockingQueue<>(100);
    StreamBench bench = new StreamBench(directory).path(pipe);
    Thread reader =
        new Thread(
            () -> {
              try {
                bench.run();
              } catch (InterruptedException e) {
                seen.add("interrupted");
              }
            });
    reader.start();
    try (OutputStream out = Files.newOutputStream(pipe)) {
      out.write((KEYLESS + "\n" + commit(1, insert("log", "{\"n\":1}")) + "\n").getBytes("UTF-8"));
      out.flush();
      long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (bench.sink.batches.isEmpty() && System.nanoTime() < limit) {
        Thread.onSpinWait();
      }
      assertThat(bench.sink.batches).hasSize(1);
      reader.interrupt();
      assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo("interrupted");
    }
    reader.join();
  }

  @Test
  void stopEndsAPause() throws Exception {
    ChangeStreamSource source =
        new StreamBench(directory).file("{\"kind\":\"pause\",\"millis\":600000}").source();
    Thread stopper = new Thread(source::stop);
    stopper.start();

    source.run(new RecordingSink());
    stopper.join();
  }

  @Test
  void checkNamesMissingFiles() {
    ChangeStreamSource source = new StreamBench(directory).path(directory.resolve("none")).source();

    assertThat(source.check())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
              assertThat(finding.message()).contains("none does not exist");
            });
  }
}
