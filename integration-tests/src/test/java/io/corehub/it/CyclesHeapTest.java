package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A transaction of any size is one cycle, in parts, in a heap that does not grow with it; reader
 * and verifier need no more.
 */
@Tag("full")
class CyclesHeapTest {

  private static final int MANY = 1_000_000;

  @TempDir Path directory;

  private Path job() {
    return directory.resolve("out/job");
  }

  private Pipeline pipeline(String format, int partRows) {
    return new Pipeline(directory, "cycle-files", "        storageUrl: file:out\n")
        .set("taskTargetDirectory", "job")
        .set("outputFormat", format)
        .set("schemaFileForParquet", "true")
        .set("cycleChangeLimit", 10)
        .set("maxFileRows", partRows);
  }

  private static Map<String, String> heap(int megabytes) {
    return Map.of("HUB_JAVA_OPTS", "-Xmx" + megabytes + "m");
  }

  private List<Path> files(String folder, String start) throws IOException {
    Path root = job().resolve(folder);
    if (!Files.exists(root)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(file -> file.getFileName().toString().startsWith(start))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"CSV", "PARQUET"})
  void aMillionRowsInOneTransactionNeedNoLargeHeap(String format) throws Exception {
    Pipeline pipeline = pipeline(format, 100_000);
    try (BufferedWriter out = Files.newBufferedWriter(pipeline.stream())) {
      LargeCommit.begin(out);
      LargeCommit.changes(out, 0, MANY);
      LargeCommit.end(out);
    }
    Hub.run(heap(256), "run", pipeline.write()).succeeded();
    assertThat(files("cycle/completed", "Cycle-")).hasSize(1);
    assertThat(files("data", "narrow_")).as("parts").hasSizeGreaterThan(4);
    judge(MANY, 128);
  }

  /** Reader and verifier over a cycle that is larger than their heap. */
  private void judge(int rows, int megabytes) throws Exception {
    assertThat(Hub.run(heap(megabytes), "verify-cycles", job().toString()).succeeded().output())
        .isEmpty();
    String read = Hub.run(heap(megabytes), "read-cycles", job().toString()).succeeded().output();
    assertThat(read.lines().count()).isEqualTo(rows);
    assertThat(read.lines().distinct().count()).isEqualTo(rows);
  }
}
