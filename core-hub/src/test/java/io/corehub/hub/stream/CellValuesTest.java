package io.corehub.hub.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.CommitBatch;
import io.corehub.agent.TableUnreadable;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of all sixteen types, at their bounds and beyond. */
class CellValuesTest {

  @TempDir Path directory;

  private static String table(String type) {
    return "{\"kind\":\"table\",\"table\":\"t\",\"columns\":[{\"name\":\"v\",\"type\":"
        + (type.startsWith("{") ? type.substring(1) : "\"" + type + "\"}")
        + "]}";
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          SHORT | -32768 | -32768
          SHORT | 32767 | 32767
          SHORT | 1e2 | 100
          INT | -2147483648 | -2147483648
          INT | 2147483647 | 2147483647
          INT | 7.0 | 7
          LONG | -9223372036854775808 | -9223372036854775808
          LONG | 9223372036854775807 | 9223372036854775807
          FLOAT | 0.1 | 0.1
          FLOAT | -0.0 | -0.0
          FLOAT | 3.4028235e38 | 3.4028235E38
          FLOAT | 7 | 7.0
          FLOAT | "NaN" | NaN
          FLOAT | "Infinity" | Infinity
          FLOAT | "-Infinity" | -Infinity
          DOUBLE | 1e-320 | 1.0E-320
          DOUBLE | 1.7976931348623157e308 | 1.7976931348623157E308
          DOUBLE | "-Infinity" | -Infinity
          {"BIG_DECIMAL","precision":5,"scale":2} | "1.500" | 1.5
          {"BIG_DECIMAL","precision":5,"scale":2} | -999.99 | -999.99
          {"BIG_DECIMAL","precision":5,"scale":2} | 1e2 | 100
          {"BIG_DECIMAL","precision":5,"scale":2} | "0e-999999999" | 0
          {"BIG_DECIMAL","precision":38,"scale":0} | 99999999999999999999999999999999999999 | 99999999999999999999999999999999999999
          {"BIG_DECIMAL","precision":38,"scale":37} | "-1.2345678901234567890123456789012345678" | -1.2345678901234567890123456789012345678
          BIG_DECIMAL | "123456789012345678901234567890.000000000000000000001" | 123456789012345678901234567890.000000000000000000001
          BIG_DECIMAL | "0e-999999999" | 0
          BOOLEAN | true | true
          BOOLEAN | false | false
          STRING | "" | ``
          STRING | "a\\u0000b" | `a\0b`
          STRING | "grüße \\ud83d\\ude00" | grüße 😀
          STRING | "\\ud800" | 0xeda080
          BYTE_ARRAY | "" | 0x
          BYTE_ARRAY | "AP8=" | 0x00ff
          LOCAL_DATE | "2024-02-29" | 2024-02-29
          LOCAL_DATE | "0001-01-01" | 0001-01-01
          LOCAL_DATE | "-0044-03-15" | -0044-03-15
          LOCAL_DATE | "+10000-01-01" | +10000-01-01
          LOCAL_DATE | "infinity" | infinity
          LOCAL_DATE | "-infinity" | -infinity
          LOCAL_TIME | "00:00" | 00:00
          LOCAL_TIME | "23:59:59.999999999" | 23:59:59.999999
          LOCAL_TIME | "24:00" | 24:00
          LOCAL_TIME | "24:00:00.000" | 24:00
          OFFSET_TIME | "01:00+02:00" | 23:00Z
          OFFSET_TIME | "18:29:59.123456Z" | 18:29:59.123456Z
          OFFSET_TIME | "12:00-0530" | 17:30Z
          OFFSET_TIME | "24:00Z" | 24:00 that is 00:00Z
          OFFSET_TIME | "24:00+02:00" | 24:00 that is 22:00Z
          LOCAL_DATE_TIME | "2024-02-28T24:00" | 24:00 that is 2024-02-29T00:00
          OFFSET_DATE_TIME | "2024-01-01T24:00-01:00" | 24:00 that is 2024-01-02T01:00:00Z
          LOCAL_DATE_TIME | "1969-12-31T23:59:59.9999999" | 1969-12-31T23:59:59.999999
          LOCAL_DATE_TIME | "2024-03-31T02:30" | 2024-03-31T02:30
          LOCAL_DATE_TIME | "infinity" | infinity
          OFFSET_DATE_TIME | "2024-01-01T00:00:00+14:00" | 2023-12-31T10:00:00Z
          OFFSET_DATE_TIME | "1969-12-31T23:59:59.999999999Z" | 1969-12-31T23:59:59.999999Z
          OFFSET_DATE_TIME | "9999-12-31T23:59:59.999999Z" | 9999-12-31T23:59:59.999999Z
          OFFSET_DATE_TIME | "-infinity" | -infinity
          ARRAY | [1, "a", null, 1.50, [true]] | [1,"a",null,1.50,[true]]
          ARRAY | [] | []
          MAP | {"k": 1, "k": 2} | {"k":1,"k":2}
          MAP | {"b": 1E5, "a": {"x": 12345678901234567890123}} | {"b":1E5,"a":{"x":12345678901234567890123}}
          """)
  void readsValue(String type, String json, String expected) throws Exception {
    String wanted = expected.replace("\\0", "\0");
    String row = "{\"v\":" + json + "}";

    assertThat(
            new StreamBench(directory)
                .file(
                    table(type),
                    "{\"kind\":\"snapshot\",\"table\":\"t\",\"rows\":["
                        + row
                        + ",{\"v\":null},{}]}",
                    "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}",
                    "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"update\",\"table\":\"t\",\"after\":"
                        + row
                        + "}]}")
                .run())
        .containsExactly(
            "table t v1",
            "begin t #1@0",
            "page t {v=" + wanted + "}",
            "page t {}",
            "page t {}",
            "end t",
            "commit 1: UPDATE_AFTER t {v=" + wanted + "}");
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          SHORT | 70000 | whole numbers from -32768 to 32767
          INT | 2147483648 | whole numbers from
          LONG | 9223372036854775808 | whole numbers from
          LONG | 1e400 | whole numbers from
          FLOAT | 1e39 | numbers up to
          DOUBLE | -1e400 | numbers up to
          {"BIG_DECIMAL","precision":5,"scale":2} | 1000 | more digits before the point
          {"BIG_DECIMAL","precision":5,"scale":2} | "1.005" | more digits after the point
          {"BIG_DECIMAL","precision":5,"scale":2} | 1e999999999 | more digits before the point
          {"BIG_DECIMAL","precision":5,"scale":2} | 1e999999999999 | exponent
          {"BIG_DECIMAL","precision":5,"scale":2} | "-1.5E-99999999999" | exponent
          LONG | 1e999999999999 | exponent
          {"BIG_DECIMAL","precision":5,"scale":2} | "NaN" | neither NaN nor infinity
          BIG_DECIMAL | 1e999999999 | more than
          LOCAL_DATE | "+999999999-01-01" | out of range
          LOCAL_DATE_TIME | "+99999-01-01T24:00" | out of range
          LOCAL_DATE_TIME | "-250000-01-01T00:00" | out of range
          LOCAL_DATE_TIME | "+999999-01-01T00:00" | out of range
          OFFSET_DATE_TIME | "-999999-01-01T00:00Z" | out of range
          """)
  void valueThatDoesNotFitStopsItsTableAlone(String type, String json, String reason)
      throws Exception {
    StreamBench snapshot =
        new StreamBench(directory)
            .file(
                table(type),
                "{\"kind\":\"table\",\"table\":\"other\",\"columns\":[{\"name\":\"i\",\"type\":\"INT\"}]}",
                "{\"kind\":\"snapshot\",\"table\":\"t\",\"rows\":[{\"v\":" + json + "},{}]}",
                "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}",
                "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"insert\",\"table\":\"t\",\"after\":{}},{\"op\":\"insert\",\"table\":\"other\",\"after\":{\"i\":1}}]}");
    assertThat(snapshot.run()).hasSize(5).last().isEqualTo("commit 1: INSERT other {i=1}");
    assertThat(snapshot.sink.log.get(3))
        .startsWith("stop t: Table t: ")
        .contains("does not fit column 'v'", reason, "f1.changes.jsonl, line 3");

    StreamBench commit =
        new StreamBench(directory)
            .file(
                table(type),
                "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"insert\",\"table\":\"t\",\"after\":{}}]}",
                "{\"kind\":\"commit\",\"position\":2,\"changes\":[{\"op\":\"insert\",\"table\":\"t\",\"after\":{}},{\"op\":\"insert\",\"table\":\"t\",\"after\":{\"v\":"
                    + json
                    + "}}]}",
                "{\"kind\":\"commit\",\"position\":3,\"changes\":[{\"op\":\"insert\",\"table\":\"t\",\"after\":{}}]}");
    assertThat(commit.run())
        .containsExactly(
            "table t v1", "commit 1: INSERT t {}", "commit 2: UNREADABLE t", "commit 3:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"k\":7,\"v\":70000}", "{\"v\":70000,\"k\":7}"})
  void theRowWhoseValueDoesNotFitIsNamedByItsKey(String row) throws Exception {
    String declared =
        "{\"kind\":\"table\",\"table\":\"t\",\"columns\":[{\"name\":\"k\",\"type\":\"INT\"},{\"name\":\"v\",\"type\":\"SHORT\"}],\"primaryKey\":[\"k\"]}";
    for (String op : List.of("insert", "update")) {
      StreamBench bench =
          new StreamBench(directory)
              .file(
                  declared,
                  "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\""
                      + op
                      + "\",\"table\":\"t\",\"after\":{\"k\":6}},{\"op\":\""
                      + op
                      + "\",\"table\":\"t\",\"after\":"
                      + row
                      + "}]}");
      bench.run();

      assertThat(bench.sink.batches)
          .flatExtracting(CommitBatch::events)
          .filteredOn(TableUnreadable.class::isInstance)
          .singleElement()
          .asString()
          .contains("Table t, key k=7: 70000 does not fit column 'v'");
    }
  }

  @Test
  void aValueNestedDeeplyIsForTheAgentToRefuse() throws Exception {
    String deep = "[".repeat(10_000) + "]".repeat(10_000);

    assertThat(
            new StreamBench(directory)
                .file(
                    table("ARRAY"),
                    "{\"kind\":\"commit\",\"position\":1,\"changes\":[{\"op\":\"insert\",\"table\":\"t\",\"after\":{\"v\":"
                        + deep
                        + "}}]}")
                .run())
        .containsExactly("table t v1", "commit 1: INSERT t {v=" + deep + "}");
  }

  @Test
  void nullInAColumnThatTakesNoneStopsTheTable() throws Exception {
    StreamBench bench =
        new StreamBench(directory)
            .file(
                "{\"kind\":\"table\",\"table\":\"t\",\"columns\":[{\"name\":\"v\",\"type\":\"INT\",\"nullable\":false}]}",
                "{\"kind\":\"snapshot\",\"table\":\"t\",\"rows\":[{\"v\":1},{}]}",
                "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}");

    assertThat(bench.run())
        .last()
        .asString()
        .contains("NULL does not fit column 'v' of type INT NOT NULL");
  }

  @Test
  void countsValuesWhoseDigitsWereCut() throws Exception {
    StreamBench bench =
        new StreamBench(directory)
            .file(
                table("LOCAL_TIME"),
                "{\"kind\":\"snapshot\",\"table\":\"t\",\"rows\":[{\"v\":\"00:00:00.0000001\"},{\"v\":\"00:00:00.000001000\"},{\"v\":\"00:00:00.000000999\"}]}",
                "{\"kind\":\"snapshotEnd\",\"table\":\"t\"}");

    assertThat(bench.run()).contains("page t {v=00:00}", "page t {v=00:00:00.000001}");
    assertThat(bench.truncated).hasValue(2);
  }
}
