package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub handover} and the pipelines before and behind it. */
class HandoverTest {

  private static final List<String> FIRST =
      List.of(
          "{\"kind\":\"stream\",\"timeline\":\"shop-1\"}",
          "{\"kind\":\"table\",\"table\":\"keyed\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}",
          "{\"kind\":\"table\",\"table\":\"log\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}],\"primaryKey\":[]}",
          "{\"kind\":\"snapshot\",\"table\":\"keyed\",\"rows\":[{\"id\":1}]}",
          "{\"kind\":\"snapshotEnd\",\"table\":\"keyed\"}",
          "{\"kind\":\"snapshotEnd\",\"table\":\"log\"}",
          insert(1, "log", 1),
          insert(2, "keyed", 2));

  private static final String PAUSE = "{\"kind\":\"pause\",\"millis\":600000}\n";

  @TempDir Path directory;
  private Emulator emulator;
  private Pipeline pipeline;
  private String shop;
  private String connect;

  @BeforeEach
  void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate");
    pipeline = new Pipeline(directory, emulator).lines(FIRST);
    shop = pipeline.write();
    connect = directory.resolve("connect.yaml").toString();
    Files.writeString(
        Path.of(connect), Files.readString(Path.of(shop)).replace("name: shop", "name: connect"));
    Hub.run("run", shop).succeeded();
  }

  @AfterEach
  void stop() {
    emulator.close();
  }

  private static String insert(int position, String table, int id) {
    return "{\"kind\":\"commit\",\"position\":"
        + position
        + ",\"changes\":[{\"op\":\"insert\",\"table\":\""
        + table
        + "\",\"after\":{\"id\":"
        + id
        + "}}]}";
  }

  @Test
  void theOtherPipelineGoesOnAndThisOneCannot() throws Exception {
    Hub.Result handed = Hub.run("handover", shop, "--to", "connect").succeeded();

    assertThat(handed.output())
        .contains(
            "shop: table keyed is handed over to 'connect' from position 3 of timeline 'shop-1'",
            "shop: table log is handed over to 'connect' from position 3 of timeline 'shop-1'");
    assertThat(Hub.run("handover", shop, "--to", "connect").succeeded().output())
        .contains("table log was handed over before to 'connect' from position 3");
    List<String> more = new ArrayList<>(FIRST);
    more.add(insert(3, "log", 3));
    more.add(insert(4, "keyed", 4));
    pipeline.lines(more);
    assertThat(Hub.run("run", shop).exited(1).errors())
        .contains("the folder was handed over to pipeline 'connect'", "alone may go on with it")
        .doesNotContain("re-create the table", "snapshotOntoExistingTable");

    Hub.run("run", connect).succeeded();

    assertThat(rows("keyed")).containsExactlyInAnyOrder(row(1), row(2), row(4));
    assertThat(rows("log")).containsExactlyInAnyOrder(row(1), row(3));
    emulator.assertLandedWell();
    assertThat(Hub.run("run", shop).exited(1).errors())
        .contains("the folder belongs to pipeline 'connect', and this is 'shop'");
  }

  @Test
  void aRunningHubStopsThePipelineFirst() throws Exception {
    pipeline.lines(
        String.join("\n", FIRST) + "\n" + insert(3, "log", 3) + "\n" + PAUSE + insert(4, "log", 4));
    try (Hub.Running running = Hub.start(Map.of(), "run", shop)) {
      Await.until(
          "the pipeline has started",
          () -> running.errors().contains("shop: started"),
          running::errors);
      Hub.Result handed = Hub.run("handover", shop, "--to", "connect").succeeded();

      assertThat(handed.errors()).contains("The hub is running: pipeline shop is stopped first.");
      assertThat(handed.output())
          .contains("table keyed is handed over to 'connect'")
          .contains("table log is handed over to 'connect'");
      assertThat(running.await().succeeded().errors())
          .contains("shop: stopping, to be handed over to 'connect'");
    }
    pipeline.lines(
        String.join("\n", FIRST) + "\n" + insert(3, "log", 3) + "\n" + insert(4, "log", 4));
    Hub.run("run", connect).succeeded();
    assertThat(rows("log")).containsExactlyInAnyOrder(row(1), row(3), row(4));
    emulator.assertLandedWell();
  }

  @Test
  void aSnapshotUnderWayIsNotBrokenOff() throws Exception {
    pipeline.lines(
        String.join("\n", FIRST)
            + "\n{\"kind\":\"table\",\"table\":\"new\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}"
            + "\n{\"kind\":\"snapshot\",\"table\":\"new\",\"rows\":[{\"id\":1}]}\n"
            + PAUSE);
    String status = pipeline.hub("web: { port: 0 }").write();
    try (Hub.Running running = Hub.start(Map.of(), "run", status)) {
      Await.until(
          "the snapshot is under way",
          () -> Hub.run("status", status).output().contains("snapshot"),
          running::errors);
      assertThat(Hub.run("handover", status, "--to", "connect").exited(1).errors())
          .contains("Table new takes its snapshot, and pipeline shop goes on.");
      assertThat(running.alive()).isTrue();
    }
  }

  @Test
  void theOtherPipelinesOfTheHubGoOn() throws Exception {
    pipeline.lines(String.join("\n", FIRST) + "\n" + PAUSE);
    Path other = directory.resolve("other.changes.jsonl");
    Files.write(
        other,
        List.of(
            "{\"kind\":\"table\",\"table\":\"other\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"}],\"primaryKey\":[\"id\"]}",
            "{\"kind\":\"snapshotEnd\",\"table\":\"other\"}",
            PAUSE.strip()));
    String text = Files.readString(Path.of(shop));
    String both =
        text
            + text.substring(text.indexOf("  - name: shop"))
                .replace("name: shop", "name: side")
                .replace("./stream.changes.jsonl", "./other.changes.jsonl");
    Files.writeString(Path.of(shop), both);
    try (Hub.Running running = Hub.start(Map.of(), "run", shop)) {
      Await.until(
          "both have started",
          () ->
              running.errors().contains("shop: started")
                  && running.errors().contains("side: started"),
          running::errors);
      Hub.run("handover", shop, "--to", "connect", "--pipeline", "shop").succeeded();
      assertThat(running.alive()).isTrue();
      assertThat(
              Hub.run("handover", shop, "--to", "connect", "--pipeline", "shop")
                  .succeeded()
                  .output())
          .contains("table log was handed over before");
      Files.writeString(Path.of(shop), both.replace("name: side", "id: strange\n    name: side"));
      assertThat(Hub.run("handover", shop, "--to", "x", "--pipeline", "side").exited(1).errors())
          .contains("has no pipeline with the id 'strange'; it has [shop, side]");
      running.stop().exited(143);
    }
  }

  @Test
  void whatCannotBeHandedOverIsTold() throws Exception {
    assertThat(Hub.run("handover", shop, "--to", "shop").exited(1).errors())
        .contains("Pipeline 'shop' writes these tables already");
    assertThat(Hub.run("handover", shop, "--to", "x", "--pipeline", "y").exited(1).errors())
        .contains("No pipeline is called 'y'", "[shop]");
    assertThat(Hub.run("handover", shop).exited(2).errors()).contains("--to");
    assertThat(
            Hub.run("handover", shop, "--to", "x", "--timeline", "t", "--from", "ten")
                .exited(2)
                .errors())
        .contains("--from 'ten' is no position");
    assertThat(Hub.run("handover", shop, "--to", "x", "--timeline", "t").exited(2).errors())
        .contains("--from");
  }

  private List<String> rows(String table) throws Exception {
    return Hub.run("mirrored", emulator.directory().toString(), "--table", table)
        .succeeded()
        .output()
        .lines()
        .toList();
  }

  private static String row(int id) {
    return "{\"id\":" + id + "}";
  }
}
