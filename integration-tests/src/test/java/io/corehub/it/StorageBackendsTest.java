package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same run against each of the emulator's storage backends. */
class StorageBackendsTest {

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"directory", "memory", "azurite"})
  void publishesAndReplicates(String storage) throws Exception {
    if (storage.equals("azurite")) {
      assumeThat(nodeIsInstalled()).as("Azurite needs Node").isTrue();
    }
    Path onelake = Files.createDirectory(directory.resolve("onelake"));
    try (Emulator emulator = Emulator.start(onelake, "--storage", storage, "--replicate")) {
      String config =
          new Pipeline(directory, emulator)
              .lines(
                  "{\"kind\":\"table\",\"table\":\"sales.t\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},{\"name\":\"v\",\"type\":\"STRING\"}],\"primaryKey\":[\"id\"]}\n"
                      + "{\"kind\":\"snapshot\",\"table\":\"sales.t\",\"rows\":[{\"id\":1,\"v\":\"a\"},{\"id\":2,\"v\":\"b\"}]}\n{\"kind\":\"snapshotEnd\",\"table\":\"sales.t\"}\n"
                      + "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"update\",\"table\":\"sales.t\",\"after\":{\"id\":1,\"v\":\"c\"}},{\"op\":\"delete\",\"table\":\"sales.t\",\"before\":{\"id\":2}}]}\n")
              .write();
      Hub.run("run", config).succeeded();
      List<JsonNode> renames =
          emulator.requests().stream()
              .filter(request -> request.get("operation").asText().equals("rename"))
              .filter(request -> request.get("path").asText().endsWith(".parquet"))
              .toList();
      assertThat(renames)
          .hasSize(2)
          .allSatisfy(r -> assertThat(r.get("status").asInt()).isEqualTo(201));
    }
  }

  private static boolean nodeIsInstalled() throws InterruptedException {
    try {
      return new ProcessBuilder("npm", "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException notInstalled) {
      return false;
    }
  }
}
