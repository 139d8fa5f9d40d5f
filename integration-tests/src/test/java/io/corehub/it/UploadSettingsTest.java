package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What settings of uploads change in the requests that reach OneLake. */
class UploadSettingsTest {

  private static final List<String> LINES =
      List.of(
          "{\"kind\":\"table\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}",
          "{\"kind\":\"snapshot\",\"table\":\"t\",\"rows\":[{\"id\":1},{\"id\":2}]}",
          "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}",
          "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"insert\",\"table\":\"t\",\"after\":{\"id\":3}}]}");

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

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void filesAreClosedUnlessToldNotTo(boolean closed) throws Exception {
    Hub.run(
            "run",
            new Pipeline(directory, emulator)
                .lines(LINES)
                .set("emitFlushWithClose", closed)
                .write())
        .succeeded();
    List<JsonNode> flushes =
        emulator.requests().stream()
            .filter(request -> request.path("query").has("flush") || isFlush(request))
            .filter(request -> request.get("path").asText().matches(".*/_\\d{20}\\..*\\.parquet"))
            .toList();
    assertThat(flushes)
        .hasSize(2)
        .allSatisfy(
            request ->
                assertThat(request.get("query").path("close").asText("false"))
                    .isEqualTo(Boolean.toString(closed)));
    assertThat(emulator.published("t")).hasSize(2);
  }

  private static boolean isFlush(JsonNode request) {
    return request.get("operation").asText().equals("flush");
  }

  @Test
  void aRequestThatHangsIsGivenUp() throws Exception {
    emulator.addFaults(
        """
        [{"operation":"create","path":"**/_*.parquet","nth":1,"times":1,
          "fault":{"type":"hang","millis":600000}}]
        """);
    Hub.run(
            "run",
            new Pipeline(directory, emulator).lines(LINES).set("tryTimeoutInSeconds", 2).write())
        .succeeded();
    assertThat(emulator.published("t")).hasSize(2);
  }
}
