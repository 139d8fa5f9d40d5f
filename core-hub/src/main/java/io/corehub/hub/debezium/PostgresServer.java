package io.corehub.hub.debezium;

import io.corehub.agent.settings.Settings;
import io.corehub.hub.source.SourceException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;

/**
 * What the source asks the server beside the changes: who it is, its slot, its publication. Opens
 * connections; holds none. Thread-safe.
 */
final class PostgresServer {

  private static final int LOGIN_SECONDS = 30;

  private final Settings settings;

  PostgresServer(Settings settings) {
    this.settings = settings;
  }

  /**
   * The server and its history.
   *
   * @param system the cluster's own number
   * @param timeline number that grows with each promotion of a standby
   */
  record Identity(String system, String timeline) {}

  /**
   * A replication slot.
   *
   * @param confirmed log position the slot was told to let go
   * @param active whether somebody reads from it
   * @param plugin its output plugin
   */
  record Slot(long confirmed, boolean active, String plugin) {}

  /** Where the server is, for messages. */
  String address() {
    return settings.get(PostgresSourceProvider.HOSTNAME)
        + ":"
        + settings.get(PostgresSourceProvider.PORT)
        + "/"
        + settings.get(PostgresSourceProvider.DATABASE);
  }

  Connection connect() throws SQLException {
    return open(properties());
  }

  /** A connection that understands replication commands. */
  Connection connectForReplication() throws SQLException {
    Properties properties = properties();
    properties.setProperty("replication", "database");
    properties.setProperty("preferQueryMode", "simple");
    properties.setProperty("assumeMinServerVersion", "12");
    return open(properties);
  }

  private Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("user", settings.get(PostgresSourceProvider.USERNAME));
    settings
        .find(PostgresSourceProvider.PASSWORD)
        .ifPresent(password -> properties.setProperty("password", password.reveal()));
    properties.setProperty("sslmode", settings.get(PostgresSourceProvider.SSL_MODE));
    settings
        .find(PostgresSourceProvider.SSL_ROOT_CERTIFICATE)
        .ifPresent(file -> properties.setProperty("sslrootcert", file));
    properties.setProperty("loginTimeout", Integer.toString(LOGIN_SECONDS));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("ApplicationName", "Core Hub");
    return properties;
  }

  private Connection open(Properties properties) throws SQLException {
    return DriverManager.getConnection("jdbc:postgresql://" + address(), properties);
  }

  /** Trouble with the server, as one sentence for a person. */
  SourceException failure(String attempt, SQLException cause) {
    String state = cause.getSQLState() == null ? "" : cause.getSQLState();
    String advice =
        switch (state) {
          case "08001", "08006", "08004" -> "Check hostname, port, and whether the server runs";
          case "28P01", "28000" -> "Check username, password, and the server's pg_hba.conf";
          case "3D000" -> "Check the name of the database";
          case "42501" -> "Grant the user the right to do that";
          case "53400" ->
              "Raise max_replication_slots or max_wal_senders on the server, or drop unused slots";
          case "55000" -> "Set wal_level=logical on the server and restart it";
          default -> "Correct that on the server and start the pipeline again";
        };
    return new SourceException(
        "PostgreSQL "
            + address()
            + ": "
            + attempt
            + ": "
            + cause.getMessage()
            + ". "
            + advice
            + ".",
        cause);
  }

  Identity identity() throws SQLException {
    try (Connection connection = connectForReplication();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("IDENTIFY_SYSTEM")) {
      rows.next();
      return new Identity(rows.getString("systemid"), rows.getString("timeline"));
    }
  }

  String version(Connection connection) throws SQLException {
    return setting(connection, "server_version");
  }

  String setting(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT current_setting(?)")) {
      statement.setString(1, name);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getString(1);
      }
    }
  }

  Optional<Slot> slot(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT confirmed_flush_lsn::text, active, plugin, database = current_database()"
                + " FROM pg_replication_slots WHERE slot_name = ?")) {
      statement.setString(1, name);
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) {
          return Optional.empty();
        }
        if (!"pgoutput".equals(rows.getString(3)) || !rows.getBoolean(4)) {
          throw new SourceException(
              "PostgreSQL "
                  + address()
                  + ": replication slot '"
                  + name
                  + "' belongs to another database or another plugin. Choose another slotName.");
        }
        return Optional.of(new Slot(lsn(rows.getString(1)), rows.getBoolean(2), rows.getString(3)));
      }
    }
  }

  /** Creates the slot; waits for transactions that are open now. */
  void createSlot(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT pg_create_logical_replication_slot(?, 'pgoutput')")) {
      statement.setString(1, name);
      statement.execute();
    }
  }

  /**
   * Up to which position the reader of a slot has received everything.
   *
   * @return empty if nobody reads, or the user may not see it
   */
  OptionalLong received(Connection connection, String slot) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT r.write_lsn::text FROM pg_replication_slots s"
                + " JOIN pg_stat_replication r ON r.pid = s.active_pid WHERE s.slot_name = ?")) {
      statement.setString(1, slot);
      try (ResultSet rows = statement.executeQuery()) {
        String text = rows.next() ? rows.getString(1) : null;
        return text == null ? OptionalLong.empty() : OptionalLong.of(lsn(text));
      }
    }
  }

  /**
   * Where the server's log ends now, what was not written to the disk yet included: commits that do
   * not wait for the disk ({@code synchronous_commit} off) lie there, too.
   */
  static long logEnd(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT pg_current_wal_insert_lsn()::text")) {
      rows.next();
      return lsn(rows.getString(1));
    }
  }

  /** Bytes of log the server keeps for the slot. */
  long lagBytes(Connection connection, String slot) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT pg_current_wal_lsn() - confirmed_flush_lsn FROM pg_replication_slots"
                + " WHERE slot_name = ?")) {
      statement.setString(1, slot);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getLong(1) : 0;
      }
    }
  }

  /** A log position from PostgreSQL's text, two hexadecimal numbers with a slash between. */
  static long lsn(String text) {
    int slash = text.indexOf('/');
    return Long.parseUnsignedLong(text.substring(0, slash), 16) << 32
        | Long.parseUnsignedLong(text.substring(slash + 1), 16);
  }

  static String text(long lsn) {
    return Long.toHexString(lsn >>> 32).toUpperCase(Locale.ROOT)
        + "/"
        + Long.toHexString(lsn & 0xFFFF_FFFFL).toUpperCase(Locale.ROOT);
  }
}
