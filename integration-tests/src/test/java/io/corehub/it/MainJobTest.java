package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recorded stream of every type and every kind of change stands in the mirrored database. */
class MainJobTest {

  private static final String STREAM =
      """
      {"kind":"stream","timeline":"recorded-1"}
      {"kind":"table","table":"types.Every\\\\.Type","columns":[{"name":"id","type":"LONG","nullable":false},{"name":"s","type":"SHORT"},{"name":"i","type":"INT"},{"name":"f","type":"FLOAT"},{"name":"d","type":"DOUBLE"},{"name":"n","type":"BIG_DECIMAL","precision":18,"scale":4},{"name":"big","type":"BIG_DECIMAL","precision":38,"scale":10},{"name":"b","type":"BOOLEAN"},{"name":"t","type":"STRING"},{"name":"bin","type":"BYTE_ARRAY"},{"name":"ld","type":"LOCAL_DATE"},{"name":"lt","type":"LOCAL_TIME"},{"name":"ot","type":"OFFSET_TIME"},{"name":"ldt","type":"LOCAL_DATE_TIME"},{"name":"odt","type":"OFFSET_DATE_TIME"},{"name":"arr","type":"ARRAY"},{"name":"map","type":"MAP"}],"primaryKey":["id"]}
      {"kind":"table","table":"sales.Orders","columns":[{"name":"id","type":"INT","nullable":false},{"name":"what","type":"STRING"}],"primaryKey":["id"]}
      {"kind":"table","table":"Plain","columns":[{"name":"id","type":"INT"},{"name":"v","type":"STRING"}],"primaryKey":["id"]}
      {"kind":"table","table":"sales.Log","columns":[{"name":"line","type":"STRING"}]}
      {"kind":"table","table":"sales.Empty","columns":[{"name":"id","type":"INT"},{"name":"v","type":"DOUBLE"}],"primaryKey":["id"]}
      {"kind":"snapshot","table":"types.Every\\\\.Type","rows":[{"id":1,"s":-32768,"i":2147483647,"f":1.5,"d":-0.25,"n":"12345678901234.5678","big":"-1234567890123456789012345678.0123456789","b":true,"t":"h\\u00e9llo \\ud83d\\ude00","bin":"AAECAw==","ld":"1582-10-15","lt":"23:59:59.999999","ot":"01:02:03+05:30","ldt":"0001-01-01T00:00:00","odt":"2026-03-04T05:06:07.123456789+02:00","arr":[1,null,"x"],"map":{"a":{"b":[]}}}]}
      {"kind":"snapshot","table":"sales.Orders","rows":[{"id":1,"what":"a"},{"id":2,"what":"b"},{"id":3,"what":"c"}]}
      {"kind":"snapshotEnd","table":"sales.Orders"}
      {"kind":"snapshot","table":"types.Every\\\\.Type","rows":[{"id":2}]}
      {"kind":"snapshotEnd","table":"types.Every\\\\.Type"}
      {"kind":"snapshot","table":"sales.Log","rows":[{"line":"first"},{"line":"first"}]}
      {"kind":"snapshotEnd","table":"sales.Log"}
      {"kind":"snapshotEnd","table":"sales.Empty"}
      {"kind":"commit","position":10,"changes":[{"op":"insert","table":"sales.Orders","after":{"id":4,"what":"d"}},{"op":"update","table":"sales.Orders","before":{"id":2},"after":{"id":2,"what":"B"}},{"op":"delete","table":"sales.Orders","before":{"id":1}}]}
      {"kind":"commit","position":11,"changes":[{"op":"update","table":"sales.Orders","before":{"id":3},"after":{"id":33,"what":"moved"}},{"op":"insert","table":"sales.Log","after":{"line":"second"}},{"op":"insert","table":"Plain","after":{"id":1,"v":"x"}}]}
      {"kind":"commit","position":18446744073709551614,"changes":[{"op":"update","table":"types.Every\\\\.Type","after":{"id":2,"f":"NaN","d":"-Infinity","t":"","bin":"","n":"1.5"}}]}
      {"kind":"table","table":"Plain","columns":[{"name":"id","type":"INT"},{"name":"v","type":"STRING"},{"name":"added","type":"BIG_DECIMAL","precision":5,"scale":2}],"primaryKey":["id"]}
      {"kind":"commit","position":18446744073709551615,"changes":[{"op":"insert","table":"Plain","after":{"id":2,"v":null,"added":"1.50"}}]}
      """;

  @TempDir static Path directory;
  private static Emulator emulator;

  @BeforeAll
  static void runOnce() throws Exception {
    emulator = Emulator.start(Files.createDirectory(directory.resolve("onelake")));
    String config = new Pipeline(directory, emulator).lines(STREAM).write();
    Hub.Result result = Hub.run("run", config).succeeded();
    assertThat(result.output()).isEmpty();
  }

  @AfterAll
  static void stop() throws Exception {
    emulator.close();
  }

  @Test
  void keyedTableShowsInsertsUpdatesDeletesAndKeyChanges() throws Exception {
    assertThat(mirrored("sales.Orders"))
        .containsExactlyInAnyOrder(
            json("{'id':2,'what':'B'}"),
            json("{'id':4,'what':'d'}"),
            json("{'id':33,'what':'moved'}"));
  }

  @Test
  void keylessTableKeepsEveryInsert() throws Exception {
    assertThat(mirrored("sales.Log"))
        .containsExactlyInAnyOrder(
            json("{'line':'first'}"), json("{'line':'first'}"), json("{'line':'second'}"));
  }

  @Test
  void tableWithoutSchemaFollowsAnAddedColumn() throws Exception {
    assertThat(mirrored("Plain"))
        .containsExactlyInAnyOrder(
            json("{'id':1,'v':'x','added':null}"), json("{'id':2,'v':null,'added':'1.50'}"));
  }

  @Test
  void emptySnapshotMakesTheTableAppear() throws Exception {
    assertThat(mirrored("sales.Empty")).isEmpty();
    assertThat(emulator.published("sales.schema/Empty"))
        .containsExactly("00000000000000000001.parquet");
  }

  @Test
  void everyTypeKeepsItsValues() throws Exception {
    List<JsonNode> rows = mirrored("types.Every\\.Type");
    assertThat(rows).hasSize(2);
    JsonNode one = rows.get(0).get("id").asInt() == 1 ? rows.get(0) : rows.get(1);
    JsonNode two = one == rows.get(0) ? rows.get(1) : rows.get(0);
    assertThat(one.get("s").asInt()).isEqualTo(-32768);
    assertThat(one.get("i").asInt()).isEqualTo(2147483647);
    assertThat(one.get("f").floatValue()).isEqualTo(1.5f);
    assertThat(one.get("d").doubleValue()).isEqualTo(-0.25);
    assertThat(one.get("n").asText()).isEqualTo("12345678901234.5678");
    assertThat(one.get("big").asText()).isEqualTo("-1234567890123456789012345678.0123456789");
    assertThat(one.get("b").asBoolean()).isTrue();
    assertThat(one.get("t").asText()).isEqualTo("h\u00e9llo \ud83d\ude00");
    assertThat(one.get("bin").asText()).isEqualTo("AAECAw==");
    assertThat(one.get("ld").asText()).isEqualTo("1582-10-15");
    assertThat(one.get("lt").asText()).isEqualTo("23:59:59.999999");
    assertThat(one.get("ot").asText()).isEqualTo("19:32:03Z");
    assertThat(one.get("ldt").asText()).isEqualTo("0001-01-01T00:00:00");
    assertThat(one.get("odt").asText()).isEqualTo("2026-03-04T03:06:07.123456Z");
    assertThat(Emulator.JSON.readTree(one.get("arr").asText())).isEqualTo(json("[1,null,'x']"));
    assertThat(Emulator.JSON.readTree(one.get("map").asText())).isEqualTo(json("{'a':{'b':[]}}"));
    assertThat(two.get("f").asText()).isEqualTo("NaN");
    assertThat(two.get("d").asText()).isEqualTo("-Infinity");
    assertThat(two.get("t").asText()).isEmpty();
    assertThat(two.get("bin").asText()).isEmpty();
    assertThat(two.get("n").asText()).isEqualTo("1.5000");
    assertThat(two.get("i").isNull()).isTrue();
  }

  @Test
  void numbersHaveNoGapAndNothingElseLiesInTheFolders() throws Exception {
    try (var paths = Files.walk(emulator.landingZone())) {
      List<String> names =
          paths
              .filter(Files::isRegularFile)
              .map(path -> emulator.landingZone().relativize(path).toString())
              .toList();
      assertThat(names)
          .contains(
              "_partnerEvents.json", "sales.schema/Orders/_metadata.json", "Plain/_metadata.json");
      assertThat(names).doesNotContain("sales.schema/Log/_metadata.json");
      assertThat(names)
          .allMatch(
              name ->
                  name.equals("_partnerEvents.json")
                      || name.endsWith("/_metadata.json")
                      || name.matches(".*/\\d{20}\\.parquet"));
    }
    List<String> orders = emulator.published("sales.schema/Orders");
    for (int i = 0; i < orders.size(); i++) {
      assertThat(orders.get(i)).isEqualTo(String.format("%020d.parquet", i + 1));
    }
    assertThat(
            Files.readString(emulator.landingZone().resolve("sales.schema/Orders/_metadata.json")))
        .isEqualToIgnoringWhitespace("{\"keyColumns\":[\"id\"]}");
  }

  @Test
  void landingZoneBreaksNoRuleAndTimesOfDayAreRemarked() throws Exception {
    assertThat(emulator.assertLandedWell())
        .hasSize(2)
        .allMatch(line -> line.startsWith("remark LZ-T1 table types.Every\\.Type, file "));
  }

  @Test
  void secondRunPublishesNothingAndSucceeds() throws Exception {
    int before = emulator.requests().size();
    Hub.run("run", directory.resolve("hub.yaml").toString()).succeeded();
    assertThat(emulator.requests().subList(before, emulator.requests().size()))
        .noneMatch(
            request ->
                List.of("create", "append", "flush", "rename")
                    .contains(request.get("operation").asText()));
  }

  private static List<JsonNode> mirrored(String table) throws Exception {
    Hub.Result result =
        Hub.run("mirrored", emulator.directory().toString(), "--table", table).succeeded();
    List<JsonNode> rows = new ArrayList<>();
    for (String line : result.output().lines().toList()) {
      rows.add(Emulator.JSON.readTree(line));
    }
    return rows;
  }

  private static JsonNode json(String singleQuoted) throws Exception {
    return Emulator.JSON.readTree(singleQuoted.replace('\'', '"'));
  }
}
