package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values and names that a mirrored table cannot hold, from a change-stream file to the target. */
class ValuesTest {

  private static final Map<String, String> UNREPRESENTABLE = new LinkedHashMap<>();

  static {
    UNREPRESENTABLE.put("LOCAL_TIME", "\"24:00\"");
    UNREPRESENTABLE.put("OFFSET_TIME", "\"24:00+02:00\"");
    UNREPRESENTABLE.put("LOCAL_DATE_TIME", "\"2024-02-28T24:00\"");
    UNREPRESENTABLE.put("OFFSET_DATE_TIME", "\"infinity\"");
    UNREPRESENTABLE.put("LOCAL_DATE", "\"-infinity\"");
    UNREPRESENTABLE.put("STRING", "\"a\\ud800b\"");
  }

  @TempDir static Path shared;
  private static Emulator emulator;
  @TempDir Path directory;

  @BeforeAll
  static void start() throws Exception {
    emulator = Emulator.start(Files.createDirectory(shared.resolve("onelake")));
  }

  @AfterAll
  static void stop() throws Exception {
    emulator.close();
  }

  private static String table(String name, String type) {
    return "{\"kind\":\"table\",\"table\":\""
        + name
        + "\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},{\"name\":\"v\",\"type\":\""
        + type
        + "\"}],\"primaryKey\":[\"id\"]}";
  }

  private static String insert(int position, String table, String value) {
    return "{\"kind\":\"commit\",\"position\":"
        + position
        + ",\"changes\":[{\"op\":\"insert\",\"table\":\""
        + table
        + "\",\"after\":{\"id\":1,\"v\":"
        + value
        + "}}]}";
  }

  /** Tables called after the run and their type, each with one value; the last one holds 7. */
  private static List<String> stream(String run) {
    List<String> lines = new ArrayList<>();
    UNREPRESENTABLE.keySet().forEach(type -> lines.add(table(run + "." + type, type)));
    lines.add(table(run + ".ARRAY", "ARRAY"));
    lines.add(table(run + ".good", "INT"));
    int position = 1;
    for (Map.Entry<String, String> value : UNREPRESENTABLE.entrySet()) {
      lines.add(insert(position++, run + "." + value.getKey(), value.getValue()));
    }
    lines.add(insert(position++, run + ".ARRAY", "[".repeat(300) + "]".repeat(300)));
    lines.add(insert(position, run + ".good", "7"));
    return lines;
  }

  @Test
  void stopTheirTablesAloneByName() throws Exception {
    String config = new Pipeline(directory, emulator).lines(stream("stopped")).write();

    Hub.Result result = Hub.run("run", config).exited(1);

    for (String type : UNREPRESENTABLE.keySet()) {
      assertThat(result.errors()).contains("Table stopped." + type + ", key id=1: column 'v': ");
    }
    assertThat(result.errors())
        .contains("Table stopped.ARRAY, key id=1: column 'v': the JSON is nested deeper than 256");
    assertThat(value("stopped.good")).isEqualTo(7);
    assertThat(emulator.published("stopped.schema/LOCAL_TIME")).isEmpty();
  }

  @Test
  void areReplacedByTheNearestWhenAskedTo() throws Exception {
    String config =
        new Pipeline(directory, emulator)
            .lines(stream("replaced"))
            .set("unrepresentableValues", "replace")
            .tables("[ { name: replaced.*, }, { name: replaced.ARRAY, exclude: true } ]")
            .write();

    Hub.run("run", config).succeeded();

    assertThat(value("replaced.LOCAL_TIME")).isEqualTo("23:59:59.999999");
    assertThat(value("replaced.OFFSET_TIME")).isEqualTo("21:59:59.999999Z");
    assertThat(value("replaced.LOCAL_DATE_TIME")).isEqualTo("2024-02-28T23:59:59.999999");
    assertThat(value("replaced.OFFSET_DATE_TIME")).isEqualTo("9999-12-31T23:59:59.999999Z");
    assertThat(value("replaced.LOCAL_DATE")).isEqualTo("0001-01-01");
    assertThat(value("replaced.STRING")).isEqualTo("a\ufffdb");
  }

  @Test
  void areKeptAsTextInColumnsThatAskForIt() throws Exception {
    String config =
        new Pipeline(directory, emulator)
            .lines(
                List.of(
                    table("kept.on", "LOCAL_DATE"),
                    table("kept.at", "LOCAL_DATE_TIME"),
                    table("kept.n", "BIG_DECIMAL"),
                    insert(1, "kept.on", "\"infinity\""),
                    insert(2, "kept.at", "\"2024-02-28T24:00\""),
                    insert(3, "kept.n", "\"1e-50\"")))
            .tables("[ { name: kept.*, targetTypes: { v: string } } ]")
            .write();

    Hub.run("run", config).succeeded();

    assertThat(value("kept.on")).isEqualTo("infinity");
    assertThat(value("kept.at")).isEqualTo("2024-02-28T24:00:00");
    assertThat(value("kept.n")).isEqualTo("0." + "0".repeat(49) + "1");
  }

  @Test
  void namesAreKeptOrRefusedEachForItself() throws Exception {
    List<String> names =
        List.of("50% a+b#c?", "dot\\\\.ted", "\u65e5\u672c.Gr\u00f6\u00dfe", " x. ");
    List<String> refused =
        List.of("_hidden", "n.a/b", "n.\\u202e\\n", "x\\\\.schema", "Twin", "TWIN");
    List<String> lines = new ArrayList<>();
    int position = 1;
    for (String name : names) {
      lines.add(table(name, "INT"));
      lines.add(insert(position++, name, "7"));
    }
    for (String name : refused) {
      lines.add(table(name, "INT"));
      lines.add(insert(position++, name, "7"));
    }
    String config = new Pipeline(directory, emulator).lines(lines).write();

    Hub.Result result = Hub.run("run", config).exited(1);

    for (String name : names) {
      assertThat(value(name.replace("\\\\", "\\"))).isEqualTo(7);
    }
    assertThat(result.errors())
        .contains("'_hidden' begins with an underscore")
        .contains("'a/b' holds a path separator")
        .contains("'\\u202e\\u000a' holds a control character")
        .contains("'x.schema' ends in '.schema'")
        .contains("Twin")
        .contains("differ only by case");
  }

  /** The value of the only row of a mirrored table. */
  private static Object value(String table) throws Exception {
    Hub.Result result =
        Hub.run("mirrored", emulator.directory().toString(), "--table", table).succeeded();
    JsonNode value = Emulator.JSON.readTree(result.output()).get("v");
    return value.isNumber() ? (Object) value.intValue() : value.asText();
  }
}
