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
        .contains("the folder was handed over to pipeline 'connect'");

    Hub.run("run", connect).succeeded();

    assertThat(rows("keyed")).containsExactlyInAnyOrder(row(1), row(2), row(4));
    assertThat(rows("log")).containsExactlyInAnyOrder(row(1), row(3));
    emulator.assertLandedWell();
    assertThat(Hub.run("run", shop).exited(1).errors())
        .contains("the folder belongs to pipeline 'connect', and this is 'shop'");
  }

  @Test
  void thePipelineMustNotRunAndMustBeNamed() throws Exception {
    pipeline.lines(String.join("\n", FIRST) + "\n{\"kind\":\"pause\",\"millis\":600000}\n");
    try (Hub.Running running = Hub.start(Map.of(), "run", shop)) {
      Await.until(
          "the hub holds its state",
          () ->
              Files.exists(directory.resolve("state/hub.lock"))
                  && running.errors().contains("shop"),
          running::errors);

      assertThat(Hub.run("handover", shop, "--to", "connect").exited(1).errors())
          .contains(
              "Another hub uses the state directory",
              "its pipelines run. Stop it, and run this command again.");
    }
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
