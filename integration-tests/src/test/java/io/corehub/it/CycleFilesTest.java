package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub run} with the cycle files agent, into each kind of storage there is. */
class CycleFilesTest {

  private static final String ORDERS =
      "{\"kind\":\"table\",\"table\":\"sales.orders\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},"
          + "{\"name\":\"status\",\"type\":\"STRING\"}],\"primaryKey\":[\"id\"]}";

  @TempDir Path directory;

  private static String insert(int position, int id, String status) {
    return "{\"kind\":\"commit\",\"position\":"
        + position
        + ",\"changes\":[{\"op\":\"insert\",\"table\":\"sales.orders\",\"after\":{\"id\":"
        + id
        + ",\"status\":\""
        + status
        + "\"}}]}";
  }

  private Path config(List<String> lines, Map<String, Object> settings) throws IOException {
    Files.write(directory.resolve("sales.changes.jsonl"), lines);
    StringBuilder yaml =
        new StringBuilder(
            """
            hub:
              stateDirectory: ./state
            pipelines:
              - name: sales
                source:
                  type: change-stream
                  files: [ ./sales.changes.jsonl ]
                target:
                  agent: cycle-files
                  settings:
            """);
    settings.forEach(
        (name, value) ->
            yaml.append("        ").append(name).append(": \"").append(value).append("\"\n"));
    return Files.writeString(directory.resolve("hub.yaml"), yaml);
  }

  private static List<Path> files(Path root, String glob) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> root.getFileSystem().getPathMatcher("glob:**/" + glob).matches(file))
          .sorted()
          .toList();
    }
  }

  private static List<String> rows(Path root) throws IOException {
    List<String> rows = new ArrayList<>();
    for (Path file : files(root, "orders_*.csv")) {
      List<String> lines = Files.readAllLines(file);
      rows.addAll(lines.subList(1, lines.size()));
    }
    return rows;
  }

  private static String reasonOf(Path completed) throws IOException {
    String line = Files.readAllLines(completed).get(1);
    return line.substring(line.lastIndexOf(",\"") + 2, line.length() - 1);
  }

  @Test
  void aGrowingStreamMakesOneCycleInEachRunOfALocalFolder() throws Exception {
    List<String> lines = new ArrayList<>(List.of(ORDERS, insert(101, 1, "NEW")));
    Map<String, Object> settings =
        Map.of("storageUrl", "file:out", "connectionFolder", "cdc", "taskTargetDirectory", "job");
    Hub.run("run", config(lines, settings).toString()).succeeded();
    lines.add(insert(102, 2, "NEW"));
    lines.add("{\"kind\":\"commit\",\"position\":103,\"changes\":[]}");
    Hub.run("run", config(lines, settings).toString()).succeeded();
    Hub.run("run", config(lines, settings).toString()).succeeded();

    Path job = directory.resolve("out/cdc/job");
    assertThat(files(job, "Cycle-2*.csv")).hasSize(2);
    String config = directory.resolve("hub.yaml").toString();
    assertThat(Hub.run("verify-cycles", "--config", config).succeeded().errors())
        .contains("The job is job of pipeline sales", "0 errors and 0 remarks in 2 cycles");
    assertThat(rows(job))
        .containsExactly(
            "\"I\",\"00000000000000000101000000000001\",\"1\",\"NEW\",,",
            "\"I\",\"00000000000000000102000000000001\",\"2\",\"NEW\",,");
    assertThat(files(job, "orders.schema")).hasSize(1);
    assertThat(files(job, "_tmp_*")).isEmpty();
  }

  @Test
  void aCombinedJobGoesThroughItsPhases() throws Exception {
    List<String> lines =
        List.of(
            ORDERS,
            "{\"kind\":\"snapshot\",\"table\":\"sales.orders\",\"position\":100,\"rows\":[{\"id\":1,\"status\":\"a\"},{\"id\":2,\"status\":\"b\"}]}",
            insert(104, 3, "during"),
            "{\"kind\":\"snapshotEnd\",\"table\":\"sales.orders\",\"backlog\":true}",
            "{\"kind\":\"commit\",\"position\":107,\"changes\":[{\"op\":\"update\",\"table\":\"sales.orders\",\"before\":{\"id\":1,\"status\":\"a\"},\"after\":{\"id\":1,\"status\":\"c\"}}]}",
            "{\"kind\":\"backlogEnd\",\"table\":\"sales.orders\"}",
            "{\"kind\":\"commit\",\"position\":112,\"changes\":[{\"op\":\"delete\",\"table\":\"sales.orders\",\"before\":{\"id\":2,\"status\":\"b\"}}]}");
    Map<String, Object> settings =
        Map.of("storageUrl", "file:out", "taskTargetDirectory", "job", "loadType", "COMBINED");

    Hub.run("run", config(lines, settings).toString()).succeeded();

    Path job = directory.resolve("out/job");
    assertThat(rows(job).stream().map(row -> row.substring(0, row.indexOf(",", 58))).toList())
        .containsExactly(
            "\"T\",\"0000000010000000010000000000000000000100000000000000\"",
            "\"I\",\"0000000010000000010100000000000000000100000000000001\"",
            "\"I\",\"0000000010000000010100000000000000000100000000000002\"",
            "\"X\",\"0000000010000000010200000000000000000104000000000001\"",
            "\"Y\",\"0000000010000000010200000000000000000104000000000002\"",
            "\"U\",\"0000000010000000010300000000000000000107000000000001\"",
            "\"D\",\"0000000010000000010400000000000000000112000000000001\"");
    List<String> reasons = new ArrayList<>();
    for (Path completed : files(job.resolve("cycle/completed"), "Cycle-2*.csv")) {
      reasons.add(reasonOf(completed));
    }
    assertThat(reasons)
        .containsExactly("INITIAL_LOAD_COMPLETED", "BACKLOG_COMPLETED", "NORMAL_EXPIRY");
  }

  @Test
  void aLakehouseAndAFileSystemOfAStorageAccountTakeTheSameCycles() throws Exception {
    List<String> lines =
        List.of(ORDERS, insert(101, 1, "NEW"), insert(102, 2, "NEW"), insert(103, 3, "NEW"));
    try (Emulator emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")))) {
      for (String place : List.of("lakehouseFilesUrl", "adlsUrl")) {
        Map<String, Object> settings = new java.util.TreeMap<>(signIn(emulator));
        settings.put("storageUrl", emulator.get(place));
        settings.put("connectionFolder", "cdc");
        settings.put("taskTargetDirectory", "job_" + place);
        settings.put("outputFormat", place.equals("adlsUrl") ? "PARQUET" : "CSV");
        Path config = config(lines, settings);
        Hub.run("check", config.toString()).succeeded();
        deleteState();

        Hub.run("run", config.toString()).succeeded();

        assertThat(files(emulator.directory(), "completed/**/Cycle-2*.csv"))
            .filteredOn(file -> file.toString().contains("job_" + place))
            .hasSize(1);
        judgedWhereTheyWereWritten(config, emulator.get(place), "job_" + place);
      }
      assertThat(rows(emulator.directory())).hasSize(3);
      assertThat(files(emulator.directory(), "orders_*.parquet")).hasSize(1);
    }
  }

  /** Both commands read the live job, by any URL of it and by the pipeline alone. */
  private static void judgedWhereTheyWereWritten(Path config, String url, String job)
      throws Exception {
    for (String location : List.of("", url, url + "/cdc/", url + "/cdc/" + job)) {
      List<String> arguments = new ArrayList<>(List.of("--config", config.toString()));
      if (!location.isEmpty()) {
        arguments.add(0, location);
      }
      Hub.Result judged = Hub.run(with("verify-cycles", arguments)).succeeded();
      assertThat(judged.output()).isEmpty();
      assertThat(judged.errors())
          .contains(
              "The job is " + job + " of pipeline sales", "0 errors and 0 remarks in 1 cycle");
      Hub.Result read = Hub.run(with("read-cycles", arguments)).succeeded();
      assertThat(read.output().lines())
          .hasSize(3)
          .last()
          .asString()
          .contains("\"table\":\"orders\"", "\"row\":{\"id\":3,\"status\":\"NEW\"}");
    }
    for (String other : List.of(url + "_other", url + "/cdc/other", url + "/cdc/other/" + job)) {
      assertThat(Hub.run("verify-cycles", other, "--config", config.toString()).exited(1).errors())
          .contains("No pipeline of", "writes to " + other + ". Give the URL as");
    }
    assertThat(Hub.run("verify-cycles", url).exited(2).errors()).contains("needs --config CONFIG");
  }

  private static String[] with(String command, List<String> arguments) {
    return Stream.concat(Stream.of(command), arguments.stream()).toArray(String[]::new);
  }

  private void deleteState() throws IOException {
    Path state = directory.resolve("state");
    if (Files.exists(state)) {
      try (Stream<Path> all = Files.walk(state)) {
        for (Path file : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static Map<String, Object> signIn(Emulator emulator) {
    String host = java.net.URI.create(emulator.get("lakehouseFilesUrl")).getAuthority();
    String authority = java.net.URI.create(emulator.get("authorityHost")).getAuthority();
    String adls = java.net.URI.create(emulator.get("adlsUrl")).getAuthority();
    return Map.of(
        "username", emulator.get("clientId"),
        "password", emulator.get("clientSecret"),
        "tenantId", emulator.get("tenantId"),
        "authorityHost", emulator.get("authorityHost"),
        "trustedCertificates", emulator.get("caCertificate"),
        "allowedHosts", String.join(",", new java.util.TreeSet<>(List.of(host, authority, adls))));
  }

  @Test
  void badSettingsEndAtTheStartWithTheNameOfTheSetting() throws Exception {
    Map<String, Object> settings =
        Map.of(
            "storageUrl",
            "https://onelake.dfs.fabric.microsoft.com/Sales/Shop.Lakehouse/Tables",
            "dataDirectory",
            "{TaskTargetDirectory}/{Tabel}",
            "username",
            "app",
            "password",
            "s3cr3t",
            "tenantId",
            "44444444-4444-4444-4444-444444444444");

    Hub.Result result = Hub.run("run", config(List.of(ORDERS), settings).toString()).exited(1);

    assertThat(result.errors()).contains("storageUrl", "Tables", "dataDirectory", "{Tabel}");
  }

  @Test
  void aSwitchedLoadTypeIsRefused() throws Exception {
    List<String> lines = List.of(ORDERS, insert(101, 1, "NEW"));
    Hub.run("run", config(lines, Map.of("storageUrl", "file:out")).toString()).succeeded();

    Hub.Result result =
        Hub.run(
                "run",
                config(lines, Map.of("storageUrl", "file:out", "loadType", "COMBINED")).toString())
            .exited(1);

    assertThat(result.errors()).contains("loadType", "taskTargetDirectory");
  }
}
