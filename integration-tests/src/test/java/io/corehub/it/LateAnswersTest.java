package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the service does after the client gave up on it does no harm. */
@Tag("full")
class LateAnswersTest {

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
  void aFolderLoadedAnewOutlivesTheLateDeleteOfItsPredecessor() throws Exception {
    List<String> lines = new ArrayList<>();
    lines.add(
        "{\"kind\":\"table\",\"table\":\"log\",\"columns\":[{\"name\":\"n\",\"type\":\"INT\"}]}");
    lines.add("{\"kind\":\"snapshot\",\"table\":\"log\",\"rows\":[{\"n\":1},{\"n\":2}]}");
    lines.add("{\"kind\":\"snapshotEnd\",\"table\":\"log\"}");
    lines.add(insert(1, 3));
    lines.add("{\"kind\":\"snapshot\",\"table\":\"log\",\"rows\":[{\"n\":11},{\"n\":12}]}");
    lines.add("{\"kind\":\"snapshotEnd\",\"table\":\"log\"}");
    lines.add(insert(2, 13));
    String config =
        new Pipeline(directory, emulator)
            .lines(lines)
            .set("tryTimeoutInSeconds", 1)
            .tables("[ { name: log, settings: { snapshotOntoExistingTable: recreate } } ]")
            .write();
    emulator.addFaults(
        "[{\"operation\":\"delete\",\"path\":\"**/log\",\"nth\":1,\"times\":1,"
            + "\"fault\":{\"type\":\"hang\",\"millis\":12000}}]");

    Hub.run("run", config).succeeded();
    // The emulator notes the answer of a request when it is done with it.
    Await.until(
        "the held delete is carried out",
        () -> deletes().stream().allMatch(request -> !request.get("status").isNull()),
        () -> "");

    assertThat(deletes()).hasSizeGreaterThan(1);
    assertThat(numbers()).containsExactly(11, 12, 13);
  }

  private static String insert(int position, int n) {
    return "{\"kind\":\"commit\",\"position\":"
        + position
        + ",\"changes\":[{\"op\":\"insert\",\"table\":\"log\",\"after\":{\"n\":"
        + n
        + "}}]}";
  }

  private List<JsonNode> deletes() throws Exception {
    return emulator.requests().stream()
        .filter(request -> request.get("operation").asText().equals("delete"))
        .filter(request -> request.get("path").asText().endsWith("/log"))
        .toList();
  }

  private int[] numbers() throws Exception {
    IntStream.Builder numbers = IntStream.builder();
    for (String line :
        Hub.run("mirrored", emulator.directory().toString(), "--table", "log")
            .succeeded()
            .output()
            .lines()
            .toList()) {
      numbers.add(Emulator.JSON.readTree(line).get("n").intValue());
    }
    return numbers.build().sorted().toArray();
  }
}
