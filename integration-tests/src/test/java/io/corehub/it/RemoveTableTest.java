package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub remove-table}: a stopped table no longer holds the position, and stays out. */
@Tag("full")
class RemoveTableTest {

  private static final String TABLE =
      "{\"kind\":\"table\",\"table\":\"%s\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},"
          + "{\"name\":\"v\",\"type\":\"SHORT\"}],\"primaryKey\":[\"id\"]}";

  @TempDir Path directory;
  private Emulator emulator;
  private Pipeline pipeline;
  private String config;

  @BeforeEach
  void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate");
    pipeline = new Pipeline(directory, emulator).set("recreateWaitSeconds", 60);
    config = pipeline.lines(lines(70_000)).write();
  }

  @AfterEach
  void stop() {
    emulator.close();
  }

  /** Table t stops at position 3 if the value does not fit. */
  private static List<String> lines(int value) {
    return List.of(
        TABLE.formatted("t"),
        TABLE.formatted("other"),
        "{\"kind\":\"snapshot\",\"table\":\"t\",\"rows\":[{\"id\":1,\"v\":10}]}",
        "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}",
        "{\"kind\":\"snapshotEnd\",\"table\":\"other\"}",
        insert(1, "t", 2, 20),
        insert(2, "other", 1, 1),
        insert(3, "t", 3, value),
        insert(4, "other", 2, 2),
        insert(5, "t", 4, 40),
        insert(6, "other", 3, 3));
  }

  private static String insert(int position, String table, int id, int v) {
    return ("{\"kind\":\"commit\",\"position\":%d,\"changes\":[{\"op\":\"insert\",\"table\":\"%s\","
            + "\"after\":{\"id\":%d,\"v\":%d}}]}")
        .formatted(position, table, id, v);
  }

  private static String row(int id, int v) {
    return "{\"id\":" + id + ",\"v\":" + v + "}";
  }

  private String confirmed() throws Exception {
    return new ObjectMapper()
        .readTree(directory.resolve("state").resolve("shop.json").toFile())
        .path("confirmed")
        .path("order")
        .asText();
  }

  private String lastFile(String table) throws Exception {
    return emulator.published(table).stream().max(String::compareTo).orElseThrow();
  }

  private List<String> rows(String table) throws Exception {
    return Hub.run("mirrored", emulator.directory().toString(), "--table", table)
        .succeeded()
        .output()
        .lines()
        .toList();
  }

  @Test
  void thePositionGoesOnWithoutTheTableUntilItIsRecreated() throws Exception {
    assertThat(Hub.run("run", config).exited(1).errors()).contains("Table t", "70000");
    assertThat(confirmed()).isEqualTo("2");
    String lastFile = lastFile("t");

    Hub.Result removed = Hub.run("remove-table", config, "t").succeeded();
    assertThat(removed.output())
        .contains("shop: table t is removed", "from position 2", "stays as it is")
        .contains("hub recreate-table", "tables: [{ name: t, exclude: true }]");
    assertThat(Hub.run("remove-table", config, "t").succeeded().output())
        .isEqualTo(removed.output());
    assertThat(confirmed()).isEqualTo("2");
    assertThat(lastFile("t")).isEqualTo(lastFile);

    for (int start = 1; start <= 2; start++) {
      assertThat(Hub.run("run", config).exited(1).errors())
          .contains("Table t: it was removed, and the others go on without it", "recreate-table");
      assertThat(confirmed()).isEqualTo("6");
      assertThat(rows("t")).containsExactlyInAnyOrder(row(1, 10), row(2, 20));
      assertThat(rows("other")).containsExactlyInAnyOrder(row(1, 1), row(2, 2), row(3, 3));
    }
    assertThat(lastFile("t")).isEqualTo(lastFile);
    Hub.Result status = Hub.run("status", config).exited(1);
    assertThat(status.output() + status.errors()).contains("it was removed");

    pipeline.lines(lines(30));
    assertThat(Hub.run("run", config).exited(1).errors()).contains("it was removed");
    Hub.run("recreate-table", config, "t").succeeded();
    Hub.run("run", config).succeeded();
    assertThat(rows("t")).containsExactlyInAnyOrder(row(1, 10), row(2, 20), row(3, 30), row(4, 40));
    assertThat(Hub.run("compare", config).succeeded().output()).contains("All 2 tables agree");
  }

  @Test
  void aRemovedTableMayBeLeftOutAndStaysOutWhenItComesBack() throws Exception {
    Hub.run("run", config).exited(1);
    Hub.run("remove-table", config, "t").succeeded();

    pipeline.tables("[ { name: t, exclude: true } ]").write();
    Hub.run("run", config).succeeded();
    assertThat(confirmed()).isEqualTo("6");
    pipeline.tables("[ { name: \"*\" } ]").lines(lines(30)).write();

    assertThat(Hub.run("run", config).exited(1).errors()).contains("Table t: it was removed");
    assertThat(rows("t")).containsExactlyInAnyOrder(row(1, 10), row(2, 20));
  }

  @Test
  void aTableThatNeverHadAFileNoLongerHoldsThePosition() throws Exception {
    List<String> lines = new ArrayList<>(lines(30));
    lines.set(2, lines.get(2).replace("\"v\":10", "\"v\":70000"));
    pipeline.lines(lines);
    Hub.run("run", config).exited(1);
    assertThat(Files.exists(directory.resolve("state").resolve("shop.json"))).isTrue();
    assertThat(confirmed()).isNotEqualTo("6");

    Hub.run("remove-table", config, "t").succeeded();

    assertThat(Hub.run("run", config).exited(1).errors()).contains("Table t: it was removed");
    assertThat(confirmed()).isEqualTo("6");
  }

  @Test
  void whatCannotBeDoneIsSaid() throws Exception {
    assertThat(Hub.run("remove-table", config, "t").exited(1).errors())
        .contains("has never seen table t", "has seen no table yet", "exclude: true");
    Hub.run("run", config).exited(1);

    assertThat(Hub.run("remove-table", config, "othr").exited(1).errors())
        .contains("has never seen table othr", "Did you mean 'other'?", "[other, t]");
    assertThat(Hub.run("remove-table", config, "t", "--pipeline", "x").exited(1).errors())
        .contains("No pipeline 'x'", "[shop]");
    assertThat(Hub.run("remove-table", config).exited(2).errors()).contains("TABLE");
    assertThat(Hub.run("remove-table", "nowhere.yaml", "t").exited(2).errors())
        .contains("nowhere.yaml");
    assertThat(Hub.run("remove-table", "--help").succeeded().output())
        .contains("recreate-table", "leaves it out");
    assertThat(Hub.run("run", config).exited(1).errors()).contains("70000");
  }

  @Test
  void aHubThatRunsIsNotDisturbed() throws Exception {
    List<String> lines = new ArrayList<>(lines(30));
    lines.add("{\"kind\":\"pause\",\"millis\":600000}");
    pipeline.lines(lines);
    try (Hub.Running running = Hub.start(Map.of(), "run", config)) {
      running.awaitErrors("started");

      assertThat(Hub.run("remove-table", config, "t").exited(1).errors())
          .contains("Another hub uses the state directory", "Stop it");
      assertThat(running.alive()).isTrue();
    }
  }
}
