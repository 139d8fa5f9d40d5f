package io.corehub.hub.debezium;

import io.corehub.agent.Meters;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks from time to time how far the reader of the slot has got, also where no captured table
 * changes, and how much log the server keeps. Runs one thread of its own. Thread-safe.
 */
final class LogWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LogWatch.class);

  private final PostgresServer server;
  private final String slot;
  private final InstantSource clock;
  private final ScheduledExecutorService looking;
  private volatile @Nullable Sight last;
  private volatile long lagBytes;
  private @Nullable Connection connection;
  private boolean warned;

  /**
   * What was seen.
   *
   * @param received every commit up to this position had been received
   * @param epochMillis when that was so
   */
  record Sight(long received, long epochMillis) {}

  LogWatch(PostgresServer server, String slot, InstantSource clock, Meters meters, int seconds) {
    this.server = server;
    this.slot = slot;
    this.clock = clock;
    this.looking =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "postgresql-log-watch");
              thread.setDaemon(true);
              return thread;
            });
    meters.gauge("source.slot.lag.bytes", () -> lagBytes);
    var unused = looking.scheduleWithFixedDelay(this::look, 0, seconds, TimeUnit.SECONDS);
  }

  /** The last look; null before the first. */
  @Nullable Sight last() {
    return last;
  }

  private void look() {
    try {
      Connection sql = connection;
      if (sql == null || sql.isClosed()) {
        sql = server.connect();
        connection = sql;
      }
      OptionalLong received = server.received(sql, slot);
      if (received.isPresent()) {
        last = new Sight(received.getAsLong(), clock.instant().toEpochMilli());
      }
      lagBytes = server.lagBytes(sql, slot);
      warned = false;
    } catch (SQLException | RuntimeException e) {
      if (!warned) {
        LOG.warn(
            "PostgreSQL {}: slot '{}' cannot be looked at: {}",
            server.address(),
            slot,
            e.toString());
        warned = true;
      }
      disconnect();
    }
  }

  private void disconnect() {
    Connection sql = connection;
    connection = null;
    if (sql != null) {
      try {
        sql.close();
      } catch (SQLException e) {
        LOG.debug("Closing a broken connection", e);
      }
    }
  }

  @Override
  public void close() {
    looking.shutdownNow();
    try {
      if (!looking.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("The look at slot '{}' does not end", slot);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    disconnect();
  }
}
