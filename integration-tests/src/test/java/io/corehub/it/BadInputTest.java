package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad input ends in one message that names the thing and what to change. */
class BadInputTest {

  private static final String TABLE =
      "{\"kind\":\"table\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},{\"name\":\"v\",\"type\":\"SHORT\"}],\"primaryKey\":[\"id\"]}\n";

  @TempDir static Path shared;
  private static Emulator emulator;
  @TempDir Path directory;
  private Pipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(shared.resolve("onelake")));
  }

  @AfterAll
  static void stop() throws Exception {
    emulator.close();
  }

  @BeforeEach
  void prepare() throws Exception {
    pipeline = new Pipeline(directory, emulator).lines(TABLE);
  }

  @Test
  void unknownConfigurationKeyNamesTheNearest() throws Exception {
    Files.writeString(
        directory.resolve("hub.yaml"), "hub:\n  stateDirectori: ./state\npipelines: []\n");
    Hub.Result result = Hub.run("check", directory.resolve("hub.yaml").toString()).exited(1);
    assertThat(result.output()).contains("stateDirectori").contains("stateDirectory");
  }

  @Test
  void missingConfigurationFileIsWrongUsage() throws Exception {
    Hub.Result result = Hub.run("run", directory.resolve("none.yaml").toString()).exited(2);
    assertThat(result.errors()).contains("none.yaml");
  }

  @Test
  void everyMissingSettingIsNamedAtOnce() throws Exception {
    Path config = directory.resolve("hub.yaml");
    Files.writeString(
        config,
        "hub: { stateDirectory: ./state }\npipelines:\n  - name: shop\n    source: { type: change-stream, files: [ ./stream.changes.jsonl ] }\n    target: { agent: fabric-open-mirroring, settings: { cdcBatchRows: none } }\n");
    Hub.Result result = Hub.run("check", config.toString()).exited(1);
    assertThat(result.output())
        .contains("username")
        .contains("password")
        .contains("tenantId")
        .contains("landingZoneUrl")
        .contains("cdcBatchRows")
        .contains("none");
    assertThat(result.output().lines()).allMatch(line -> line.startsWith("shop"));
  }

  @Test
  void wrongSecretIsNamedAndNotShown() throws Exception {
    String config = pipeline.write();
    Files.writeString(
        Path.of(config),
        Files.readString(Path.of(config))
            .replace(emulator.get("clientSecret"), "wrong-secret-canary"));
    Hub.Result result = Hub.run("run", config).exited(1);
    assertThat(result.errors())
        .containsIgnoringCase("secret")
        .doesNotContain("wrong-secret-canary")
        .doesNotContain("\tat ");
    Hub.Result check = Hub.run("check", config).exited(1);
    assertThat(check.output()).containsIgnoringCase("secret").doesNotContain("wrong-secret-canary");
  }

  @Test
  void unknownTenantIsNamed() throws Exception {
    String config = pipeline.write();
    String tenant = "00000000-1111-2222-3333-444444444444";
    Files.writeString(
        Path.of(config),
        Files.readString(Path.of(config)).replace(emulator.get("tenantId"), tenant));
    assertThat(Hub.run("run", config).exited(1).errors()).contains("enant");
  }

  @Test
  void missingLandingZoneIsNamed() throws Exception {
    String config = pipeline.write();
    Files.writeString(
        Path.of(config),
        Files.readString(Path.of(config))
            .replace(emulator.get("mirroredDatabaseId"), "00000000-1111-2222-3333-444444444444"));
    assertThat(Hub.run("run", config).exited(1).errors()).contains("anding zone");
  }

  @Test
  void urlOfAnotherHostRequestsNoToken() throws Exception {
    String config = pipeline.write();
    String text = Files.readString(Path.of(config));
    Files.writeString(Path.of(config), text.replaceAll("(?m)^ *allowedHosts:.*\n", ""));
    int before = emulator.requests().size();
    Hub.Result result = Hub.run("run", config).exited(1);
    assertThat(result.errors()).contains("allowedHosts");
    assertThat(emulator.requests()).hasSize(before);
  }

  @Test
  void malformedLineNamesFileAndLineAndKeepsWhatCameBefore() throws Exception {
    String name = "before";
    pipeline.lines(
        TABLE.replace("\"t\"", "\"before\"")
            + "{\"kind\":\"snapshotEnd\",\"table\":\"before\"}\n"
            + "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"insert\",\"table\":\"before\",\"after\":{\"id\":1,\"v\":2}}]}\n"
            + "{\"kind\":\"commit\",\"position\":2,\"changes\":[{\"op\":\"insert\",\"table\":\"before\",\"after\":{\"id\":\"abc\"}}]}\n");
    Hub.Result result = Hub.run("run", pipeline.write()).exited(1);
    assertThat(result.errors())
        .contains("stream.changes.jsonl")
        .contains("4")
        .contains("abc")
        .doesNotContain("\tat ");
    assertThat(
            Hub.run("mirrored", emulator.directory().toString(), "--table", name)
                .succeeded()
                .output()
                .strip())
        .isEqualTo("{\"id\":1,\"v\":2}");
  }

  @Test
  void valueThatDoesNotFitStopsItsTableAlone() throws Exception {
    pipeline.lines(
        TABLE.replace("\"t\"", "\"fits\"")
            + TABLE.replace("\"t\"", "\"stops\"")
            + "{\"kind\":\"snapshotEnd\",\"table\":\"fits\"}\n{\"kind\":\"snapshotEnd\",\"table\":\"stops\"}\n"
            + "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"insert\",\"table\":\"stops\",\"after\":{\"id\":1,\"v\":70000}}]}\n"
            + "{\"kind\":\"commit\",\"position\":2,\"changes\":[{\"op\":\"insert\",\"table\":\"fits\",\"after\":{\"id\":1,\"v\":7}}]}\n");
    Hub.Result result = Hub.run("run", pipeline.write()).exited(1);
    assertThat(result.errors()).contains("stops").contains("70000").contains("SHORT");
    assertThat(
            Hub.run("mirrored", emulator.directory().toString(), "--table", "fits")
                .succeeded()
                .output())
        .contains("\"v\":7");
  }

  @Test
  void unknownTableOfTheSelectionIsNamed() throws Exception {
    Hub.Result result = Hub.run("run", pipeline.tables("[ { name: nowhere } ]").write());
    assertThat(result.exitCode()).isIn(0, 1);
    assertThat(result.errors()).contains("nowhere");
  }

  @Test
  void unknownCommandAndOptionAreWrongUsage() throws Exception {
    assertThat(Hub.run("rum").exited(2).errors()).contains("rum");
    assertThat(Hub.run(Map.of(), "mirrored").exited(2).errors()).isNotBlank();
    assertThat(Hub.run("--help").exited(0).output())
        .contains("demo")
        .contains("run")
        .contains("check");
  }
}
