package io.corehub.hub.debezium;

import io.corehub.hub.source.SourceException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The publication that names the captured tables. Stateless. */
final class Publication {

  private Publication() {}

  /**
   * The statement that would make a publication hold some tables.
   *
   * @param connection connection to the database
   * @param name name of the publication
   * @param tables the tables
   * @return empty if it holds them already
   * @throws SQLException if the server cannot be asked
   */
  static Optional<String> missing(Connection connection, String name, List<CatalogTable> tables)
      throws SQLException {
    if (tables.isEmpty()) {
      return Optional.empty();
    }
    Set<List<String>> present = new HashSet<>();
    if (!exists(connection, name)) {
      return Optional.of("CREATE PUBLICATION " + name + " FOR TABLE " + list(tables));
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT schemaname, tablename FROM pg_publication_tables WHERE pubname = ?")) {
      statement.setString(1, name);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          present.add(List.of(rows.getString(1), rows.getString(2)));
        }
      }
    }
    List<CatalogTable> absent = new ArrayList<>(tables);
    absent.removeIf(table -> present.contains(List.of(table.schema(), table.name())));
    return absent.isEmpty()
        ? Optional.empty()
        : Optional.of("ALTER PUBLICATION " + name + " ADD TABLE " + list(absent));
  }

  static boolean exists(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT 1 FROM pg_publication WHERE pubname = ?")) {
      statement.setString(1, name);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }

  /**
   * Makes the publication hold the tables.
   *
   * @throws SourceException if a person must run the statement
   * @throws SQLException if the server cannot be asked
   */
  static void ensure(
      PostgresServer server,
      Connection connection,
      String name,
      List<CatalogTable> tables,
      boolean manage)
      throws SQLException {
    Optional<String> statement = missing(connection, name, tables);
    if (statement.isEmpty()) {
      return;
    }
    if (!manage) {
      throw new SourceException(
          "PostgreSQL "
              + server.address()
              + ": publication '"
              + name
              + "' does not hold every table. Run: "
              + statement.get()
              + "; or set managePublication to true.");
    }
    try (Statement sql = connection.createStatement()) {
      sql.execute(statement.get());
    } catch (SQLException e) {
      throw new SourceException(
          "PostgreSQL "
              + server.address()
              + ": publication '"
              + name
              + "' cannot be changed: "
              + e.getMessage()
              + ". Have the tables' owner run: "
              + statement.get(),
          e);
    }
  }

  private static String list(List<CatalogTable> tables) {
    return tables.stream().map(CatalogTable::quoted).collect(Collectors.joining(", "));
  }
}
