package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hub that is killed goes on where it was: nothing is lost, nothing stands twice. */
class RestartTest {

  private static final int COMMITS = 400;

  @TempDir Path directory;
  private Emulator emulator;

  @BeforeEach
  void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")));
  }

  @AfterEach
  void stop() throws Exception {
    try (Emulator last = emulator) {
      last.assertLandedWell();
    }
  }

  @Test
  void killedHubContinuesWithKeyedAndKeylessTablesExact() throws Exception {
    String config =
        new Pipeline(directory, emulator).lines(stream()).set("cdcBatchRows", 20).write();
    // Slow answers spread the run out, so that kills fall into the middle of publishing.
    emulator.addFaults(
        "[{\"operation\":\"rename\",\"nth\":1,\"times\":100000,\"fault\":{\"type\":\"hang\",\"millis\":40}}]");
    for (int kill = 1; kill <= 4; kill++) {
      int files = 4 * kill;
      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        Await.until(
            "the keyless table has " + files + " files",
            () -> emulator.published("log").size() >= files || !hub.alive(),
            hub::errors);
        hub.killAtOnce();
      }
    }
    Hub.run("run", config).succeeded();
    assertThat(counts("log"))
        .hasSize(COMMITS + 2)
        .allSatisfy((row, count) -> assertThat(count).isEqualTo(1));
    assertThat(counts("keyed"))
        .hasSize(COMMITS / 2)
        .allSatisfy((row, count) -> assertThat(count).isEqualTo(1));
  }

  @Test
  void lostStateDirectoryDoublesNothing() throws Exception {
    String config = new Pipeline(directory, emulator).lines(stream()).write();
    Hub.run("run", config).succeeded();
    try (var files = Files.walk(directory.resolve("state"))) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    Hub.run("run", config).succeeded();
    assertThat(counts("log"))
        .hasSize(COMMITS + 2)
        .allSatisfy((row, count) -> assertThat(count).isEqualTo(1));
  }

  @Test
  void terminatedHubExitsWith143AndConfirmsWhatItPublished() throws Exception {
    List<String> lines = new ArrayList<>(stream());
    lines.add("{\"kind\":\"pause\",\"millis\":600000}");
    String config = new Pipeline(directory, emulator).lines(lines).write();
    try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
      Await.until("changes are published", () -> emulator.published("log").size() > 1, hub::errors);
      hub.stop().exited(143);
    }
    lines.remove(lines.size() - 1);
    Files.write(directory.resolve("stream.changes.jsonl"), lines);
    Hub.run("run", config).succeeded();
    assertThat(counts("log"))
        .hasSize(COMMITS + 2)
        .allSatisfy((row, count) -> assertThat(count).isEqualTo(1));
  }

  private static List<String> stream() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "{\"kind\":\"table\",\"table\":\"keyed\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},{\"name\":\"v\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}");
    lines.add(
        "{\"kind\":\"table\",\"table\":\"log\",\"columns\":[{\"name\":\"n\",\"type\":\"INT\"}]}");
    lines.add("{\"kind\":\"snapshotEnd\",\"table\":\"keyed\"}");
    lines.add("{\"kind\":\"snapshot\",\"table\":\"log\",\"rows\":[{\"n\":-1},{\"n\":-2}]}");
    lines.add("{\"kind\":\"snapshotEnd\",\"table\":\"log\"}");
    IntStream.rangeClosed(1, COMMITS)
        .forEach(
            i -> {
              String keyed =
                  i <= COMMITS / 2
                      ? "{\"op\":\"insert\",\"table\":\"keyed\",\"after\":{\"id\":"
                          + i
                          + ",\"v\":0}}"
                      : "{\"op\":\"update\",\"table\":\"keyed\",\"after\":{\"id\":"
                          + (i - COMMITS / 2)
                          + ",\"v\":"
                          + i
                          + "}}";
              lines.add(
                  "{\"kind\":\"commit\",\"position\":"
                      + 10L * i
                      + ",\"changes\":[{\"op\":\"insert\",\"table\":\"log\",\"after\":{\"n\":"
                      + i
                      + "}},"
                      + keyed
                      + "]}");
            });
    return lines;
  }

  private Map<String, Integer> counts(String table) throws Exception {
    Map<String, Integer> counts = new TreeMap<>();
    Hub.Result result =
        Hub.run("mirrored", emulator.directory().toString(), "--table", table).succeeded();
    for (String line : result.output().lines().toList()) {
      JsonNode row = Emulator.JSON.readTree(line);
      counts.merge(row.toString(), 1, Integer::sum);
    }
    return counts;
  }
}
