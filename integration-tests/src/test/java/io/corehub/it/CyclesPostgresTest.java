package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.cyclereader.CycleRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real PostgreSQL is loaded into cycles and followed, while it changes and the hub is killed; a
 * consumer of the cycles ends with its rows.
 */
class CyclesPostgresTest {

  private static final int ROWS = 3_000;

  @TempDir Path directory;

  @Test
  void tablesAreLoadedAndFollowedThroughAKill() throws Exception {
    try (ShopDatabase shop = ShopDatabase.start()) {
      Statement sql = shop.sql();
      sql.execute("CREATE TABLE shop.orders (id INT PRIMARY KEY, v TEXT)");
      sql.execute("ALTER TABLE shop.orders REPLICA IDENTITY FULL");
      sql.execute("CREATE TABLE shop.notes (id INT PRIMARY KEY, v TEXT)");
      sql.execute("ALTER TABLE shop.notes REPLICA IDENTITY FULL");
      sql.execute(
          "INSERT INTO shop.orders SELECT i, 'old' FROM generate_series(1, " + ROWS + ") i");
      sql.execute("INSERT INTO shop.notes VALUES (1, NULL), (2, '')");
      String config = config(shop);

      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        hub.awaitErrors("snapshot of table shop.orders begins");
        sql.execute("UPDATE shop.orders SET v = 'during' WHERE id <= 10");
        sql.execute("DELETE FROM shop.orders WHERE id BETWEEN 11 AND 20");
        awaitReason(hub, "INITIAL_LOAD_COMPLETED");
        sql.execute("INSERT INTO shop.notes VALUES (3, 'after')");
        awaitRow(hub, "notes", "after");
        hub.killAtOnce();
      }
      sql.execute("UPDATE shop.orders SET id = id + 100000, v = 'while down' WHERE id = 21");
      sql.execute("UPDATE shop.notes SET v = 'while down' WHERE id = 1");
      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        awaitRow(hub, "notes", "while down");
        sql.execute("DELETE FROM shop.notes WHERE id = 2");
        sql.execute("INSERT INTO shop.notes VALUES (4, 'last')");
        awaitRow(hub, "notes", "last");
        hub.stop();
      }

      List<CycleRow> rows = rows();
      assertThat(ConsumedCycles.tables(rows, table -> true))
          .isEqualTo(
              Map.of("notes", source(sql, "shop.notes"), "orders", source(sql, "shop.orders")));
      assertThat(rows.stream().filter(row -> row.operation().equals("T"))).hasSize(2);
      assertThat(rows.stream().map(row -> row.sequence().substring(18, 20)).distinct())
          .contains("00", "01", "04");
      ConsumedCycles.assertWritten(job());
    }
  }

  private Path job() {
    return directory.resolve("out/shop");
  }

  private List<CycleRow> rows() throws IOException {
    return ConsumedCycles.rows(directory.resolve("out"), "shop");
  }

  private void awaitRow(Hub.Running hub, String table, String value) {
    Await.until(
        "a row of " + table + " has '" + value + "'",
        () ->
            !hub.alive()
                || rows().stream()
                    .anyMatch(
                        row ->
                            row.table().equals(table)
                                && row.row()
                                    .map(cells -> cells.path("v").asText().equals(value))
                                    .orElse(false)),
        hub::errors);
    assertThat(hub.alive()).as(hub.errors()).isTrue();
  }

  private void awaitReason(Hub.Running hub, String reason) {
    Await.until(
        "a cycle ends with " + reason,
        () -> !hub.alive() || reasons().contains(reason),
        hub::errors);
    assertThat(hub.alive()).as(hub.errors()).isTrue();
  }

  private List<String> reasons() throws IOException {
    Path completed = job().resolve("cycle/completed");
    if (!Files.exists(completed)) {
      return List.of();
    }
    List<String> reasons = new ArrayList<>();
    try (var folders = Files.newDirectoryStream(completed)) {
      for (Path folder : folders) {
        Path file =
            folder.resolve("Cycle-" + folder.getFileName().toString().replace("-", "") + ".csv");
        if (Files.exists(file)) {
          String line = Files.readAllLines(file).get(1);
          reasons.add(line.substring(line.lastIndexOf(",\"") + 2, line.length() - 1));
        }
      }
    }
    return reasons;
  }

  private static List<String> source(Statement sql, String table) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet found = sql.executeQuery("SELECT id, v FROM " + table)) {
      while (found.next()) {
        String v = found.getString(2);
        rows.add(
            "{\"id\":" + found.getInt(1) + ",\"v\":" + (v == null ? v : "\"" + v + "\"") + "}");
      }
    }
    rows.sort(null);
    return rows;
  }

  private String config(ShopDatabase shop) throws IOException {
    return new Pipeline(directory, "cycle-files", "        storageUrl: file:out\n")
        .source(shop.source())
        .set("loadType", "COMBINED")
        .set("cycleIntervalSeconds", 2)
        .set("lowActivityFlushSeconds", 1)
        .write();
  }
}
