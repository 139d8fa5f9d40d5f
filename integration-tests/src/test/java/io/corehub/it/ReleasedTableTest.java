package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database that does not repeat what is confirmed: a table that the position went past under
 * {@code stoppedTablePolicy: release} is not continued with missing rows.
 */
class ReleasedTableTest {

  @TempDir Path directory;

  @Test
  void aReleasedTableIsLoadedAnewInsteadOfGoingOnWithAHole() throws Exception {
    try (EmbeddedPostgres postgres =
            EmbeddedPostgres.builder()
                .setServerConfig("wal_level", "logical")
                .setServerConfig("fsync", "off")
                .start();
        Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement sql = connection.createStatement();
        Emulator emulator =
            Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate")) {
      sql.execute("CREATE SCHEMA shop");
      sql.execute("CREATE TABLE shop.days (id INT PRIMARY KEY, d DATE)");
      sql.execute("CREATE TABLE shop.other (id INT PRIMARY KEY)");
      sql.execute("INSERT INTO shop.days VALUES (1, '2026-01-01')");
      String config = config(postgres.getPort(), emulator);

      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        sql.execute("INSERT INTO shop.days VALUES (2, '2026-01-02')");
        awaitRows(hub, emulator, "shop.days", 2);
        sql.execute("INSERT INTO shop.days VALUES (3, 'infinity')");
        hub.awaitErrors("Table shop.days");
        sql.execute("INSERT INTO shop.days VALUES (4, '2026-01-04')");
        sql.execute("INSERT INTO shop.other VALUES (1)");
        awaitRows(hub, emulator, "shop.other", 1);
        hub.stop();
      }
      sql.execute("UPDATE shop.days SET d = '2026-01-03' WHERE id = 3");

      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        hub.awaitErrors("Table shop.days: it stopped, and the others go on without it");
        sql.execute("INSERT INTO shop.days VALUES (5, '2026-01-05')");
        sql.execute("INSERT INTO shop.other VALUES (2)");
        awaitRows(hub, emulator, "shop.other", 2);
        hub.stop();
      }
      assertThat(rows(emulator, "shop.days")).hasSize(2);

      Hub.run("recreate-table", config, "shop.days").succeeded();
      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        awaitRows(hub, emulator, "shop.days", 5);
        sql.execute("DELETE FROM shop.days WHERE id = 1");
        awaitRows(hub, emulator, "shop.days", 4);
        hub.stop();
      }
      assertThat(Hub.run("compare", config).succeeded().output()).contains("All 2 tables agree");
    }
  }

  private String config(int port, Emulator emulator) throws Exception {
    return Files.writeString(
            directory.resolve("hub.yaml"),
            """
            hub:
              stateDirectory: ./state
            pipelines:
              - name: shop
                source:
                  type: postgresql
                  hostname: 127.0.0.1
                  port: %d
                  database: postgres
                  username: postgres
                  schemas: shop
                target:
                  agent: fabric-open-mirroring
                  settings:
            %s
                    recreateWaitSeconds: 60
                    stoppedTablePolicy: release
            """
                .formatted(port, emulator.targetSettings().stripTrailing()))
        .toString();
  }

  private static void awaitRows(Hub.Running hub, Emulator emulator, String table, int count)
      throws InterruptedException {
    Await.until(
        table + " has " + count + " rows",
        () -> !hub.alive() || rows(emulator, table).size() == count,
        hub::errors);
    assertThat(hub.alive()).as(hub.errors()).isTrue();
  }

  private static List<String> rows(Emulator emulator, String table) throws InterruptedException {
    Hub.Result result = Hub.run("mirrored", emulator.directory().toString(), "--table", table);
    return result.exitCode() == 0 ? result.output().lines().toList() : List.of();
  }
}
