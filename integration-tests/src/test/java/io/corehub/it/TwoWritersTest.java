package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hubs that write one folder: one of them stops, and the table stays exact. */
class TwoWritersTest {

  private static final int COMMITS = 150;
  private static final Duration SOON = Duration.ofSeconds(30);

  /** Slow enough that both are at work for a while. */
  private static final String SLOW_RENAMES =
      "[{\"operation\":\"rename\",\"times\":100000,\"fault\":{\"type\":\"hang\",\"millis\":150}}]";

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
  void twoRunsOfOnePipelineEndWithOneWriterAndEachRowOnce() throws Exception {
    emulator.addFaults(SLOW_RENAMES);
    try (Hub.Running first = Hub.start(Map.of(), "run", pipeline("first", "shop"))) {
      Await.until(
          "the first run publishes", () -> emulator.published("log").size() > 3, first::errors);
      try (Hub.Running second = Hub.start(Map.of(), "run", pipeline("second", "shop"))) {
        Await.until("both are signed in", () -> count("token") > 1, second::errors);
        long began = System.nanoTime();
        Await.until("one of them ends", () -> !first.alive() || !second.alive(), second::errors);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON);
        emulator.clearFaults();

        Hub.Result loser = (first.alive() ? second : first).await().exited(1);
        assertThat(loser.errors())
            .contains("Table log")
            .containsAnyOf(
                "another run of pipeline 'shop' published it at the same time",
                "a newer run of pipeline 'shop' writes")
            .contains("Keep only one run");
        (first.alive() ? first : second).await().succeeded();
      }
    }
    assertEachRowOnce();
    assertNoNumberWasPublishedTwice();
  }

  @Test
  void anotherPipelineIsRefusedAtTheFolder() throws Exception {
    emulator.addFaults(SLOW_RENAMES);
    try (Hub.Running first = Hub.start(Map.of(), "run", pipeline("first", "shop"))) {
      Await.until(
          "the first run publishes", () -> emulator.published("log").size() > 3, first::errors);

      Hub.Result refused = Hub.run("run", pipeline("second", "store")).exited(1);

      assertThat(refused.errors())
          .contains("Table log")
          .contains("the folder belongs to pipeline 'shop', and this is 'store'")
          .contains("Use another landing zone or prefix");
      emulator.clearFaults();
      first.await().succeeded();
    }
    assertEachRowOnce();
    assertNoNumberWasPublishedTwice();
  }

  private String pipeline(String home, String name) throws Exception {
    Path file =
        Path.of(
            new Pipeline(Files.createDirectory(directory.resolve(home)), emulator)
                .lines(stream())
                .set("cdcBatchMaxSeconds", 0)
                .set("writePartnerEvents", "false")
                .write());
    Files.writeString(file, Files.readString(file).replace("- name: shop", "- name: " + name));
    return file.toString();
  }

  private static List<String> stream() {
    List<String> lines = new ArrayList<>();
    // Positions of one timeline, whatever the pipeline is called.
    lines.add("{\"kind\":\"stream\",\"timeline\":\"recorded\"}");
    lines.add(
        "{\"kind\":\"table\",\"table\":\"log\",\"columns\":[{\"name\":\"n\",\"type\":\"INT\"}]}");
    lines.add("{\"kind\":\"snapshotEnd\",\"table\":\"log\"}");
    IntStream.rangeClosed(1, COMMITS)
        .forEach(
            n ->
                lines.add(
                    "{\"kind\":\"commit\",\"position\":"
                        + n
                        + ",\"changes\":[{\"op\":\"insert\",\"table\":\"log\",\"after\":{\"n\":"
                        + n
                        + "}}]}"));
    return lines;
  }

  private long count(String operation) throws Exception {
    return emulator.requests().stream()
        .filter(request -> request.get("operation").asText().equals(operation))
        .count();
  }

  private void assertEachRowOnce() throws Exception {
    List<Integer> rows = new ArrayList<>();
    for (String line :
        Hub.run("mirrored", emulator.directory().toString(), "--table", "log")
            .succeeded()
            .output()
            .lines()
            .toList()) {
      rows.add(Emulator.JSON.readTree(line).get("n").intValue());
    }
    assertThat(rows.stream().sorted().toList())
        .isEqualTo(IntStream.rangeClosed(1, COMMITS).boxed().toList());
  }

  private void assertNoNumberWasPublishedTwice() throws Exception {
    List<String> published =
        emulator.requests().stream()
            .filter(request -> request.get("operation").asText().equals("rename"))
            .filter(request -> request.get("status").asInt() == 201)
            .map((JsonNode request) -> request.get("path").asText())
            .toList();
    assertThat(published).doesNotHaveDuplicates().hasSizeGreaterThan(COMMITS);
  }
}
