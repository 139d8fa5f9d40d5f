package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What closes a change file, and what publishing one costs. */
class WindowTest {

  private static final Pattern NUMBER = Pattern.compile("\\d{20}");
  private static final String TABLE =
      "{\"kind\":\"table\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},{\"name\":\"v\",\"type\":\"STRING\"}],\"primaryKey\":[\"id\"]}";
  private static final String EMPTY_SNAPSHOT = "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}";

  private static final String NO_FILE = "";

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
  void noWindowMeansOneFileForEachCommitAtThreeRequestsEach() throws Exception {
    List<String> lines = new ArrayList<>(List.of(TABLE, EMPTY_SNAPSHOT));
    IntStream.rangeClosed(1, 20).forEach(i -> lines.add(commit(i)));
    Hub.run(
            "run",
            new Pipeline(directory, emulator).lines(lines).set("cdcBatchMaxSeconds", 0).write())
        .succeeded();
    assertThat(emulator.published("t")).hasSize(21);
    Map<String, List<String>> operations = new TreeMap<>();
    for (JsonNode request : emulator.requests()) {
      operations
          .computeIfAbsent(number(request), n -> new ArrayList<>())
          .add(request.get("operation").asText());
    }
    operations.keySet().removeAll(List.of(NO_FILE, "00000000000000000001"));
    assertThat(operations)
        .hasSize(20)
        .allSatisfy(
            (n, ofFile) -> assertThat(ofFile).containsExactly("create", "append", "rename"));
  }

  @Test
  void rowsCloseTheFile() throws Exception {
    List<String> lines = new ArrayList<>(List.of(TABLE, EMPTY_SNAPSHOT));
    IntStream.rangeClosed(1, 100).forEach(i -> lines.add(commit(i)));
    Hub.run(
            "run",
            new Pipeline(directory, emulator)
                .lines(lines)
                .set("cdcBatchMaxSeconds", 600)
                .set("cdcBatchRows", 10)
                .write())
        .succeeded();
    assertThat(emulator.published("t")).hasSize(11);
  }

  @Test
  void megabytesCloseTheFile() throws Exception {
    List<String> lines = new ArrayList<>(List.of(TABLE, EMPTY_SNAPSHOT));
    String value = "x".repeat(300_000);
    IntStream.rangeClosed(1, 12)
        .forEach(
            i ->
                lines.add(
                    "{\"kind\":\"commit\",\"position\":"
                        + i
                        + ",\"changes\":[{\"op\":\"insert\",\"table\":\"t\",\"after\":{\"id\":"
                        + i
                        + ",\"v\":\""
                        + i
                        + value
                        + "\"}}]}"));
    Hub.run(
            "run",
            new Pipeline(directory, emulator)
                .lines(lines)
                .set("cdcBatchMaxSeconds", 600)
                .set("cdcBatchMaxMb", 1)
                .write())
        .succeeded();
    assertThat(emulator.published("t").size() - 1).isBetween(3, 4);
  }

  @Test
  void clockClosesTheFileWhenNoFurtherCommitArrives() throws Exception {
    List<String> lines =
        List.of(
            TABLE, EMPTY_SNAPSHOT, commit(1), "{\"kind\":\"pause\",\"millis\":6000}", commit(2));
    Hub.run(
            "run",
            new Pipeline(directory, emulator).lines(lines).set("cdcBatchMaxSeconds", 1).write())
        .succeeded();
    List<Instant> renames =
        emulator.requests().stream()
            .filter(request -> request.get("operation").asText().equals("rename"))
            .filter(request -> request.get("path").asText().matches(".*/0{19}[23]\\.parquet"))
            .map(request -> Instant.parse(request.get("at").asText()))
            .toList();
    assertThat(renames).hasSize(2);
    assertThat(Duration.between(renames.get(0), renames.get(1)))
        .isGreaterThan(Duration.ofSeconds(3));
  }

  /** The number a request is about; empty for any other request. */
  private static String number(JsonNode request) {
    Matcher name = NUMBER.matcher(request.get("path").asText());
    return name.find() ? name.group() : NO_FILE;
  }

  private static String commit(int position) {
    return "{\"kind\":\"commit\",\"position\":"
        + position
        + ",\"changes\":[{\"op\":\"insert\",\"table\":\"t\",\"after\":{\"id\":"
        + position
        + ",\"v\":\"v"
        + position
        + "\"}}]}";
  }
}
