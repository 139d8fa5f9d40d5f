package io.corehub.hub.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A line that cannot be read names its file, its number and the reason. */
class MalformedLinesTest {

  private static final String TABLE =
      "{\"kind\":\"table\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},"
          + "{\"name\":\"s\",\"type\":\"SHORT\"},{\"name\":\"l\",\"type\":\"LONG\"},"
          + "{\"name\":\"f\",\"type\":\"FLOAT\"},{\"name\":\"d\",\"type\":\"DOUBLE\"},"
          + "{\"name\":\"n\",\"type\":\"BIG_DECIMAL\",\"precision\":9,\"scale\":2},"
          + "{\"name\":\"b\",\"type\":\"BOOLEAN\"},{\"name\":\"x\",\"type\":\"STRING\"},"
          + "{\"name\":\"y\",\"type\":\"BYTE_ARRAY\"},{\"name\":\"date\",\"type\":\"LOCAL_DATE\"},"
          + "{\"name\":\"time\",\"type\":\"LOCAL_TIME\"},{\"name\":\"ot\",\"type\":\"OFFSET_TIME\"},"
          + "{\"name\":\"ts\",\"type\":\"LOCAL_DATE_TIME\"},"
          + "{\"name\":\"at\",\"type\":\"OFFSET_DATE_TIME\"},{\"name\":\"a\",\"type\":\"ARRAY\"},"
          + "{\"name\":\"m\",\"type\":\"MAP\"}],\"primaryKey\":[\"id\"]}";
  private static final String GOOD =
      "{\"kind\":\"commit\",\"position\":5,\"changes\":[{\"op\":\"insert\",\"table\":\"t\",\"after\":{\"id\":1}}]}";

  @TempDir Path directory;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nonsense                                              | not valid JSON
          {                                                     | not valid JSON
          {"kind":"commit","position":9,"changes":[]            | not valid JSON
          {"kind":NaN}                                          | not valid JSON
          // note                                               | not valid JSON
          []                                                    | one JSON object
          7                                                     | one JSON object
          {"kind":"pause","millis":0} {}                        | goes on after its object
          {}                                                    | 'kind' is missing
          {"kind":"comit","position":9,"changes":[]}            | "comit", but must be one of
          {"kind":7}                                            | 'kind' is 7
          {"kind":"stream","timeline":"x"}                      | only be the first of its file
          {"kind":"pause"}                                      | 'millis' is missing
          {"kind":"pause","millis":-1}                          | 'millis' is -1
          {"kind":"pause","millis":"1"}                         | 'millis' is "1"
          {"kind":"pause","milis":1}                            | unknown field 'milis'; did you mean 'millis'?
          {"kind":"snapshotEnd"}                                | 'table' is missing
          {"kind":"snapshotEnd","table":"u"}                    | table 'u' was not declared before; did you mean 't'?
          {"kind":"snapshotEnd","table":"t","backlog":"yes"}    | 'backlog' is "yes"
          {"kind":"backlogEnd","table":"u"}                     | was not declared before
          {"kind":"snapshot","table":"t"}                       | 'rows' is missing
          {"kind":"snapshot","rows":[]}                         | 'table' is missing
          {"kind":"snapshot","table":"nowhere","rows":[]}       | table 'nowhere' was not declared before
          {"kind":"snapshot","table":"t","rows":{}}             | 'rows' must be a list
          {"kind":"snapshot","table":"t","rows":[7]}            | a row of table t must be an object
          {"kind":"snapshot","table":"t","rows":[],"rows":[]}   | field 'rows' occurs twice
          {"kind":"snapshot","table":"t","position":-1,"rows":[]} | 'position' is -1
          {"kind":"snapshot","table":"t","position":1.5,"rows":[]} | 'position' is 1.5
          {"kind":"snapshot","table":"t","tabl":"t","rows":[]} | unknown field 'tabl'; did you mean 'table'?
          {"kind":"table","table":"u"}                          | 'columns' must be a list
          {"kind":"table","table":"u","columns":[]}             | at least one column
          {"kind":"table","table":"u","columns":[7]}            | each of 'columns' must be an object
          {"kind":"table","table":"a.b.c","columns":[{"name":"i","type":"INT"}]} | more than two parts
          {"kind":"table","table":"","columns":[{"name":"i","type":"INT"}]} | has an empty part
          {"kind":"table","table":"u","columns":[{"name":"i"}]} | 'type' is missing
          {"kind":"table","table":"u","columns":[{"name":"i","type":"INTEGER"}]} | Unknown type 'INTEGER'
          {"kind":"table","table":"u","columns":[{"name":"i","type":"INT","size":4}]} | unknown field 'size'
          {"kind":"table","table":"u","columns":[{"name":"i","type":"INT","scale":2}]} | Only BIG_DECIMAL
          {"kind":"table","table":"u","columns":[{"name":"i","type":"INT","targetType":"number"}]} | Unknown target type 'number'
          {"kind":"table","table":"u","columns":[{"name":"i","type":"INT"},{"name":"i","type":"INT"}]} | occurs twice
          {"kind":"table","table":"u","columns":[{"name":"i","type":"INT"}],"primaryKey":["k"]} | 'k' is not a column
          {"kind":"table","table":"u","columns":[{"name":"i","type":"INT"}],"primaryKey":"i"} | 'primaryKey' must be a list
          {"kind":"table","table":"u","columns":[{"name":"i","type":"INT","nullable":"no"}]} | 'nullable' is "no"
          {"kind":"commit","changes":[]}                        | 'position' is missing
          {"kind":"commit","position":"9","changes":[]}         | 'position' is "9"
          {"kind":"commit","position":-9,"changes":[]}          | 'position' is -9
          {"kind":"commit","position":9.5,"changes":[]}         | 'position' is 9.5
          {"kind":"commit","position":18446744073709551616,"changes":[]} | 0 to 18446744073709551615
          {"kind":"commit","position":5,"changes":[]}           | greater than the one before, 5
          {"kind":"commit","position":4,"changes":[]}           | greater than the one before, 5
          {"kind":"commit","position":9}                        | 'changes' is missing
          {"kind":"commit","position":9,"position":10,"changes":[]} | field 'position' occurs twice
          {"kind":"commit","position":9,"changes":{}}           | 'changes' must be a list
          {"kind":"commit","position":9,"changes":[1]}          | must be an object
          {"kind":"commit","position":9,"committedAt":"today","changes":[]} | 'committedAt' is "today"
          {"kind":"commit","position":9,"user":7,"changes":[]}  | 'user' is 7
          {"kind":"commit","position":9,"changes":[{"table":"t","after":{"id":1}}]} | a change has no 'op'
          {"kind":"commit","position":9,"changes":[{"op":"insert","after":{"id":1}}]} | a change has no 'table'
          {"kind":"commit","position":9,"changes":[{"op":"upsert","table":"t","after":{"id":1}}]} | 'op' is "upsert"
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"v","after":{"id":1}}]} | table 'v' was not declared before
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t"}]} | the insert of table t has no 'after'
          {"kind":"commit","position":9,"changes":[{"op":"update","table":"t","before":{"id":1}}]} | the update of table t has no 'after'
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","before":{"id":1},"after":{"id":1}}]} | has a 'before'
          {"kind":"commit","position":9,"changes":[{"op":"delete","table":"t"}]} | lacks key column 'id' in 'before'
          {"kind":"commit","position":9,"changes":[{"op":"delete","table":"t","before":{"s":1}}]} | lacks key column 'id' in 'before'
          {"kind":"commit","position":9,"changes":[{"op":"update","table":"t","before":{"s":1},"after":{"id":1}}]} | lacks key column 'id' in 'before'
          {"kind":"commit","position":9,"changes":[{"op":"delete","table":"t","before":{"id":1},"after":{"id":1}}]} | has an 'after'
          {"kind":"commit","position":9,"changes":[{"op":"truncate","table":"t","after":{"id":1}}]} | has an 'after'
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"id":1},"unchanged":["s"]}]} | has 'unchanged' columns
          {"kind":"commit","position":9,"changes":[{"op":"update","table":"t","after":{"id":1},"unchanged":["q"]}]} | has no column 'q'
          {"kind":"commit","position":9,"changes":[{"op":"update","table":"t","after":{"id":1,"s":2},"unchanged":["s"]}]} | both in 'after' and in 'unchanged'
          {"kind":"commit","position":9,"changes":[{"op":"update","table":"t","after":{"id":1},"unchanged":"s"}]} | 'unchanged' must be a list
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"id":1},"afterwards":1}]} | unknown field 'afterwards'
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"id":1,"jd":1}}]} | has no column 'jd'; did you mean 'id'?
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"id":1,"id":1}}]} | column 'id' of table t occurs twice
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":[1]}]} | a row of table t must be an object
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"id":"abc"}}]} | column 'id' of table t is of type INT and cannot be "abc"
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"id":1.5}}]} | cannot be 1.5
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"id":true}}]} | cannot be true
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"id":[1]}}]} | cannot be an array
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"l":"7"}}]} | cannot be "7"
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"f":"inf"}}]} | "NaN", "Infinity" or "-Infinity"
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"d":{}}}]} | cannot be an object
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"n":"1,5"}}]} | a decimal number is expected
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"b":1}}]} | true or false is expected
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"x":1}}]} | a string is expected
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"y":"%%"}}]} | base64 is expected
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"date":"2024-13-01"}}]} | cannot be "2024-13-01"
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"date":"2023-02-29"}}]} | not ISO-8601
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"time":"12:60"}}]} | not ISO-8601
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"time":"12:00Z"}}]} | not ISO-8601
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"ot":"12:00"}}]} | an offset such as Z or +02:00 is missing
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"ts":"2024-01-01 00:00"}}]} | not ISO-8601
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"ts":"2024-01-01T00:00:00.1234567890"}}]} | not ISO-8601
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"at":"2024-01-01T00:00+19:00"}}]} | not ISO-8601
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"a":{}}}]} | an array is expected
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"a":[NaN]}}]} | not valid JSON
          {"kind":"commit","position":9,"changes":[{"op":"insert","table":"t","after":{"m":[]}}]} | an object is expected
          {"kind":"commit","position":9,"changes":[{"op":"delete","table":"t","before":{"id":1,"s":"abc"}}]} | cannot be "abc"
          """)
  void namesFileLineAndReason(String line, String reason) throws Exception {
    StreamBench bench = new StreamBench(directory).file(TABLE, GOOD, line, GOOD);

    assertThat(bench.fails())
        .contains("f1.changes.jsonl, line 3: ")
        .contains(reason)
        .doesNotContain("ALLOW_", "Feature", "Constraints");

    assertThat(bench.sink.log)
        .startsWith("table t v1", "commit 5: INSERT t {id=1}")
        .noneMatch(said -> said.startsWith("page") || said.startsWith("commit 9"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"kind\":\"snapshot\",\"table\":\"t\",\"rows\":[{\"id\":1,\"a\":%s}]}",
        "{\"kind\":\"snapshot\",\"rows\":[{\"id\":1,\"a\":%s}],\"table\":\"t\"}",
        "{\"kind\":\"commit\",\"position\":9,\"changes\":[{\"op\":\"insert\",\"table\":\"t\","
            + "\"after\":{\"id\":1,\"a\":%s}}]}",
        "{\"kind\":\"commit\",\"position\":9,\"changes\":[{\"op\":\"insert\",\"after\":{\"id\":1,"
            + "\"a\":%s},\"table\":\"t\"}]}"
      })
  void aValueThatIsNestedTooDeeplyIsCalledThat(String line) throws Exception {
    String value = "[".repeat(20_000) + "]".repeat(20_000);

    assertThat(new StreamBench(directory).file(TABLE, String.format(line, value)).fails())
        .contains("line 2")
        .containsIgnoringCase("nest")
        .contains("20000")
        .doesNotContain("heap", "Constraints");
  }

  @Test
  void invalidUtf8IsMalformed() throws Exception {
    Path file = directory.resolve("latin1.changes.jsonl");
    java.nio.file.Files.write(
        file,
        ("{\"kind\":\"table\",\"table\":\"\u00e9\",\"columns\":[{\"name\":\"i\",\"type\":\"INT\"}]}\n")
            .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));

    assertThat(new StreamBench(directory).path(file).fails()).contains("line 1", "not valid JSON");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
  void textOfAnotherWidthIsMalformed(String charset) throws Exception {
    Path file = directory.resolve("wide.changes.jsonl");
    java.nio.file.Files.write(file, (TABLE + "\n").getBytes(charset));

    assertThat(new StreamBench(directory).path(file).fails()).contains("line 1", "as UTF-8");
  }

  @Test
  void positionZeroBehindASnapshotIsMalformed() throws Exception {
    StreamBench bench =
        new StreamBench(directory)
            .file(
                TABLE,
                "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}",
                "{\"kind\":\"commit\",\"position\":0,\"changes\":[]}");

    assertThat(bench.fails()).contains("line 3", "'position' is 0", "begin with 1");
  }

  @Test
  void secondSnapshotEndIsMalformed() throws Exception {
    StreamBench bench =
        new StreamBench(directory)
            .file(
                TABLE,
                "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}",
                "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}");

    assertThat(bench.fails()).contains("line 3", "has no open snapshot");
  }

  @Test
  void otherTimelineInALaterFileIsMalformed() throws Exception {
    StreamBench bench =
        new StreamBench(directory)
            .file("{\"kind\":\"stream\",\"timeline\":\"a\"}", TABLE)
            .file("{\"kind\":\"stream\",\"timeline\":\"b\"}");

    assertThat(bench.fails()).contains("f2.changes.jsonl, line 1", "'timeline' is 'b'");
  }

  @Test
  void hostileNamesStayOnOneLineOfTheMessage() throws Exception {
    StreamBench bench =
        new StreamBench(directory)
            .file("{\"kind\":\"snapshotEnd\",\"table\":\"x\\n2026 ERROR admin ok\\u202e\"}");

    assertThat(bench.fails()).contains("x\\u000a2026 ERROR admin ok\\u202e").doesNotContain("\n");
  }
}
