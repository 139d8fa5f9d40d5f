package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A million rows go through a heap of 256 MB, as a snapshot and as one commit; two million through
 * a named pipe are equal on both sides afterwards. {@code -Dcommit.rows=N} sends as many through
 * the pipe, and 512 MB are enough for any number of them.
 */
@Tag("full")
class HeapBoundTest {

  private static final int ROWS = 1_000_000;
  private static final int PIPED_ROWS = Integer.getInteger("commit.rows", 2 * ROWS);
  private static final boolean HUGE = PIPED_ROWS > 2 * ROWS;
  private static final String PIPED_HEAP = HUGE ? "-Xmx512m" : "-Xmx256m";
  private static final String COMPARING_HEAP = HUGE ? "-Xmx2g" : "-Xmx1g";
  private static final Map<String, String> SMALL_HEAP = Map.of("HUB_JAVA_OPTS", "-Xmx256m");

  @TempDir Path directory;
  private Emulator emulator;

  @BeforeEach
  void start() throws Exception {
    emulator = Emulator.startOptimised(Files.createDirectory(directory.resolve("onelake")));
  }

  @AfterEach
  void stop() throws Exception {
    emulator.close();
  }

  @Test
  void snapshotInPages() throws Exception {
    Pipeline pipeline = new Pipeline(directory, emulator);
    try (BufferedWriter out = Files.newBufferedWriter(pipeline.stream())) {
      out.write(LargeCommit.TABLE);
      for (int from = 0; from < ROWS; from += 2000) {
        out.write("{\"kind\":\"snapshot\",\"table\":\"narrow\",\"rows\":[");
        for (int i = from; i < from + 2000; i++) {
          out.write(i > from ? "," : "");
          LargeCommit.row(out, i);
        }
        out.write("]}\n");
      }
      out.write("{\"kind\":\"snapshotEnd\",\"table\":\"narrow\"}\n");
    }
    Hub.run(SMALL_HEAP, "run", pipeline.write()).succeeded();
    assertThat(mirroredRows()).isEqualTo(ROWS);
  }

  @Test
  void commitOverSeveralFiles() throws Exception {
    Pipeline pipeline = new Pipeline(directory, emulator);
    writeCommit(pipeline.stream(), ROWS);
    Hub.run(SMALL_HEAP, "run", pipeline.write()).succeeded();
    assertThat(emulator.published("narrow").size()).isGreaterThan(5);
    assertThat(mirroredRows()).isEqualTo(ROWS);
  }

  @Test
  void oneCommitThroughANamedPipe() throws Exception {
    Pipeline pipeline = new Pipeline(directory, emulator);
    String config = pipeline.write();
    Path pipe = pipeline.stream();
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Path log = directory.resolve("gc.log");
      Future<?> written = writer.submit(() -> writeCommit(pipe, PIPED_ROWS));
      long began = System.nanoTime();
      Hub.run(Map.of("HUB_JAVA_OPTS", PIPED_HEAP + " -Xlog:gc:file=" + log), "run", config)
          .succeeded();
      System.out.printf(
          "one commit of %,d rows: %d s, %s, at most %d MB after a collection, %d files%n",
          PIPED_ROWS,
          (System.nanoTime() - began) / 1_000_000_000,
          PIPED_HEAP,
          CollectorLog.largestAfterCollection(log),
          emulator.published("narrow").size());
      written.get();
      Future<?> again = writer.submit(() -> writeCommit(pipe, PIPED_ROWS));
      Hub.Result compared =
          Hub.run(Map.of("HUB_JAVA_OPTS", COMPARING_HEAP), "compare", config).succeeded();
      again.get();
      String rows = String.format(Locale.ROOT, "%,d", PIPED_ROWS);
      assertThat(compared.output()).containsPattern("narrow +" + rows + " +" + rows + " .* equal");
    } finally {
      writer.shutdownNow();
    }
  }

  private static Void writeCommit(Path stream, int rows) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(stream)) {
      LargeCommit.begin(out);
      LargeCommit.changes(out, 0, rows);
      LargeCommit.end(out);
    }
    return null;
  }

  private long mirroredRows() throws Exception {
    return Hub.run("mirrored", emulator.directory().toString(), "--table", "narrow")
        .succeeded()
        .output()
        .lines()
        .count();
  }
}
