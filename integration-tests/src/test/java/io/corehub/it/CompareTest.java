package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub compare} tells equal tables from those that differ, and says how. */
class CompareTest {

  private static final String LINES =
      """
      {"kind":"table","table":"sales.Orders","columns":[{"name":"id","type":"INT"},{"name":"name","type":"STRING"},{"name":"price","type":"BIG_DECIMAL","precision":20,"scale":2},{"name":"at","type":"LOCAL_DATE_TIME"},{"name":"t","type":"LOCAL_TIME"},{"name":"day","type":"LOCAL_DATE"},{"name":"blob","type":"BYTE_ARRAY"},{"name":"f","type":"DOUBLE"},{"name":"ok","type":"BOOLEAN"},{"name":"code","type":"LONG","targetType":"string"},{"name":"m","type":"MAP"}],"primaryKey":["id"]}
      {"kind":"table","table":"log","columns":[{"name":"n","type":"INT"}]}
      {"kind":"snapshot","table":"sales.Orders","rows":[{"id":1,"name":"a","price":"1.50","at":"2026-01-02T03:04:05.6","t":"01:02:03","day":"1999-12-31","blob":"AQI=","f":0.1,"ok":true,"code":7,"m":{"x":1}},{"id":2,"name":"ü","price":"-3"},{"id":3}]}
      {"kind":"snapshotEnd","table":"sales.Orders"}
      {"kind":"snapshotEnd","table":"log"}
      {"kind":"commit","position":1,"changes":[{"op":"update","table":"sales.Orders","before":{"id":1},"after":{"id":1,"name":"b","f":"NaN"}},{"op":"delete","table":"sales.Orders","before":{"id":3}},{"op":"insert","table":"log","after":{"n":1}},{"op":"insert","table":"log","after":{"n":1}}]}
      {"kind":"commit","position":2,"changes":[{"op":"update","table":"sales.Orders","before":{"id":2},"after":{"id":9,"name":"moved"}},{"op":"insert","table":"sales.Orders","after":{"id":2,"name":"again"}}]}
      """;

  @TempDir Path directory;
  private Emulator emulator;

  @BeforeEach
  void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate");
  }

  @AfterEach
  void stop() throws Exception {
    emulator.close();
  }

  @Test
  void whatWasMirroredIsEqual() throws Exception {
    String config =
        new Pipeline(directory, emulator)
            .lines(LINES)
            .set("timeAs", "string")
            .set("localTimestampAs", "utc-timestamp")
            .write();
    Hub.run("run", config).succeeded();
    Hub.Result result = Hub.run("compare", config).succeeded();
    assertThat(result.output())
        .contains("Pipeline shop")
        .containsPattern("sales\\.Orders +3 +3  ([0-9a-f]{16})  \\1  equal")
        .containsPattern("log +2 +2  ([0-9a-f]{16})  \\1  equal")
        .contains("All 2 tables agree.");
  }

  @Test
  void aRowThatDiffersAndATableThatIsMissingAreShown() throws Exception {
    String config = new Pipeline(directory, emulator).lines(LINES).write();
    Hub.run("run", config).succeeded();
    new Pipeline(directory, emulator)
        .lines(
            LINES.replace("\"name\":\"again\"", "\"name\":\"Again\"")
                + "{\"kind\":\"table\",\"table\":\"later\",\"columns\":[{\"name\":\"n\",\"type\":\"INT\"}]}\n"
                + "{\"kind\":\"snapshotEnd\",\"table\":\"later\"}\n")
        .write();
    Hub.Result result = Hub.run("compare", config).exited(1);
    assertThat(result.output())
        .containsPattern("sales\\.Orders +3 +3  .*DIFFERENT")
        .containsPattern("later +0 +-  .*DIFFERENT")
        .containsPattern("log +2 +2  .*equal")
        .contains("The tables do not agree");
  }

  @Test
  void aPipelineThatCannotBeComparedKeepsNoOtherFromIt() throws Exception {
    Path config = Path.of(new Pipeline(directory, emulator).lines(LINES).write());
    Hub.run("run", config.toString()).succeeded();
    String shop = Files.readString(config);
    Files.writeString(
        config,
        shop.replace(
            "  - name: shop",
            "  - name: lake\n    source: { type: change-stream, files: [ ./stream.changes.jsonl ] }\n"
                + "    target: { agent: cycle-files, settings: { storageUrl: \"file:./lake\" } }\n"
                + "  - name: shop"));

    Hub.Result result = Hub.run("compare", config.toString()).exited(1);

    assertThat(result.errors())
        .contains("lake: agent 'cycle-files' has no mirrored tables that could be compared.");
    assertThat(result.output()).contains("Pipeline shop", "All 2 tables agree.");
  }

  @Test
  void aRowThatLandedTwiceIsShown() throws Exception {
    String config = new Pipeline(directory, emulator).lines(LINES).write();
    Hub.run("run", config).succeeded();
    new Pipeline(directory, emulator)
        .lines(LINES.replace(",{\"op\":\"insert\",\"table\":\"log\",\"after\":{\"n\":1}}]", "]"))
        .write();
    assertThat(Hub.run("compare", config).exited(1).output())
        .containsPattern("log +1 +2  .*DIFFERENT")
        .containsPattern("sales\\.Orders +3 +3  .*equal");
  }

  @Test
  void aTableWhoseFirstFilesAreGoneIsNotJudgedByTheRest() throws Exception {
    String config =
        new Pipeline(directory, emulator).lines(LINES).set("cdcBatchMaxSeconds", 0).write();
    Hub.run("run", config).succeeded();
    Path first = emulator.landingZone().resolve("log").resolve("0".repeat(19) + "1.parquet");
    Path cleaned =
        emulator.landingZone().resolve("log/_FilesReadyToDelete").resolve(first.getFileName());
    Await.until(
        "the first file is applied",
        () -> Files.exists(cleaned),
        () -> first + " was not moved to " + cleaned);
    Files.delete(cleaned);
    assertThat(Hub.run("compare", config).exited(1).output())
        .contains("mirrored: Fabric has deleted the table's first files")
        .containsPattern("sales\\.Orders +3 +3  .*equal");
  }
}
