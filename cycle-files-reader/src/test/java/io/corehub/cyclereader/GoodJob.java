package io.corehub.cyclereader;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Trees in which every rule is kept, written down here line by line. */
final class GoodJob {

  static final String JOB = "sales_cdc";
  static final CycleDirectories DIRECTORIES = CycleDirectories.usual(JOB);

  /** The cycles, in order. The fourth is empty. */
  static final List<String> CYCLES =
      List.of(
          "2026-11-29-10-00-05",
          "2026-11-29-10-00-41",
          "2026-11-29-10-06-00",
          "2026-11-29-10-21-00");

  private static final String HEADER =
      "\"CDC_OPERATION_TYPE\",\"CDC_SORTABLE_SEQUENCE\",\"id\",\"v\",\"id_OLD\",\"v_OLD\"\n";

  private final MemoryFiles files = new MemoryFiles();
  private final String prefix;
  private final Map<String, Long> applied = new TreeMap<>();

  private GoodJob(String prefix) {
    this.prefix = prefix;
  }

  static String digits(int cycle) {
    return CYCLES.get(cycle - 1).replace("-", "");
  }

  static String completed(int cycle) {
    return JOB + "/cycle/completed/" + CYCLES.get(cycle - 1) + "/Cycle-" + digits(cycle) + ".csv";
  }

  static String contents(int cycle) {
    return JOB
        + "/cycle/contents/"
        + CYCLES.get(cycle - 1)
        + "/Cycle-contents-"
        + digits(cycle)
        + ".csv";
  }

  static String manifest(int cycle) {
    return JOB
        + "/cycle/contents/"
        + CYCLES.get(cycle - 1)
        + "/_manifest-"
        + digits(cycle)
        + ".json";
  }

  static String dataFolder(int cycle, String table) {
    return JOB + "/data/" + table + "/data/" + CYCLES.get(cycle - 1);
  }

  static String data(int cycle, String table) {
    return dataFolder(cycle, table) + "/" + table + "_" + digits(cycle) + ".csv";
  }

  static String schema(String table) {
    return JOB + "/data/" + table + "/schema/V1/" + table + ".schema";
  }

  static String s(long order, long row) {
    return String.format("%020d%012d", order, row);
  }

  /** Four cycles of an incremental job with two tables. */
  static MemoryFiles incremental() {
    GoodJob job = new GoodJob("");
    job.schemas("customers", "orders");
    job.cycle(
        1,
        103,
        2,
        "NORMAL_COMMIT",
        Map.of(
            "customers",
                List.of(row("I", 101, 2, "7", "Ann"), row("U", 103, 2, "7", "", "7", "Ann")),
            "orders",
                List.of(
                    row("I", 101, 1, "1", "NEW"),
                    row("U", 102, 1, "1", "PAID", "1", "NEW"),
                    row("I", 102, 2, "3", "a \"\"quoted\"\", text\nof two lines"),
                    row("I", 103, 1, "2", "NEW"))));
    job.cycle(2, 104, 1, "NORMAL_EXPIRY", Map.of("orders", List.of(row("D", 104, 1, "2", "NEW"))));
    job.cycle(
        3, 106, 1, "NORMAL_EXPIRY", Map.of("customers", List.of(row("I", 106, 1, "8", null))));
    job.cycle(4, 108, 0, "NORMAL_EXPIRY", Map.of());
    return job.files;
  }

  /** Three cycles of a combined job: a load, what was captured meanwhile, and changes. */
  static MemoryFiles combined() {
    GoodJob job = new GoodJob("000000001000000001");
    job.schemas("orders");
    job.cycle(
        1,
        100,
        0,
        "INITIAL_LOAD_COMPLETED",
        Map.of(
            "orders",
            List.of(
                row("T", "00", 100, 0, null, null),
                row("I", "01", 100, 1, "1", "NEW"),
                row("I", "01", 100, 2, "2", "NEW"))));
    job.cycle(
        2,
        104,
        2,
        "BACKLOG_COMPLETED",
        Map.of(
            "orders",
            List.of(row("X", "02", 104, 1, "1", null), row("Y", "02", 104, 2, "1", "PAID"))));
    job.cycle(
        3, 106, 1, "NORMAL_EXPIRY", Map.of("orders", List.of(row("I", "04", 106, 1, "3", "NEW"))));
    return job.files;
  }

  private record Row(String op, String phase, long order, long row, String[] values) {}

  private static Row row(String op, long order, long row, String... values) {
    return new Row(op, "", order, row, values);
  }

  private static Row row(String op, String phase, long order, long row, String id, String v) {
    return new Row(op, phase, order, row, new String[] {id, v});
  }

  private String sequence(Row row) {
    return (prefix.isEmpty() ? "" : prefix + row.phase) + s(row.order, row.row);
  }

  private void schemas(String... tables) {
    for (String table : tables) {
      files.put(schema(table), schemaText(table));
    }
  }

  private static String schemaText(String table) {
    return "{\"type\":\"record\",\"name\":\""
        + table
        + "\",\"namespace\":\"sales\",\"table\":\"sales."
        + table
        + "\",\"schemaVersion\":1,\"keyColumns\":[\"id\"],\"fields\":["
        + "{\"name\":\"CDC_OPERATION_TYPE\",\"type\":\"string\",\"role\":\"operationType\"},"
        + "{\"name\":\"CDC_SORTABLE_SEQUENCE\",\"type\":\"string\",\"role\":\"sortableSequence\"},"
        + "{\"name\":\"id\",\"type\":[\"null\",\"int\"],\"sourceType\":\"INT\",\"key\":true},"
        + "{\"name\":\"v\",\"type\":[\"null\",\"string\"],\"sourceType\":\"STRING\"},"
        + "{\"name\":\"id_OLD\",\"type\":[\"null\",\"int\"],\"sourceType\":\"INT\","
        + "\"beforeImageOf\":\"id\"},"
        + "{\"name\":\"v_OLD\",\"type\":[\"null\",\"string\"],\"sourceType\":\"STRING\","
        + "\"beforeImageOf\":\"v\"}]}\n";
  }

  private void cycle(
      int number, long order, long row, String reason, Map<String, List<Row>> tables) {
    String name = CYCLES.get(number - 1);
    boolean combined = !prefix.isEmpty();
    StringBuilder contents =
        new StringBuilder(
            "\"table_name\",\"cycle_name\",\"cycle_path\",\"start_sequence\",\"end_sequence\","
                + "\"inserts\",\"updates\",\"deletes\",");
    if (combined) {
      contents.append("\"truncates\",\"initial_load_inserts\",\"initial_load_deletes\",");
    }
    contents.append("\"schema_version\",\"schema_path\"\n");
    List<String> entries = new ArrayList<>();
    new TreeMap<>(tables)
        .forEach(
            (table, rows) -> {
              files.put(data(number, table), text(rows));
              String first = sequence(rows.get(0));
              String last = sequence(rows.get(rows.size() - 1));
              List<String> line =
                  new ArrayList<>(
                      List.of(
                          table,
                          name,
                          dataFolder(number, table),
                          first,
                          last,
                          count(rows, "I"),
                          count(rows, "U"),
                          count(rows, "D")));
              if (combined) {
                line.addAll(List.of(count(rows, "T"), count(rows, "Y"), count(rows, "X")));
              }
              line.addAll(List.of("1", schema(table)));
              contents.append("\"").append(String.join("\",\"", line)).append("\"\n");
              entries.add(
                  String.format(
                      "{\"path\":\"%s\",\"table\":\"sales.%s\",\"schemaVersion\":1,\"rows\":%d,"
                          + "\"bytes\":0,\"sha256\":\"\",\"firstSequence\":\"%s\","
                          + "\"lastSequence\":\"%s\"}",
                      data(number, table), table, rows.size(), first, last));
              applied.put(table, rows.get(rows.size() - 1).order);
            });
    files.put(contents(number), contents.toString());
    String start = time(name);
    files.put(manifest(number), manifestText(number, order, reason, start, entries));
    files.put(
        completed(number),
        "\"cycle_name\",\"start_time\",\"end_time\",\"current_sequence\",\"contents_path\","
            + "\"reason\"\n\""
            + String.join(
                "\",\"",
                name,
                start,
                start.replace("00Z", "00.500Z").replace("05Z", "35.500Z").replace("41Z", "42.500Z"),
                s(order, row),
                contents(number),
                reason)
            + "\"\n");
    rehash(files, number);
  }

  private String manifestText(
      int number, long order, String reason, String start, List<String> entries) {
    List<String> states = new ArrayList<>();
    applied.forEach(
        (table, at) ->
            states.add(
                "\"sales."
                    + table
                    + "\":{\"incarnation\":1,\"schemaVersion\":1,\"phase\":4,\"schemaHash\":\"h\","
                    + "\"appliedOrder\":\""
                    + at
                    + "\"}"));
    return "{\"v\":1,\"job\":\"j-1\",\"pipeline\":\"shop\",\"cycle\":\""
        + CYCLES.get(number - 1)
        + "\","
        + (number == 1 ? "" : "\"previousCycle\":\"" + CYCLES.get(number - 2) + "\",")
        + "\"timeline\":\"t-1\",\"order\":\""
        + order
        + "\",\"token\":\"\",\"reason\":\""
        + reason
        + "\",\"startTime\":\""
        + start
        + "\",\"endTime\":\""
        + start.replace("00Z", "00.500Z").replace("05Z", "35.500Z").replace("41Z", "42.500Z")
        + "\",\"tables\":{"
        + String.join(",", states)
        + "},\"files\":["
        + String.join(",", entries)
        + "]}\n";
  }

  private static String time(String name) {
    return name.substring(0, 10) + "T" + name.substring(11).replace('-', ':') + "Z";
  }

  private String text(List<Row> rows) {
    StringBuilder text = new StringBuilder(HEADER);
    for (Row row : rows) {
      text.append('"').append(row.op).append("\",\"").append(sequence(row)).append('"');
      for (int i = 0; i < 4; i++) {
        String value = i < row.values.length ? row.values[i] : null;
        text.append(',').append(value == null ? "" : "\"" + value + "\"");
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static String count(List<Row> rows, String op) {
    return Long.toString(rows.stream().filter(row -> row.op.equals(op)).count());
  }

  /** Makes the manifest of a cycle tell the lengths and hashes that its files have now. */
  static void rehash(MemoryFiles files, int cycle) {
    Matcher entries =
        Pattern.compile("\"path\":\"([^\"]+)\"(.*?)\"bytes\":\\d+,\"sha256\":\"[^\"]*\"")
            .matcher(files.text(manifest(cycle)));
    String text =
        entries.replaceAll(
            entry ->
                Matcher.quoteReplacement(
                    String.format(
                        "\"path\":\"%s\"%s\"bytes\":%d,\"sha256\":\"%s\"",
                        entry.group(1),
                        entry.group(2),
                        files.bytes(entry.group(1)).length,
                        sha256(files.bytes(entry.group(1))))));
    files.put(manifest(cycle), text);
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
