package io.corehub.hub.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * People who shop: orders, payments, returns, new prices, renamed products, page views. Runs on one
 * thread; adds a column to the orders after a while. Thread-safe.
 */
final class ShopWorkload implements AutoCloseable {

  private static final int PAUSE_MILLIS = 8;
  private static final int COLUMN_AFTER_TRANSACTIONS = 300;

  private final ShopDatabase database;
  private final RandomGenerator random;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "shop-workload");
  private volatile @Nullable SQLException failure;
  private volatile long lastPosition;
  private long nextOrder = 5001;
  private boolean channelKnown;
  private int renames;

  ShopWorkload(ShopDatabase database, RandomGenerator random) {
    this.database = database;
    this.random = random;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /**
   * Ends the shopping.
   *
   * @return a log position before the end of the last transaction and behind that of every other
   * @throws SQLException if the shopping failed
   * @throws InterruptedException if interrupted
   */
  long stopAndAwait() throws SQLException, InterruptedException {
    close();
    thread.join();
    SQLException reason = failure;
    if (reason != null) {
      throw new SQLException("The shop's workload failed: " + reason.getMessage(), reason);
    }
    return lastPosition;
  }

  @Override
  public void close() {
    stop.countDown();
  }

  private void run() {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      for (int i = 0; !stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS); i++) {
        if (i == COLUMN_AFTER_TRANSACTIONS) {
          execute(connection, "ALTER TABLE sales.orders ADD COLUMN channel varchar(20)");
          channelKnown = true;
        }
        shop(connection, i);
        connection.commit();
      }
      lastPosition = position(connection);
      connection.commit();
      view(connection, 1);
      connection.commit();
    } catch (SQLException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void shop(Connection connection, int transaction) throws SQLException {
    switch (transaction % 8) {
      case 0, 1, 2 -> order(connection);
      case 3 -> pay(connection);
      case 4 -> returned(connection);
      case 5 -> reprice(connection);
      case 6 -> view(connection, 5);
      default -> changeCustomer(connection, transaction);
    }
  }

  private void order(Connection connection) throws SQLException {
    long id = nextOrder++;
    execute(
        connection,
        "INSERT INTO sales.orders (id, customer_id, status, placed, total) VALUES (?, ?, 'new',"
            + " localtimestamp, ? * 0.01)",
        id,
        1 + random.nextInt(2000),
        random.nextInt(100_000));
    int lines = 1 + random.nextInt(4);
    for (int line = 1; line <= lines; line++) {
      execute(
          connection,
          "INSERT INTO sales.order_lines VALUES (?, ?, ?, ?, ? * 0.25, ?)",
          id,
          line,
          "SKU-" + (1 + random.nextInt(500)),
          1 + random.nextInt(9),
          random.nextInt(1000),
          random.nextBoolean() ? random.nextDouble() : null);
    }
  }

  private void pay(Connection connection) throws SQLException {
    String channel = channelKnown ? ", channel = 'web'" : "";
    long first = 1 + random.nextLong(nextOrder);
    execute(
        connection,
        "UPDATE sales.orders SET status = 'paid', note = 'paid ' || clock_timestamp()::date"
            + channel
            + " WHERE id BETWEEN ? AND ?",
        first,
        first + 4);
    execute(
        connection,
        "UPDATE sales.orders SET status = 'shipped'" + channel + " WHERE id = ?",
        1 + random.nextLong(nextOrder));
  }

  private void returned(Connection connection) throws SQLException {
    long id = 1 + random.nextLong(nextOrder);
    execute(connection, "DELETE FROM sales.order_lines WHERE order_id = ?", id);
    execute(connection, "DELETE FROM sales.orders WHERE id = ?", id);
  }

  /** A new price leaves the long description alone; a renamed product changes its key. */
  private void reprice(Connection connection) throws SQLException {
    execute(
        connection,
        "UPDATE products SET price = price + 0.01 WHERE sku = ?",
        "SKU-" + (1 + random.nextInt(500)));
    if (random.nextInt(4) == 0) {
      execute(
          connection,
          "UPDATE products SET sku = ? WHERE sku = ?",
          "NEW-" + ++renames,
          "SKU-" + (1 + random.nextInt(500)));
    }
  }

  private void changeCustomer(Connection connection, int transaction) throws SQLException {
    execute(
        connection,
        "UPDATE sales.customers SET vip = NOT vip, rating = ?::real, tags = tags || ?::text"
            + " WHERE id = ?",
        random.nextFloat(),
        "n" + transaction,
        1 + random.nextInt(2000));
  }

  private void view(Connection connection, int pages) throws SQLException {
    for (int i = 0; i < pages; i++) {
      execute(
          connection,
          "INSERT INTO page_views VALUES (clock_timestamp(), ?, ?, gen_random_uuid())",
          "/p/" + random.nextInt(100),
          random.nextInt(1000));
    }
  }

  private static void execute(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      statement.execute();
    }
  }

  private static long position(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
