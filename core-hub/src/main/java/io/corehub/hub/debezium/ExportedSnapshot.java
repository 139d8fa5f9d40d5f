package io.corehub.hub.debezium;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * A view of the database at one exact position of its log, open to other connections until it is
 * closed: it holds every commit up to the position and none behind it. Made by a replication slot
 * that lives as long as the view. Confined to one caller at a time.
 */
final class ExportedSnapshot implements AutoCloseable {

  private final Connection connection;
  private final String name;
  private final long position;

  private ExportedSnapshot(Connection connection, String name, long position) {
    this.connection = connection;
    this.name = name;
    this.position = position;
  }

  /**
   * Opens a view. Waits until transactions that are open now have ended.
   *
   * @param server the server
   * @return the view
   * @throws SQLException if the server refuses
   */
  static ExportedSnapshot open(PostgresServer server) throws SQLException {
    Connection connection = server.connectForReplication();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "CREATE_REPLICATION_SLOT corehub_snapshot_"
                    + UUID.randomUUID().toString().replace("-", "")
                    + " TEMPORARY LOGICAL pgoutput EXPORT_SNAPSHOT")) {
      rows.next();
      return new ExportedSnapshot(
          connection,
          rows.getString("snapshot_name"),
          PostgresServer.lsn(rows.getString("consistent_point")));
    } catch (SQLException | RuntimeException e) {
      try {
        connection.close();
      } catch (SQLException onClose) {
        e.addSuppressed(onClose);
      }
      throw e;
    }
  }

  /** Name for {@code SET TRANSACTION SNAPSHOT}. */
  String name() {
    return name;
  }

  /** The log position. */
  long position() {
    return position;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
