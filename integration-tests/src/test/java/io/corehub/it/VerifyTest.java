package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verifier on the command line, over a folder and over a live landing zone. */
class VerifyTest {

  private static final String STREAM =
      """
      {"kind":"table","table":"sales.Orders","columns":[{"name":"id","type":"INT"},{"name":"v","type":"STRING"}],"primaryKey":["id"]}
      {"kind":"table","table":"Log","columns":[{"name":"line","type":"STRING"}]}
      {"kind":"snapshot","table":"sales.Orders","rows":[{"id":1,"v":"a"},{"id":2,"v":"b"}]}
      {"kind":"snapshotEnd","table":"sales.Orders"}
      {"kind":"snapshotEnd","table":"Log"}
      {"kind":"commit","position":10,"changes":[{"op":"update","table":"sales.Orders","before":{"id":2},"after":{"id":2,"v":"B"}}]}
      {"kind":"commit","position":11,"changes":[{"op":"delete","table":"sales.Orders","before":{"id":1}},{"op":"insert","table":"Log","after":{"line":"x"}}]}
      """;

  @TempDir static Path directory;
  private static Emulator emulator;
  private static String config;

  @BeforeAll
  static void runOnce() throws Exception {
    emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")));
    config = new Pipeline(directory, emulator).lines(STREAM).set("cdcBatchMaxSeconds", 0).write();
    Hub.run("run", config).succeeded();
  }

  @AfterAll
  static void stop() throws Exception {
    emulator.close();
  }

  @Test
  void whatTheAgentLandedBreaksNoRule() throws Exception {
    Hub.Result folder = Hub.run("verify", emulator.landingZone().toString()).succeeded();
    assertThat(folder.output()).isEmpty();
    assertThat(folder.errors()).contains("0 errors and 0 remarks in 2 tables, 5 files, ");
    Hub.Result emulatorDirectory = Hub.run("verify", emulator.directory().toString()).succeeded();
    assertThat(emulatorDirectory.output()).isEmpty();
    assertThat(emulatorDirectory.errors())
        .contains("The landing zone is " + emulator.landingZone())
        .contains("in 2 tables, 5 files, ");
  }

  @Test
  void aLiveLandingZoneIsReadWithTheCredentialsOfItsPipelineAndNotWritten() throws Exception {
    int before = emulator.requests().size();
    String pasted = emulator.get("landingZoneUrl") + "/?x=y";
    Hub.Result result = Hub.run("verify", pasted, "--config", config).succeeded();
    assertThat(result.output()).isEmpty();
    assertThat(result.errors()).contains("0 errors and 0 remarks in 2 tables, 5 files, ");
    assertThat(emulator.requests().subList(before, emulator.requests().size()))
        .extracting(request -> request.get("operation").asText())
        .isNotEmpty()
        .isSubsetOf("token", "list", "get", "head");
  }

  @Test
  void eachViolationIsOneLineWithRuleTableAndFile() throws Exception {
    Path broken = copy("broken");
    Files.delete(broken.resolve("sales.schema/Orders/00000000000000000002.parquet"));
    Files.writeString(broken.resolve("sales.schema/Orders/_note.txt"), "left");
    Hub.Result result = Hub.run("verify", broken.toString()).exited(1);
    assertThat(result.output().lines().toList())
        .hasSize(2)
        .anyMatch(
            line ->
                line.startsWith(
                    "error LZ-N1 table sales.Orders, file"
                        + " sales.schema/Orders/00000000000000000003.parquet: Number 2 is missing"))
        .anyMatch(
            line ->
                line.startsWith(
                    "remark LZ-O3 table sales.Orders, file sales.schema/Orders/_note.txt: "));
    assertThat(result.errors()).contains("1 error and 1 remark in 2 tables, 4 files, ");
  }

  @Test
  void jsonHasOneObjectForEachViolationAndRemarksAloneAreNoFailure() throws Exception {
    Path littered = copy("littered");
    Files.writeString(littered.resolve("notes.md"), "left");
    Hub.Result result = Hub.run("verify", littered.toString(), "--json").succeeded();
    JsonNode violation = Emulator.JSON.readTree(result.output());
    assertThat(violation.get("severity").asText()).isEqualTo("remark");
    assertThat(violation.get("rule").asText()).isEqualTo("LZ-L4");
    assertThat(violation.get("table").asText()).isEmpty();
    assertThat(violation.get("file").asText()).isEqualTo("notes.md");
    assertThat(violation.get("message").asText()).isNotEmpty();
  }

  @Test
  void wrongUseIsTold() throws Exception {
    assertThat(Hub.run("verify", directory.resolve("nowhere").toString()).exited(2).errors())
        .contains("does not exist");
    assertThat(Hub.run("verify", emulator.get("landingZoneUrl")).exited(2).errors())
        .contains("--config");
    String other =
        emulator
            .get("landingZoneUrl")
            .replace(emulator.get("mirroredDatabaseId"), emulator.get("lakehouseId"));
    assertThat(Hub.run("verify", other, "--config", config).exited(1).errors())
        .contains("No pipeline of " + config + " writes to " + other);
  }

  private static Path copy(String name) throws Exception {
    Path to = directory.resolve(name);
    try (var paths = Files.walk(emulator.landingZone())) {
      for (Path path : paths.toList()) {
        Files.copy(path, to.resolve(emulator.landingZone().relativize(path).toString()));
      }
    }
    return to;
  }
}
