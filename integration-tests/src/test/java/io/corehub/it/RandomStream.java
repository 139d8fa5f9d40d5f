package io.corehub.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A made-up change stream over keyed and keyless tables: snapshots in pages with commits between
 * them, then commits that touch several tables, and what the mirrored database shows in the end.
 * The same for the same seed. Immutable once made.
 */
final class RandomStream {

  private static final int COMMITS = 60;
  private static final int LARGE_COMMIT_ROWS = 60;

  private final Random random;
  private final String prefix;
  private final List<String> lines = new ArrayList<>();
  private final List<Table> tables = new ArrayList<>();
  private int position;

  private static final class Table {
    final String name;
    final boolean keyed;
    final Map<Integer, Integer> byId = new TreeMap<>();
    final List<String> appended = new ArrayList<>();
    int nextId = 1;

    Table(String name, boolean keyed) {
      this.name = name;
      this.keyed = keyed;
    }

    String add(int id, int value) {
      byId.put(id, value);
      String row = "{\"id\":" + id + ",\"v\":" + value + "}";
      appended.add(row);
      return row;
    }
  }

  /**
   * Makes a stream.
   *
   * @param prefix what the names of its tables begin with
   */
  RandomStream(long seed, String prefix) {
    this.random = new Random(seed);
    this.prefix = prefix;
    declare();
    load();
    for (int i = 0; i < COMMITS; i++) {
      commit(tables);
    }
  }

  /** Lines of a change-stream file. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  /** Rows of every table, sorted, as {@code hub mirrored} writes them. */
  Map<String, List<String>> expected() {
    Map<String, List<String>> expected = new TreeMap<>();
    for (Table table : tables) {
      List<String> rows =
          table.keyed
              ? table.byId.entrySet().stream()
                  .map(row -> "{\"id\":" + row.getKey() + ",\"v\":" + row.getValue() + "}")
                  .toList()
              : table.appended;
      expected.put(table.name, rows.stream().sorted().toList());
    }
    return expected;
  }

  private void declare() {
    for (int i = 0; i < 4; i++) {
      Table table = new Table(prefix + (i % 2 == 0 ? "_keyed" : "_log") + i, i % 2 == 0);
      tables.add(table);
      lines.add(
          "{\"kind\":\"table\",\"table\":\""
              + table.name
              + "\",\"columns\":[{\"name\":\"id\",\"type\":\"INT\"},{\"name\":\"v\",\"type\":\"INT\"}]"
              + (table.keyed ? ",\"primaryKey\":[\"id\"]" : "")
              + "}");
    }
  }

  /** Snapshots one table after the other; what is loaded may change meanwhile. */
  private void load() {
    List<Table> done = new ArrayList<>();
    for (Table table : tables) {
      int pages = random.nextInt(4);
      for (int page = 0; page < pages; page++) {
        List<String> rows = new ArrayList<>();
        for (int i = random.nextInt(8); i >= 0; i--) {
          rows.add(table.add(table.nextId++, 0));
        }
        lines.add(
            "{\"kind\":\"snapshot\",\"table\":\""
                + table.name
                + "\",\"rows\":["
                + String.join(",", rows)
                + "]}");
        if (!done.isEmpty()) {
          commit(done);
        }
      }
      lines.add("{\"kind\":\"snapshotEnd\",\"table\":\"" + table.name + "\"}");
      done.add(table);
    }
  }

  private void commit(List<Table> among) {
    position += 1 + random.nextInt(5);
    List<String> changes = new ArrayList<>();
    int count = random.nextInt(25) == 0 ? LARGE_COMMIT_ROWS : 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      changes.add(change(among.get(random.nextInt(among.size()))));
    }
    lines.add(
        "{\"kind\":\"commit\",\"position\":"
            + position
            + ",\"changes\":["
            + String.join(",", changes)
            + "]}");
  }

  private String change(Table table) {
    String head = "\",\"table\":\"" + table.name + "\"";
    int kind = table.keyed && !table.byId.isEmpty() ? random.nextInt(3) : 0;
    if (kind == 0) {
      String row = table.add(table.nextId++, position);
      return "{\"op\":\"insert" + head + ",\"after\":" + row + "}";
    }
    int id = new ArrayList<>(table.byId.keySet()).get(random.nextInt(table.byId.size()));
    String before = ",\"before\":{\"id\":" + id + ",\"v\":" + table.byId.get(id) + "}";
    if (kind == 1) {
      return "{\"op\":\"update" + head + before + ",\"after\":" + table.add(id, position) + "}";
    }
    table.byId.remove(id);
    return "{\"op\":\"delete" + head + before + "}";
  }
}
