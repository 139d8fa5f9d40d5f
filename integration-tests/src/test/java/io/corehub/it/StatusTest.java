package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub status} beside a running hub and without one, through all that Fabric may do. */
class StatusTest {

  private static final String FIRST = "00000000000000000001.parquet";
  private static final String SECOND = "00000000000000000002.parquet";

  @TempDir Path directory;
  private Emulator emulator;
  private Pipeline pipeline;

  @BeforeEach
  void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate");
    pipeline =
        new Pipeline(directory, emulator).set("monitoringSeconds", 1).set("notConsumingSeconds", 3);
  }

  @AfterEach
  void stop() {
    emulator.close();
  }

  private static String table(String name, String type) {
    return "{\"kind\":\"table\",\"table\":\""
        + name
        + "\",\"columns\":[{\"name\":\"id\",\"type\":\""
        + type
        + "\"}],\"primaryKey\":[\"id\"]}\n";
  }

  private static String snapshot(String name, String id) {
    return "{\"kind\":\"snapshot\",\"table\":\""
        + name
        + "\",\"rows\":[{\"id\":"
        + id
        + "}]}\n{\"kind\":\"snapshotEnd\",\"table\":\""
        + name
        + "\"}\n";
  }

  private static String insert(int position, String name, String id) {
    return "{\"kind\":\"commit\",\"position\":"
        + position
        + ",\"changes\":[{\"op\":\"insert\",\"table\":\""
        + name
        + "\",\"after\":{\"id\":"
        + id
        + "}}]}\n";
  }

  private static final String TABLES =
      table("good", "SHORT")
          + table("bad", "STRING")
          + snapshot("good", "1")
          + snapshot("bad", "\"a\"");

  private static Hub.Result awaitStatus(String config, int exitCode, String... texts) {
    Hub.Result[] last = {null};
    Await.until(
        "hub status ends with " + exitCode + " and says " + String.join(", ", texts),
        () -> {
          last[0] = Hub.run("status", config);
          String all = last[0].output() + last[0].errors();
          boolean says = true;
          for (String text : texts) {
            says &= all.contains(text);
          }
          return last[0].exitCode() == exitCode && says;
        },
        () -> String.valueOf(last[0]));
    return last[0];
  }

  @Test
  void followsWhatFabricDoesWithTheFilesWhileTheHubRuns() throws Exception {
    String config = pipeline.hub("web: { port: 0 }").write();
    new ProcessBuilder("mkfifo", pipeline.stream().toString()).start().waitFor();
    try (Hub.Running hub = Hub.start(Map.of(), "run", config);
        Writer source = Files.newBufferedWriter(pipeline.stream(), StandardCharsets.UTF_8)) {
      source.write(TABLES);
      source.flush();
      awaitStatus(config, 0, "Pipeline shop: running", "good", "bad", "Replicating", FIRST);

      // Somebody puts a file of another table, with other types, where the next one belongs.
      Path foreign = emulator.landingZone().resolve("bad").resolve(SECOND);
      Files.copy(emulator.landingZone().resolve("good").resolve(FIRST), foreign);
      Hub.Result failed = awaitStatus(config, 1, "Failed", "SchemaMergeFailure");
      assertThat(failed.errors())
          .contains("Table bad: Fabric stopped mirroring it (Failed)", SECOND, "recreate");
      source.write(insert(1, "good", "2"));
      source.flush();
      Await.until(
          "the other table goes on",
          () ->
              Hub.run("mirrored", emulator.directory().toString(), "--table", "good")
                  .output()
                  .contains("{\"id\":2}"),
          hub::errors);

      Files.delete(foreign);
      source.write(insert(2, "bad", "\"b\""));
      source.flush();
      awaitStatus(config, 0, SECOND, "Replicating");

      emulator.replicator("stopped");
      assertThat(awaitStatus(config, 1, "Stopped").errors())
          .contains("The mirrored database is Stopped");
      emulator.replicator("running");
      awaitStatus(config, 0, "Replicating");

      emulator.replicator("hung");
      source.write(insert(3, "good", "3"));
      source.flush();
      assertThat(awaitStatus(config, 1, "Replicating, not consuming").errors())
          .contains("Table good: Fabric is not consuming: 1 file has waited");
      JsonNode json = Emulator.JSON.readTree(Hub.run("status", config, "--json").output());
      JsonNode target = json.at("/pipelines/shop/tables/good/target");
      assertThat(json.path("running").asBoolean()).isTrue();
      assertThat(target.path("condition").asText()).isEqualTo("not consuming");
      assertThat(target.path("filesWaiting").asInt()).isEqualTo(1);
      assertThat(target.path("operations").asInt()).isEqualTo(2);
      emulator.replicator("running");
      awaitStatus(config, 0, "Replicating");

      String log = hub.stop().exited(143).errors();
      assertThat(log.lines().filter(line -> line.contains("WARN") && line.contains("mirroring it")))
          .hasSize(1);
      assertThat(log)
          .contains("Table bad: Fabric takes its files again")
          .contains("Table good: Fabric takes its files again")
          .contains("The mirrored database is Running again");
    }
  }

  @Test
  void looksItselfWhenNoHubAnswers() throws Exception {
    String config = pipeline.lines(TABLES + insert(7, "good", "2")).write();
    assertThat(Hub.run("status", config).exited(0).output())
        .contains("Pipeline shop: never run", "no table yet");
    Hub.run("run", config).exited(0);

    Hub.Result well = awaitStatus(config, 0, "Replicating");
    assertThat(well.output())
        .contains("Pipeline shop: not running (done), confirmed up to position 7")
        .containsPattern("good +changes +" + SECOND + " +7 +- +Replicating +0")
        .containsPattern("bad +changes +" + FIRST + " +0 +- +Replicating +0");
    assertThat(emulator.published("good")).contains(SECOND);

    emulator.replicator("paused");
    assertThat(awaitStatus(config, 1, "Paused").errors())
        .contains("The mirrored database is Paused");
    emulator.replicator("running");

    Files.write(emulator.landingZone().resolve("bad").resolve(SECOND), new byte[] {1, 2, 3});
    awaitStatus(config, 1, "Table bad: the last file", "is not one of this agent's");
  }

  @Test
  void tellsAfterTheEndWhyATableStoppedAndBesideARunWithoutWebServer() throws Exception {
    String config =
        pipeline.lines(TABLES + insert(1, "good", "70000") + insert(2, "bad", "\"b\"")).write();
    Hub.run("run", config).exited(1);
    Hub.Result stopped = Hub.run("status", config).exited(1);
    assertThat(stopped.output())
        .contains("not running (done)")
        .containsPattern("good +stopped +" + FIRST)
        .containsPattern("bad +changes +" + SECOND);
    assertThat(stopped.errors()).contains("70000").contains("SHORT");

    pipeline.lines(TABLES + "{\"kind\":\"pause\",\"millis\":600000}\n").write();
    try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
      hub.awaitErrors("shop: started");
      assertThat(awaitStatus(config, 0, "Pipeline shop: running").output())
          .containsPattern("good +changes +" + FIRST);
      hub.stop().exited(143);
    }
    assertThat(Hub.run("status", config).exited(0).output()).contains("not running (stopped)");
  }

  @Test
  void saysWhatToChangeWhenItCannotSignIn() throws Exception {
    String config = pipeline.lines(TABLES).write();
    Path file = Path.of(config);
    Files.writeString(
        file, Files.readString(file).replace(emulator.get("clientSecret"), "wrong-one"));
    Hub.Result refused = Hub.run("status", config).exited(1);
    assertThat(refused.errors()).contains("shop:").contains("secret").doesNotContain("wrong-one");
    Hub.run("status", directory.resolve("none.yaml").toString()).exited(2);
    assertThat(Hub.run("status", "--help").exited(0).output()).contains("--json", "CONFIG");
  }
}
