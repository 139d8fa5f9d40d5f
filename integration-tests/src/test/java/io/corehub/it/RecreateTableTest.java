package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub recreate-table} and the run behind it. */
@Tag("full")
class RecreateTableTest {

  private static final String INTS =
      "{\"kind\":\"table\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},{\"name\":\"v\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}";
  private static final String TEXTS =
      INTS.replace("\"v\",\"type\":\"INT\"", "\"v\",\"type\":\"STRING\"");
  private static final String OTHER =
      "{\"kind\":\"table\",\"table\":\"u\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}";

  @TempDir Path directory;
  private Emulator emulator;
  private String config;

  @BeforeEach
  void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate");
    config =
        new Pipeline(directory, emulator).lines(first()).set("recreateWaitSeconds", 60).write();
    Hub.run("run", config).succeeded();
  }

  @AfterEach
  void stop() {
    emulator.close();
  }

  private static List<String> first() {
    return List.of(
        INTS,
        OTHER,
        "{\"kind\":\"snapshot\",\"table\":\"t\",\"rows\":[{\"id\":1,\"v\":10},{\"id\":2,\"v\":20}]}",
        "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}",
        "{\"kind\":\"snapshotEnd\",\"table\":\"u\"}",
        insert(1, "t", "{\"id\":3,\"v\":30}"),
        insert(2, "u", "{\"id\":1}"));
  }

  private static String insert(int position, String table, String row) {
    return "{\"kind\":\"commit\",\"position\":"
        + position
        + ",\"changes\":[{\"op\":\"insert\",\"table\":\""
        + table
        + "\",\"after\":"
        + row
        + "}]}";
  }

  @Test
  void aTableIsLoadedAnewFromItsSnapshotAndItsChanges() throws Exception {
    Hub.Result result = Hub.run("recreate-table", config, "t").succeeded();

    assertThat(result.output()).contains("shop: table t is gone");
    assertThat(Files.exists(emulator.landingZone().resolve("t"))).isFalse();
    assertThat(emulator.published("u")).isNotEmpty();
    Hub.run("run", config).succeeded();
    assertThat(rows("t")).containsExactlyInAnyOrder(row(1, 10), row(2, 20), row(3, 30));
    assertThat(rows("u")).containsExactly("{\"id\":1}");
    Hub.run("run", config).succeeded();
    assertThat(rows("t")).hasSize(3);
  }

  @Test
  void aChangedTypeStopsTheTableUntilItIsRecreated() throws Exception {
    List<String> lines = new ArrayList<>(List.of(TEXTS, OTHER));
    lines.add(
        "{\"kind\":\"snapshot\",\"table\":\"t\",\"position\":3,\"rows\":[{\"id\":1,\"v\":\"ten\"},{\"id\":2,\"v\":\"b\"},{\"id\":3,\"v\":\"c\"}]}");
    lines.add("{\"kind\":\"snapshotEnd\",\"table\":\"t\"}");
    lines.add("{\"kind\":\"snapshotEnd\",\"table\":\"u\"}");
    lines.add(insert(2, "u", "{\"id\":1}"));
    lines.add(insert(4, "t", "{\"id\":4,\"v\":\"four\"}"));
    lines.add(insert(5, "u", "{\"id\":2}"));
    new Pipeline(directory, emulator).lines(lines);

    String errors = Hub.run("run", config).exited(1).errors();
    assertThat(errors).contains("Table t", "recreate-table");
    assertThat(rows("u")).containsExactlyInAnyOrder("{\"id\":1}", "{\"id\":2}");
    assertThat(rows("t")).containsExactlyInAnyOrder(row(1, 10), row(2, 20), row(3, 30));

    Hub.run("recreate-table", config, "t").succeeded();
    Hub.run("run", config).succeeded();
    assertThat(rows("t"))
        .containsExactlyInAnyOrder(
            "{\"id\":1,\"v\":\"ten\"}",
            "{\"id\":2,\"v\":\"b\"}",
            "{\"id\":3,\"v\":\"c\"}",
            "{\"id\":4,\"v\":\"four\"}");
  }

  @Test
  void aHubKilledAtAnyStepOfItCarriesItToItsEnd() throws Exception {
    for (String step : List.of("head", "delete", "create", "rename")) {
      AtomicLong seen = new AtomicLong(emulator.requests().size());
      boolean command = step.equals("head") || step.equals("delete");
      if (!command) {
        Hub.run("recreate-table", config, "t").succeeded();
        seen.set(emulator.requests().size());
      }
      emulator.addFaults(
          "[{\"operation\":\""
              + step
              + "\",\"path\":\"**/Files/LandingZone/t"
              + (step.equals("create") || step.equals("rename") ? "/**" : "")
              + "\",\"nth\":1,\"times\":1,\"fault\":{\"type\":\"hang\",\"millis\":3000}}]");
      String[] arguments =
          command ? new String[] {"recreate-table", config, "t"} : new String[] {"run", config};
      try (Hub.Running hub = Hub.start(Map.of(), arguments)) {
        Await.until(
            "a request hangs at " + step,
            () -> {
              List<com.fasterxml.jackson.databind.JsonNode> requests = emulator.requests();
              return !hub.alive()
                  || requests.subList((int) seen.get(), requests.size()).stream()
                      .anyMatch(
                          request ->
                              request.get("operation").asText().equals(step)
                                  && request.get("path").asText().contains("/LandingZone/t")
                                  && request.get("status").isNull());
            },
            hub::errors);
        assertThat(hub.alive()).as(hub.errors()).isTrue();
        hub.killAtOnce();
      }

      Hub.run("run", config).succeeded();
      assertThat(rows("t"))
          .as("killed at %s", step)
          .containsExactlyInAnyOrder(row(1, 10), row(2, 20), row(3, 30));
    }
  }

  @Test
  void whatCannotBeDoneIsSaid() throws Exception {
    assertThat(Hub.run("recreate-table", config, "t", "--pipeline", "other").exited(1).errors())
        .contains("No pipeline 'other'", "[shop]");
    assertThat(Hub.run("recreate-table", config, "nothing").succeeded().output())
        .contains("held nothing of table nothing");
    assertThat(Hub.run("recreate-table", config).exited(2).errors()).contains("TABLE");
    emulator.addFaults(
        "[{\"operation\":\"delete\",\"path\":\"**/t\",\"nth\":1,\"times\":100,"
            + "\"fault\":{\"type\":\"status\",\"code\":403,\"errorCode\":\"AuthorizationPermissionMismatch\"}}]");
    assertThat(Hub.run("recreate-table", config, "t").exited(1).errors())
        .contains("Table t", "right to delete");
  }

  @Test
  void aHubThatRunsIsNotDisturbed() throws Exception {
    List<String> lines = new ArrayList<>(first());
    lines.add("{\"kind\":\"pause\",\"millis\":600000}");
    new Pipeline(directory, emulator).lines(lines);
    try (Hub.Running running = Hub.start(Map.of(), "run", config)) {
      running.awaitErrors("started");

      assertThat(Hub.run("recreate-table", config, "t").exited(1).errors())
          .contains("Another hub uses the state directory");
      assertThat(emulator.published("t")).isNotEmpty();
    }
  }

  private static String row(int id, int v) {
    return "{\"id\":" + id + ",\"v\":" + v + "}";
  }

  private List<String> rows(String table) throws Exception {
    return Hub.run("mirrored", emulator.directory().toString(), "--table", table)
        .succeeded()
        .output()
        .lines()
        .toList();
  }
}
