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

/** A PostgreSQL table whose column changed its type is re-created from a snapshot of the hub's. */
class RecreatePostgresTest {

  @TempDir Path directory;

  @Test
  void aTableWhoseTypeChangedIsLoadedAnewWhileTheOtherGoesOn() throws Exception {
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
      sql.execute("CREATE TABLE shop.prices (id INT PRIMARY KEY, v INT)");
      sql.execute("CREATE TABLE shop.other (id INT PRIMARY KEY)");
      sql.execute("INSERT INTO shop.prices VALUES (1, 10), (2, 20)");
      String config = config(postgres.getPort(), emulator);

      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        sql.execute("INSERT INTO shop.prices VALUES (3, 30)");
        awaitRows(hub, emulator, "shop.prices", 3);
        sql.execute("ALTER TABLE shop.prices ALTER COLUMN v TYPE TEXT");
        sql.execute("INSERT INTO shop.prices VALUES (4, 'forty')");
        sql.execute("INSERT INTO shop.other VALUES (1)");
        hub.awaitErrors("Table shop.prices, column 'v' changed its type from INT32 to STRING");
        awaitRows(hub, emulator, "shop.other", 1);
        hub.stop();
      }
      sql.execute("UPDATE shop.prices SET v = 'ten' WHERE id = 1");

      Hub.run("recreate-table", config, "shop.prices").succeeded();
      try (Hub.Running hub = Hub.start(Map.of(), "run", config)) {
        awaitRows(hub, emulator, "shop.prices", 4);
        sql.execute("DELETE FROM shop.prices WHERE id = 2");
        awaitRows(hub, emulator, "shop.prices", 3);
        hub.stop();
      }

      assertThat(rows(emulator, "shop.prices"))
          .containsExactlyInAnyOrder(
              "{\"id\":1,\"v\":\"ten\"}", "{\"id\":3,\"v\":\"30\"}", "{\"id\":4,\"v\":\"forty\"}");
      assertThat(rows(emulator, "shop.other")).containsExactly("{\"id\":1}");
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
