package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that are larger than the memory for uploads go through it one at a time. */
@Tag("full")
class HugeRowsTest {

  private static final int ROW = 40 << 20;
  private static final int ROWS = 3;
  private static final Map<String, String> HEAP = Map.of("HUB_JAVA_OPTS", "-Xmx512m");

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

  private Pipeline pipeline() {
    return new Pipeline(directory, emulator)
        .set("uploadMemoryBudgetMb", 16)
        .set("cdcBatchMaxMb", 16);
  }

  private static void table(BufferedWriter out) throws Exception {
    out.write(
        "{\"kind\":\"table\",\"table\":\"blobs\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},"
            + "{\"name\":\"body\",\"type\":\"STRING\"}],\"primaryKey\":[\"id\"]}\n");
  }

  /** Text that does not repeat within a row and differs between rows. */
  private static void row(BufferedWriter out, int id) throws Exception {
    out.write("{\"id\":" + id + ",\"body\":\"");
    for (int written = 0, i = 0; written < ROW; written += 16, i++) {
      out.write(String.format("%08x%08x", i, i * 0x9E3779B9 + id));
    }
    out.write("\"}");
  }

  private static void assertMirrored(String config) throws Exception {
    assertThat(Hub.run(Map.of("HUB_JAVA_OPTS", "-Xmx3g"), "compare", config).succeeded().output())
        .containsPattern("blobs +3 +3 .* equal");
  }

  @Test
  void inASnapshot() throws Exception {
    Pipeline pipeline = pipeline();
    try (BufferedWriter out = Files.newBufferedWriter(pipeline.stream())) {
      table(out);
      out.write("{\"kind\":\"snapshot\",\"table\":\"blobs\",\"rows\":[");
      for (int id = 1; id <= ROWS; id++) {
        out.write(id == 1 ? "" : ",");
        row(out, id);
      }
      out.write("]}\n{\"kind\":\"snapshotEnd\",\"table\":\"blobs\"}\n");
    }
    String config = pipeline.write();
    Hub.run(HEAP, "run", config).succeeded();
    assertMirrored(config);
  }

  @Test
  void inOneCommit() throws Exception {
    Pipeline pipeline = pipeline();
    try (BufferedWriter out = Files.newBufferedWriter(pipeline.stream())) {
      table(out);
      out.write("{\"kind\":\"snapshotEnd\",\"table\":\"blobs\"}\n");
      out.write("{\"kind\":\"commit\",\"position\":1,\"changes\":[");
      for (int id = 1; id <= ROWS; id++) {
        out.write((id == 1 ? "" : ",") + "{\"op\":\"insert\",\"table\":\"blobs\",\"after\":");
        row(out, id);
        out.write("}");
      }
      out.write("]}\n");
    }
    String config = pipeline.write();
    Hub.run(HEAP, "run", config).succeeded();
    assertMirrored(config);
  }

  @Test
  void aValueThatIsTooLargeForTheHeapIsRefusedByName() throws Exception {
    Pipeline pipeline = pipeline();
    try (BufferedWriter out = Files.newBufferedWriter(pipeline.stream())) {
      table(out);
      out.write("{\"kind\":\"snapshotEnd\",\"table\":\"blobs\"}\n");
      for (int id : List.of(1, 2)) {
        out.write("{\"kind\":\"commit\",\"position\":" + id + ",\"changes\":[");
        out.write("{\"op\":\"insert\",\"table\":\"blobs\",\"after\":");
        row(out, id);
        out.write("}]}\n");
      }
    }
    Hub.Result result =
        Hub.run(Map.of("HUB_JAVA_OPTS", "-Xmx256m"), "run", pipeline.write()).exited(1);
    assertThat(result.errors())
        .contains("table blobs, key id=1: the value of column 'body'")
        .contains("-Xmx")
        .doesNotContain("OutOfMemoryError");
  }
}
