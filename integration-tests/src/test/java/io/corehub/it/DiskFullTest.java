package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No room for what must be put aside: the pipeline says where, and goes on once there is room. */
class DiskFullTest {

  private static final int ROWS = 2_000;
  private static final int ONE_MEGABYTE = 2_048;

  /** What may stay in memory depends on the heap. */
  private static final Map<String, String> SMALL_HEAP = Map.of("HUB_JAVA_OPTS", "-Xmx80m");

  @TempDir Path directory;
  private Emulator emulator;

  @BeforeEach
  void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")));
  }

  @AfterEach
  void stop() throws Exception {
    emulator.close();
  }

  static String table(String name) {
    return "{\"kind\":\"table\",\"table\":\""
        + name
        + "\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},{\"name\":\"text\",\"type\":\"STRING\"}],"
        + "\"primaryKey\":[\"id\"]}";
  }

  static String commit(int position, int from, int to, int textLength) {
    StringBuilder line = new StringBuilder("{\"kind\":\"commit\",\"position\":" + position);
    line.append(",\"changes\":[");
    for (int id = from; id <= to; id++) {
      line.append(id == from ? "" : ",")
          .append("{\"op\":\"insert\",\"table\":\"t\",\"after\":{\"id\":" + id + ",\"text\":\"")
          .append(Integer.toString(id).repeat(textLength))
          .append("\"}}");
    }
    return line.append("]}").toString();
  }

  private void assertStopsAndGoesOn(String config) throws Exception {
    Path spool = directory.resolve("state");
    Hub.Result full = Hub.runWithSmallFiles(ONE_MEGABYTE, SMALL_HEAP, "run", config).exited(1);
    assertThat(full.errors())
        .contains("A private file in " + spool)
        .contains("cannot be written")
        .contains("Make room below 'hub.stateDirectory' and start again")
        .doesNotContain("\tat ");
    Hub.run("run", config).succeeded();
    assertThat(
            Hub.run("mirrored", emulator.directory().toString(), "--table", "t")
                .succeeded()
                .output()
                .lines()
                .map(row -> row.replaceAll("[^0-9,].*?:|,.*", "").strip())
                .sorted())
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, ROWS).mapToObj(Integer::toString).sorted().toList());
    assertThat(Hub.run("compare", config).succeeded().output()).contains("agree.");
  }

  @Test
  void whileALineIsPutAside() throws Exception {
    Pipeline pipeline =
        new Pipeline(directory, emulator)
            .lines(
                List.of(
                    table("t"),
                    "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}",
                    commit(1, 1, 10, 3),
                    commit(2, 11, ROWS, 1_500)));
    assertStopsAndGoesOn(pipeline.write());
  }

  @Test
  void whileCommitsWaitForASnapshot() throws Exception {
    StringBuilder lines = new StringBuilder(table("t") + "\n" + table("slow") + "\n");
    lines.append("{\"kind\":\"snapshotEnd\",\"table\":\"t\"}\n");
    lines.append("{\"kind\":\"snapshot\",\"table\":\"slow\",\"rows\":[{\"id\":1}]}\n");
    for (int position = 1; position <= 20; position++) {
      int from = (position - 1) * ROWS / 20 + 1;
      String commit = commit(position, from, position * ROWS / 20, 1_000);
      lines.append(
          commit.replace(
              "\"changes\":[",
              "\"changes\":[{\"op\":\"insert\",\"table\":\"slow\",\"after\":{\"id\":"
                  + (position + 1)
                  + "}},"));
      lines.append('\n');
    }
    lines.append("{\"kind\":\"snapshotEnd\",\"table\":\"slow\"}\n");
    Pipeline pipeline = new Pipeline(directory, emulator).lines(lines.toString());
    assertStopsAndGoesOn(pipeline.write());
  }
}
