package io.corehub.it;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A real PostgreSQL server whose changes can be followed, with a schema {@code shop}. */
final class ShopDatabase implements AutoCloseable {

  private final EmbeddedPostgres postgres;
  private final Connection connection;
  private final Statement sql;

  private ShopDatabase(EmbeddedPostgres postgres, Connection connection, Statement sql) {
    this.postgres = postgres;
    this.connection = connection;
    this.sql = sql;
  }

  static ShopDatabase start() throws IOException, SQLException {
    EmbeddedPostgres postgres =
        EmbeddedPostgres.builder()
            .setServerConfig("wal_level", "logical")
            .setServerConfig("fsync", "off")
            .start();
    Connection connection = postgres.getPostgresDatabase().getConnection();
    Statement sql = connection.createStatement();
    sql.execute("CREATE SCHEMA shop");
    return new ShopDatabase(postgres, connection, sql);
  }

  int port() {
    return postgres.getPort();
  }

  Statement sql() {
    return sql;
  }

  void execute(String statement) throws SQLException {
    sql.execute(statement);
  }

  /**
   * The source of a pipeline, as lines of YAML.
   *
   * @param further further keys, {@code name: value} each
   */
  String source(String... further) {
    return sourceOf("shop", further);
  }

  /**
   * The same for other schemas.
   *
   * @param schemas value of the key {@code schemas}
   */
  String sourceOf(String schemas, String... further) {
    StringBuilder yaml =
        new StringBuilder(
            """
                  type: postgresql
                  hostname: 127.0.0.1
                  port: %d
                  database: postgres
                  username: postgres
                  schemas: %s
            """
                .formatted(port(), schemas));
    for (String line : further) {
      yaml.append("      ").append(line).append('\n');
    }
    return yaml.toString();
  }

  @Override
  public void close() throws IOException, SQLException {
    try (postgres;
        connection) {
      sql.close();
    }
  }
}
