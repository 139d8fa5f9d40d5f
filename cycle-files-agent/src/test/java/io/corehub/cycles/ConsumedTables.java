package io.corehub.cycles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.PathEntry;
import io.corehub.testkit.CellText;
import io.corehub.testkit.Row;
import io.corehub.testkit.Rows;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A consumer of CSV cycles, written from the page that users read: completed files in order, their
 * contents files, the folders those name; rows applied in the order of their sequences. It refuses
 * whatever breaks a promise: a row twice, a wrong count, an insert over an existing row of the CDC
 * phase, a cycle that changed after it was completed.
 */
final class ConsumedTables {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

  private final DfsClient client;
  private final String connection;
  private final String job;

  ConsumedTables(DfsClient client, String jobFolder) {
    this.client = client;
    int slash = jobFolder.lastIndexOf('/');
    this.connection = slash < 0 ? "" : jobFolder.substring(0, slash);
    this.job = jobFolder.substring(slash + 1);
  }

  /** A row as its file holds it. */
  record Line(
      String op,
      String sequence,
      Map<String, String> cells,
      Map<String, String> old,
      Set<String> columns) {}

  /** Everything that completed cycles hold of a table, in order. */
  record Table(List<Line> lines, List<String> keys) {}

  /** Names of the completed cycles, in order. */
  List<String> cycles() {
    return List.copyOf(completed().keySet());
  }

  private TreeMap<String, String> completed() {
    TreeMap<String, String> names = new TreeMap<>();
    for (PathEntry entry : list(job + "/cycle/completed")) {
      if (!entry.directory() && entry.name().startsWith("Cycle-")) {
        names.put(entry.name(), relative(entry.path()));
      }
    }
    TreeMap<String, String> byCycle = new TreeMap<>();
    names.values().forEach(path -> byCycle.put(csv(read(path)).get(1).get(0), path));
    return byCycle;
  }

  /** The lines of completed files, by cycle. */
  Map<String, List<String>> completedLines() {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    completed().forEach((cycle, path) -> lines.put(cycle, csv(read(path)).get(1)));
    return lines;
  }

  /** Lines of contents files, by cycle. */
  Map<String, List<Map<String, String>>> contents() {
    Map<String, List<Map<String, String>>> all = new LinkedHashMap<>();
    completed()
        .forEach(
            (cycle, path) -> {
              List<List<String>> lines = csv(read(csv(read(path)).get(1).get(4)));
              List<Map<String, String>> named = new ArrayList<>();
              for (List<String> line : lines.subList(1, lines.size())) {
                Map<String, String> cells = new LinkedHashMap<>();
                for (int i = 0; i < line.size(); i++) {
                  cells.put(lines.get(0).get(i), line.get(i));
                }
                named.add(cells);
              }
              all.put(cycle, named);
            });
    return all;
  }

  Map<String, Table> tables() {
    Map<String, Table> tables = new TreeMap<>();
    String current = "";
    for (Map.Entry<String, String> cycle : completed().entrySet()) {
      List<List<String>> completed = csv(read(cycle.getValue()));
      String sequence = completed.get(1).get(3);
      check(sequence.compareTo(current) >= 0, "the current sequence goes back at " + cycle);
      current = sequence;
      List<List<String>> contents = csv(read(completed.get(1).get(4)));
      for (List<String> line : contents.subList(1, contents.size())) {
        Map<String, String> cells = new HashMap<>();
        for (int i = 0; i < line.size(); i++) {
          cells.put(contents.get(0).get(i), line.get(i));
        }
        take(cells, tables);
      }
    }
    return tables;
  }

  private void take(Map<String, String> contents, Map<String, Table> tables) {
    String path = contents.get("cycle_path");
    List<String> files = new ArrayList<>();
    if (path.endsWith(".csv")) {
      files.add(path);
    } else {
      list(path).stream()
          .filter(entry -> !entry.directory() && !entry.name().startsWith("_"))
          .map(entry -> relative(entry.path()))
          .sorted(java.util.Comparator.comparing(name -> name.replace(".csv", "")))
          .forEach(files::add);
    }
    JsonNode schema = json(read(contents.get("schema_path")));
    List<String> keys = new ArrayList<>();
    schema.get("keyColumns").forEach(key -> keys.add(key.asText()));
    List<Line> lines = new ArrayList<>();
    files.forEach(file -> lines.addAll(lines(file, schema)));
    check(!lines.isEmpty(), path + " has no rows");
    check(
        lines.get(0).sequence.equals(contents.get("start_sequence"))
            && lines.get(lines.size() - 1).sequence.equals(contents.get("end_sequence")),
        "start or end of " + path);
    count(lines, "I", contents, "inserts");
    count(lines, "U", contents, "updates");
    count(lines, "D", contents, "deletes");
    if (contents.containsKey("truncates")) {
      count(lines, "T", contents, "truncates");
      count(lines, "Y", contents, "initial_load_inserts");
      count(lines, "X", contents, "initial_load_deletes");
    }
    Table known = tables.get(contents.get("table_name"));
    List<Line> all = new ArrayList<>(known == null ? List.of() : known.lines);
    for (Line line : lines) {
      check(
          all.isEmpty() || all.get(all.size() - 1).sequence.compareTo(line.sequence) < 0,
          "row "
              + line
              + " of "
              + path
              + " does not come after "
              + (all.isEmpty() ? "" : all.get(all.size() - 1)));
      all.add(line);
    }
    tables.put(contents.get("table_name"), new Table(all, keys));
  }

  private static void count(
      List<Line> lines, String op, Map<String, String> contents, String column) {
    long found = lines.stream().filter(line -> line.op.equals(op)).count();
    check(Long.toString(found).equals(contents.get(column)), column + " of " + contents);
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("A promise to consumers is broken: " + what);
    }
  }

  /** The rows a consumer has after all completed cycles. */
  Optional<Rows> rows(TableId id) {
    String name = id.schema().map(schema -> schema + "." + id.name()).orElse(id.name());
    Table table = tables().get(name);
    if (table == null) {
      return Optional.empty();
    }
    List<Row> rows = new ArrayList<>();
    Set<String> columns = Set.of();
    for (Line line : table.lines) {
      if (!columns.equals(line.columns)) {
        columns = line.columns;
        Set<String> now = columns;
        rows.replaceAll(row -> projected(row, now));
      }
      Row row = new Row(line.cells);
      switch (line.op) {
        case "T" -> rows.clear();
        case "I", "Y" -> rows.add(row);
        case "U" -> {
          check(remove(rows, new Row(line.old), table.keys), "an update of a missing row: " + line);
          rows.add(row);
        }
        case "D" -> check(remove(rows, row, table.keys), "a delete of a missing row: " + line);
        case "X" -> remove(rows, row, table.keys);
        default -> check(false, "operation " + line.op);
      }
    }
    return Optional.of(Rows.of(rows));
  }

  /** A column that the table lost takes its values along. */
  private static Row projected(Row row, Set<String> columns) {
    Map<String, String> cells = new HashMap<>(row.cells());
    cells.keySet().retainAll(columns);
    return new Row(cells);
  }

  private static boolean remove(List<Row> rows, Row old, List<String> keys) {
    // The whole old row tells which one is meant while keys are passed on within a commit.
    if (rows.remove(old)) {
      return true;
    }
    for (int i = rows.size() - 1; i >= 0; i--) {
      boolean same =
          keys.isEmpty() ? rows.get(i).equals(old) : rows.get(i).key(keys).equals(old.key(keys));
      if (same) {
        rows.remove(i);
        return true;
      }
    }
    return false;
  }

  private List<Line> lines(String file, JsonNode schema) {
    List<List<String>> csv = csv(read(file));
    List<Line> lines = new ArrayList<>();
    Set<String> columns = new TreeSet<>();
    schema
        .get("fields")
        .forEach(
            field -> {
              if (!field.has("role") && !field.has("beforeImageOf")) {
                columns.add(
                    field.has("columnName")
                        ? field.get("columnName").asText()
                        : field.get("name").asText());
              }
            });
    for (List<String> line : csv.subList(1, csv.size())) {
      Map<String, String> cells = new HashMap<>();
      Map<String, String> old = new HashMap<>();
      String op = line.get(0);
      String sequence = line.get(1);
      for (int i = 0; i < line.size(); i++) {
        JsonNode field = schema.get("fields").get(i);
        String value = line.get(i);
        if (value == NULL || field.has("role")) {
          continue;
        }
        String text = text(field.get("sourceType").asText(), value);
        if (field.has("beforeImageOf")) {
          old.put(field.get("beforeImageOf").asText(), text);
        } else {
          cells.put(
              field.has("columnName")
                  ? field.get("columnName").asText()
                  : field.get("name").asText(),
              text);
        }
      }
      lines.add(new Line(op, sequence, cells, old, columns));
    }
    return lines;
  }

  private static String text(String type, String value) {
    String kind = type.replaceAll("\\(.*", "");
    return switch (kind) {
      case "BIG_DECIMAL" -> CellText.decimal(new BigDecimal(value));
      case "BYTE_ARRAY" -> CellText.bytes(Base64.getDecoder().decode(value));
      case "LOCAL_TIME" -> LocalTime.parse(value).toString();
      case "OFFSET_TIME" -> LocalTime.parse(value.replace("Z", "")) + "Z";
      case "LOCAL_DATE_TIME" -> LocalDateTime.parse(value, TIMESTAMP).toString();
      case "OFFSET_DATE_TIME" -> Instant.parse(value.replace(' ', 'T')).toString();
      default -> value;
    };
  }

  /** Stands for nothing between the commas; told from the empty text by identity. */
  @SuppressWarnings("StringOperationCanBeSimplified")
  static final String NULL = new String("NULL");

  static List<List<String>> csv(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    List<List<String>> lines = new ArrayList<>();
    List<String> line = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      if (text.charAt(at) == '"') {
        StringBuilder value = new StringBuilder();
        at++;
        while (true) {
          int quote = text.indexOf('"', at);
          value.append(text, at, quote);
          at = quote + 1;
          if (at < text.length() && text.charAt(at) == '"') {
            value.append('"');
            at++;
          } else {
            break;
          }
        }
        line.add(value.toString());
      } else {
        line.add(NULL);
      }
      if (text.charAt(at) == '\n') {
        lines.add(line);
        line = new ArrayList<>();
        at++;
      } else {
        at++;
        if (at == text.length() || text.charAt(at) == '\n') {
          line.add(NULL);
          if (at < text.length()) {
            lines.add(line);
            line = new ArrayList<>();
            at++;
          }
        }
      }
    }
    return lines;
  }

  private static JsonNode json(byte[] bytes) {
    try {
      return MAPPER.readTree(bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String absolute(String path) {
    return connection.isEmpty() ? path : connection + "/" + path;
  }

  private String relative(String path) {
    return connection.isEmpty() ? path : path.substring(connection.length() + 1);
  }

  private List<PathEntry> list(String folder) {
    List<PathEntry> entries = new ArrayList<>();
    try {
      client.list(absolute(folder), true, entries::add);
    } catch (DfsException e) {
      if (e.kind() != DfsException.Kind.NOT_FOUND) {
        throw e;
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return entries;
  }

  byte[] read(String path) {
    try {
      return client.read(absolute(path), 0, DfsClient.MAX_READ_BYTES);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } catch (DfsException e) {
      throw new AssertionError("A promise to consumers is broken: " + path + " is missing", e);
    }
  }
}
