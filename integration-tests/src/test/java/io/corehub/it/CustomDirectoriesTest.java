package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Cycles in directories of a user's own are read and judged with the configuration that wrote them,
 * and a setting that cannot work is named before anything is written.
 */
class CustomDirectoriesTest {

  private static final List<String> LINES =
      List.of(
          table("sales.orders"),
          table("sales.items"),
          commit(101, "sales.orders", 1),
          commit(102, "sales.items", 2));

  @TempDir Path directory;

  private static String table(String name) {
    return "{\"kind\":\"table\",\"table\":\""
        + name
        + "\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}";
  }

  private static String commit(int position, String table, int id) {
    return "{\"kind\":\"commit\",\"position\":"
        + position
        + ",\"changes\":[{\"op\":\"insert\",\"table\":\""
        + table
        + "\",\"after\":{\"id\":"
        + id
        + "}}]}";
  }

  private String config(List<String> lines, Map<String, String> settings) throws IOException {
    Pipeline pipeline =
        new Pipeline(directory, "cycle-files", "        storageUrl: file:out\n").lines(lines);
    settings.forEach((name, value) -> pipeline.set(name, "\"" + value + "\""));
    return pipeline.write();
  }

  static Stream<Map<String, String>> layouts() {
    return Stream.of(
        Map.of(
            "taskTargetDirectory", "jobs/sales cdc",
            "dataDirectory", "{TaskTargetDirectory}/{SchemaName}/{TableName}/{YYYY}/{MM}/rows",
            "schemaDirectory", "{TaskTargetDirectory}/{SchemaName}/{TableName}/shape",
            "cycleCompletionDirectory", "{TaskTargetDirectory}/done",
            "cycleContentsDirectory", "{TaskTargetDirectory}/lists"),
        Map.of(
            "dataDirectory", "lake/{TableName}",
            "schemaDirectory", "shapes/{TableName}",
            "cycleCompletionDirectory", "control/completed",
            "cycleContentsDirectory", "control/contents",
            "useCyclePartitioningForData", "false",
            "useCyclePartitioningForSummary", "false"),
        Map.of(
            "connectionFolder", "cdc",
            "cycleCompletionDirectory", "{TaskTargetDirectory}/done",
            "cycleContentsDirectory", "{TaskTargetDirectory}/lists",
            "addDirectoryTags", "true",
            "listIndividualFiles", "true",
            "outputFormat", "PARQUET",
            "avroSchemaDirectory", "avro"),
        Map.of(
            "dataDirectory", "{TaskTargetDirectory}/{TableName}/at {Timestamp}",
            "pathStyle", "absolute",
            "csvHeader", "false",
            "csvCompression", "gzip"));
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void areReadAndJudgedWithTheirConfiguration(Map<String, String> settings) throws Exception {
    String config = config(LINES, settings);
    Hub.run("run", config).succeeded();
    Path folder = directory.resolve("out").resolve(settings.getOrDefault("connectionFolder", ""));

    Hub.Result judged = Hub.run("verify-cycles", folder.toString(), "--config", config).succeeded();
    assertThat(judged.output()).isEmpty();
    assertThat(judged.errors()).contains("0 errors", "in 1 cycle");

    String rows =
        Hub.run("read-cycles", folder.toString(), "--config", config).succeeded().output();
    assertThat(rows.lines())
        .hasSize(2)
        .anyMatch(row -> row.contains("orders\"") && row.contains("\"row\":{\"id\":1}"))
        .anyMatch(row -> row.contains("items\"") && row.contains("\"row\":{\"id\":2}"));
    String cycle = rows.substring(rows.indexOf("\"cycle\":\"") + 9).split("\"", 2)[0];
    assertThat(
            Hub.run("read-cycles", folder.toString(), "--config", config, "--after", cycle)
                .succeeded()
                .output())
        .isEmpty();
  }

  @Test
  void aPipelineOfAnotherFolderIsToldApart() throws Exception {
    String config = config(LINES, Map.of("cycleCompletionDirectory", "{TaskTargetDirectory}/done"));
    Hub.run("run", config).succeeded();
    Path other = Files.createDirectory(directory.resolve("other"));

    assertThat(Hub.run("verify-cycles", other.toString(), "--config", config).exited(1).errors())
        .contains("No pipeline of", "connection folder");
  }

  @Test
  void tablesThatWouldShareADirectoryAreNamedBothWithTheRemedy() throws Exception {
    String config =
        config(
            List.of(table("sales.orders"), table("old.Orders"), commit(101, "sales.orders", 1)),
            Map.of());

    assertThat(Hub.run("run", config).exited(1).errors())
        .contains("sales.orders", "old.Orders", "{SchemaName}", "dataDirectory");
  }
}
