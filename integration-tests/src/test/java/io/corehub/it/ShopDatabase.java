package io.corehub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A real PostgreSQL server with a schema {@code shop}, mirrored into an emulator that replicates as
 * Fabric does.
 */
final class ShopDatabase implements AutoCloseable {

  private final EmbeddedPostgres postgres;
  private final Connection connection;
  private final Statement sql;
  private final Emulator emulator;

  private ShopDatabase(
      EmbeddedPostgres postgres, Connection connection, Statement sql, Emulator emulator) {
    this.postgres = postgres;
    this.connection = connection;
    this.sql = sql;
    this.emulator = emulator;
  }

  /** Starts both; the emulator's files lie in a folder of the directory. */
  static ShopDatabase start(Path directory) throws Exception {
    EmbeddedPostgres postgres =
        EmbeddedPostgres.builder()
            .setServerConfig("wal_level", "logical")
            .setServerConfig("fsync", "off")
            .start();
    Connection connection = postgres.getPostgresDatabase().getConnection();
    Statement sql = connection.createStatement();
    sql.execute("CREATE SCHEMA shop");
    Emulator emulator =
        Emulator.start(Files.createDirectory(directory.resolve("onelake")), "--replicate");
    return new ShopDatabase(postgres, connection, sql, emulator);
  }

  Emulator emulator() {
    return emulator;
  }

  void execute(String statement) throws SQLException {
    sql.execute(statement);
  }

  /**
   * Writes a configuration with one pipeline, {@code shop}.
   *
   * @param file where
   * @param settings further settings of the target, {@code name: value} each
   * @return the path of the file
   */
  String config(Path file, String... settings) throws IOException {
    String text =
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
        """;
    StringBuilder lines = new StringBuilder(emulator.targetSettings());
    for (String setting : settings) {
      lines.append("        ").append(setting).append('\n');
    }
    return Files.writeString(
            file, text.formatted(postgres.getPort(), lines.toString().stripTrailing()))
        .toString();
  }

  /** Waits until a mirrored table has a number of rows; fails if the hub ends before. */
  void awaitRows(Hub.Running hub, String table, int count) {
    Await.until(
        table + " has " + count + " rows",
        () -> !hub.alive() || rows(table).size() == count,
        hub::errors);
    assertThat(hub.alive()).as(hub.errors()).isTrue();
  }

  /** The rows of a mirrored table as JSON; none while there is no such table. */
  List<String> rows(String table) throws InterruptedException {
    Hub.Result result = Hub.run("mirrored", emulator.directory().toString(), "--table", table);
    return result.exitCode() == 0 ? result.output().lines().toList() : List.of();
  }

  @Override
  public void close() throws IOException, SQLException {
    try (postgres;
        connection;
        sql) {
      emulator.close();
    }
  }
}
