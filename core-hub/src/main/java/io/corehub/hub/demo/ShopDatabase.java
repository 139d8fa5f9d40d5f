package io.corehub.hub.demo;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** The shop's PostgreSQL, on the loopback interface only. Thread-safe. */
final class ShopDatabase implements AutoCloseable {

  private static final String[] SCHEMA = {
    "CREATE SCHEMA sales",
    "CREATE TYPE sales.order_status AS ENUM ('new', 'paid', 'shipped', 'returned')",
    """
    CREATE TABLE sales.customers (
      id bigint PRIMARY KEY, name text NOT NULL, email varchar(120), vip boolean NOT NULL,
      rating real, birthday date, created timestamptz NOT NULL, address jsonb, tags text[])
    """,
    "ALTER TABLE sales.customers REPLICA IDENTITY FULL",
    """
    CREATE TABLE sales.orders (
      id bigint PRIMARY KEY, customer_id bigint NOT NULL, status sales.order_status NOT NULL,
      placed timestamp NOT NULL, total numeric(12,2) NOT NULL, note text)
    """,
    "ALTER TABLE sales.orders REPLICA IDENTITY FULL",
    """
    CREATE TABLE sales.order_lines (
      order_id bigint, line int, product_sku varchar(20) NOT NULL, quantity smallint NOT NULL,
      price numeric(10,2) NOT NULL, discount double precision, PRIMARY KEY (order_id, line))
    """,
    """
    CREATE TABLE products (
      sku varchar(20) PRIMARY KEY, name text NOT NULL, price numeric(10,2) NOT NULL,
      weight double precision, description text, picture bytea, opens time, code char(3),
      sizes int[])
    """,
    "ALTER TABLE products REPLICA IDENTITY FULL",
    "CREATE TABLE page_views (at timestamptz NOT NULL, path text, millis int, session uuid)",
    """
    INSERT INTO sales.customers
    SELECT i, 'Customer ' || i, 'c' || i || '@example.com', i % 10 = 0, i / 7.0, date '1950-01-01' + i::int,
           timestamptz '2024-01-01 00:00:00+00' + i * interval '1 minute',
           jsonb_build_object('city', 'City ' || i % 50, 'zip', i), ARRAY['t' || i % 3, NULL, 'a,b']
    FROM generate_series(1::bigint, 2000) i
    """,
    """
    INSERT INTO products
    SELECT 'SKU-' || i, 'Product ' || i, i * 1.25, i / 3.0,
           (SELECT string_agg(md5((i * j)::text), ' ') FROM generate_series(1, 150) j),
           decode(md5(i::text), 'hex'), time '08:00' + i * interval '1 second', 'EUR', ARRAY[i, i + 1]
    FROM generate_series(1, 500) i
    """,
    """
    INSERT INTO sales.orders
    SELECT i, 1 + i % 2000, 'new', timestamp '2024-06-01' + i * interval '1 second', i * 0.99, NULL
    FROM generate_series(1::bigint, 5000) i
    """,
    """
    INSERT INTO sales.order_lines
    SELECT i, l, 'SKU-' || (1 + (i + l) % 500), (1 + i % 9)::smallint, l * 2.5, NULL
    FROM generate_series(1::bigint, 5000) i, generate_series(1, 2) l
    """,
    """
    INSERT INTO page_views
    SELECT timestamptz '2024-06-01 00:00:00+00' + i * interval '250 ms', '/p/' || i % 100, i % 900,
           md5(i::text)::uuid
    FROM generate_series(1, 1000) i
    """
  };

  private final EmbeddedPostgres postgres;

  private ShopDatabase(EmbeddedPostgres postgres) {
    this.postgres = postgres;
  }

  /**
   * Starts the server and fills the shop.
   *
   * @param directory directory for the server's files
   * @return the running database
   * @throws IOException if the server does not start
   * @throws SQLException if the shop cannot be made
   */
  static ShopDatabase start(Path directory) throws IOException, SQLException {
    ShopDatabase database =
        new ShopDatabase(
            EmbeddedPostgres.builder()
                .setDataDirectory(directory)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(Duration.ofSeconds(60))
                .setOutputRedirector(Redirect.DISCARD)
                .setErrorRedirector(Redirect.DISCARD)
                .setServerConfig("wal_level", "logical")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .start());
    try {
      database.execute(SCHEMA);
      return database;
    } catch (SQLException | RuntimeException e) {
      database.closeAfter(e);
      throw e;
    }
  }

  private void closeAfter(Exception cause) {
    try {
      close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  int port() {
    return postgres.getPort();
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port() + "/postgres", "postgres", "");
  }

  private void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public void close() throws IOException {
    postgres.close();
  }
}
