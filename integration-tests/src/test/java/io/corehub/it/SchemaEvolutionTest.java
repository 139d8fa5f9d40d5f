package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that change their shape, from change-stream files to what Fabric's replicator shows. */
class SchemaEvolutionTest {

  @TempDir Path directory;
  private Emulator emulator;
  private final List<String> lines = new ArrayList<>();
  private int position;

  @BeforeEach
  void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate");
  }

  @AfterEach
  void stop() {
    emulator.close();
  }

  private void table(String name, String key, String... columns) {
    List<String> declared = new ArrayList<>();
    for (String column : columns) {
      String[] parts = column.split(":");
      String digits =
          parts.length > 2 ? ",\"precision\":" + parts[2] + ",\"scale\":" + parts[3] : "";
      declared.add("{\"name\":\"" + parts[0] + "\",\"type\":\"" + parts[1] + "\"" + digits + "}");
    }
    lines.add(
        "{\"kind\":\"table\",\"table\":\""
            + name
            + "\",\"columns\":["
            + String.join(",", declared)
            + "],\"primaryKey\":["
            + key
            + "]}");
  }

  private void loaded(String name) {
    lines.add("{\"kind\":\"snapshotEnd\",\"table\":\"" + name + "\"}");
  }

  private void insert(String name, String row) {
    change("{\"op\":\"insert\",\"table\":\"" + name + "\",\"after\":" + row + "}");
  }

  private void change(String change) {
    lines.add("{\"kind\":\"commit\",\"position\":" + ++position + ",\"changes\":[" + change + "]}");
  }

  /** The first shapes of all tables, and a row in each. */
  private void begin() {
    String id = "\"id\"";
    table("added", id, "id:INT", "a:STRING");
    table("dropped", id, "id:INT", "a:STRING", "b:INT");
    table("again", id, "id:INT", "a:STRING");
    table("renamed", id, "id:INT", "a:STRING");
    table("turned", id, "id:INT", "a:STRING");
    table("keyed", "", "id:INT", "a:STRING");
    table("typed", id, "id:INT", "a:STRING");
    table("decimal", id, "id:INT", "d:BIG_DECIMAL:10:2");
    table("rekeyed", id, "id:INT", "a:STRING");
    for (String name : ALL) {
      loaded(name);
    }
    for (String name : ALL) {
      insert(
          name,
          switch (name) {
            case "decimal" -> "{\"id\":1,\"d\":\"1.50\"}";
            case "dropped" -> "{\"id\":1,\"a\":\"x\",\"b\":7}";
            default -> "{\"id\":1,\"a\":\"x\"}";
          });
    }
  }

  private static final List<String> ALL =
      List.of(
          "added", "dropped", "again", "renamed", "turned", "keyed", "typed", "decimal", "rekeyed");

  /** The new shapes, and a row in each. */
  private void change() {
    String id = "\"id\"";
    table("added", id, "id:INT", "a:STRING", "n:LONG");
    insert("added", "{\"id\":2,\"a\":\"y\",\"n\":5}");
    table("dropped", id, "id:INT", "a:STRING");
    insert("dropped", "{\"id\":2,\"a\":\"y\"}");
    table("again", id, "id:INT");
    insert("again", "{\"id\":2}");
    table("again", id, "id:INT", "a:STRING");
    insert("again", "{\"id\":3,\"a\":\"z\"}");
    table("renamed", id, "id:INT", "b:STRING");
    insert("renamed", "{\"id\":2,\"b\":\"y\"}");
    table("turned", id, "a:STRING", "id:INT");
    insert("turned", "{\"a\":\"y\",\"id\":2}");
    table("keyed", id, "id:INT", "a:STRING");
    insert("keyed", "{\"id\":2,\"a\":\"y\"}");
    change("{\"op\":\"delete\",\"table\":\"keyed\",\"before\":{\"id\":1}}");
    table("typed", id, "id:INT", "a:INT");
    insert("typed", "{\"id\":2,\"a\":2}");
    table("decimal", id, "id:INT", "d:BIG_DECIMAL:12:2");
    insert("decimal", "{\"id\":2,\"d\":\"2.50\"}");
    table("rekeyed", "\"id\",\"a\"", "id:INT", "a:STRING");
    insert("rekeyed", "{\"id\":2,\"a\":\"y\"}");
    insert("added", "{\"id\":3,\"a\":\"z\",\"n\":6}");
  }

  private void assertEvolved(String errors) throws Exception {
    assertThat(rows("added"))
        .containsExactlyInAnyOrder(
            "{\"id\":1,\"a\":\"x\",\"n\":null}",
            "{\"id\":2,\"a\":\"y\",\"n\":5}",
            "{\"id\":3,\"a\":\"z\",\"n\":6}");
    assertThat(rows("dropped"))
        .containsExactlyInAnyOrder(
            "{\"id\":1,\"a\":\"x\",\"b\":7}", "{\"id\":2,\"a\":\"y\",\"b\":null}");
    assertThat(rows("again"))
        .containsExactlyInAnyOrder(
            "{\"id\":1,\"a\":\"x\"}", "{\"id\":2,\"a\":null}", "{\"id\":3,\"a\":\"z\"}");
    assertThat(rows("renamed"))
        .containsExactlyInAnyOrder(
            "{\"id\":1,\"a\":\"x\",\"b\":null}", "{\"id\":2,\"a\":null,\"b\":\"y\"}");
    assertThat(rows("turned"))
        .containsExactlyInAnyOrder("{\"id\":1,\"a\":\"x\"}", "{\"id\":2,\"a\":\"y\"}");
    assertThat(rows("keyed")).containsExactly("{\"id\":2,\"a\":\"y\"}");
    assertThat(emulator.landingZone().resolve("keyed/_metadata.json")).exists();
    assertThat(rows("typed")).containsExactly("{\"id\":1,\"a\":\"x\"}");
    assertThat(rows("decimal")).hasSize(1);
    assertThat(rows("rekeyed")).containsExactly("{\"id\":1,\"a\":\"x\"}");
    assertThat(errors)
        .contains("Table typed, column 'a' changed its type from STRING to INT32")
        .contains("Table decimal, column 'd' changed its type from ")
        .contains("Table rekeyed changed its primary key from [id] to [id, a]")
        .contains("recreate-table");
  }

  @Test
  void shapesChangeInsideACollectedWindow() throws Exception {
    begin();
    change();

    assertEvolved(run(600).exited(1).errors());
  }

  @Test
  void shapesChangeBetweenFilesOfOneCommit() throws Exception {
    begin();
    change();

    assertEvolved(run(0).exited(1).errors());
    // The held position does not make anything come twice, and the stopped tables are tried again.
    assertEvolved(run(0).exited(1).errors());
  }

  @Test
  void shapesChangeWhileTheHubIsDown() throws Exception {
    begin();
    run(1).succeeded();
    change();

    assertEvolved(run(1).exited(1).errors());
    assertEvolved(run(1).exited(1).errors());
  }

  @Test
  void shapesChangeWhileTheHubIsDownAndItsStateIsLost() throws Exception {
    begin();
    run(1).succeeded();
    change();
    loseState();
    assertEvolved(run(1).exited(1).errors());

    loseState();
    assertEvolved(run(1).exited(1).errors());
  }

  private void loseState() throws Exception {
    try (var files = Files.walk(directory.resolve("state"))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private Hub.Result run(int windowSeconds) throws Exception {
    String config =
        new Pipeline(directory, emulator)
            .lines(lines)
            .set("cdcBatchMaxSeconds", windowSeconds)
            .write();
    return Hub.run("run", config);
  }

  private List<String> rows(String table) throws Exception {
    return Hub.run("mirrored", emulator.directory().toString(), "--table", table)
        .succeeded()
        .output()
        .lines()
        .toList();
  }
}
