package io.corehub.hub.demo;

import io.corehub.agent.table.TableId;
import io.corehub.emulator.MirroredTable;
import io.corehub.emulator.MirroredTables;
import io.corehub.emulator.RowChecksum;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every table of the shop, counted and summed on both sides: the source straight from PostgreSQL
 * over SQL, the target from what the replicator made of the landing zone. Immutable.
 *
 * @param lines one for each table of the source
 */
record Comparison(List<Line> lines) {

  private static final int FETCH_ROWS = 2000;

  private static final String TABLES =
      """
      SELECT schemaname, tablename FROM pg_tables
      WHERE schemaname IN ('sales', 'public') ORDER BY 1, 2
      """;

  /**
   * One table.
   *
   * @param table its name on the way to the target
   * @param sourceRows rows in the source
   * @param sourceSum checksum in the source
   * @param mirrored rows, checksum and trouble of the mirrored table; empty if there is none
   */
  record Line(String table, long sourceRows, String sourceSum, Optional<Mirrored> mirrored) {

    boolean agrees() {
      return mirrored
          .map(m -> m.rows == sourceRows && m.sum.equals(sourceSum) && m.problem.isEmpty())
          .orElse(false);
    }
  }

  /**
   * A mirrored table.
   *
   * @param rows rows
   * @param sum checksum
   * @param problem why the replicator stopped it
   */
  record Mirrored(long rows, String sum, Optional<String> problem) {}

  /**
   * Compares both sides.
   *
   * @param connection connection to the source, where nothing changes any more
   * @param tables the mirrored tables
   * @return the result
   * @throws SQLException if the source cannot be read
   */
  static Comparison of(Connection connection, MirroredTables tables) throws SQLException {
    List<Line> lines = new ArrayList<>();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        ResultSet names = statement.executeQuery(TABLES)) {
      while (names.next()) {
        String schema = names.getString(1);
        String name = names.getString(2);
        TableId id = schema.equals("public") ? TableId.of(name) : TableId.of(schema, name);
        RowChecksum source = checksum(connection, schema, name);
        lines.add(
            new Line(
                id.toString(),
                source.rows(),
                source.toString(),
                tables.find(id.toString()).map(Comparison::mirrored)));
      }
    }
    return new Comparison(lines);
  }

  private static Mirrored mirrored(MirroredTable table) {
    return new Mirrored(table.rowCount(), table.checksum().toString(), table.problem());
  }

  private static RowChecksum checksum(Connection connection, String schema, String name)
      throws SQLException {
    RowChecksum checksum = new RowChecksum();
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet rows =
          statement.executeQuery("SELECT * FROM \"" + schema + "\".\"" + name + "\"")) {
        ResultSetMetaData columns = rows.getMetaData();
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          names.add(columns.getColumnName(i));
        }
        @Nullable Object[] values = new @Nullable Object[names.size()];
        while (rows.next()) {
          for (int i = 0; i < values.length; i++) {
            values[i] = value(rows, i + 1, columns.getColumnTypeName(i + 1));
          }
          checksum.add(names, values);
        }
      }
    }
    return checksum;
  }

  private static @Nullable Object value(ResultSet rows, int index, String type)
      throws SQLException {
    Object value =
        switch (type) {
          case "int2", "int4" -> rows.getInt(index);
          case "int8" -> rows.getLong(index);
          case "float4" -> rows.getFloat(index);
          case "float8" -> rows.getDouble(index);
          case "numeric" -> rows.getBigDecimal(index);
          case "bool" -> rows.getBoolean(index);
          case "bytea" -> rows.getBytes(index);
          case "date" -> rows.getObject(index, LocalDate.class);
          case "time" -> rows.getObject(index, LocalTime.class);
          case "timestamp" -> rows.getObject(index, LocalDateTime.class);
          case "timestamptz" -> rows.getObject(index, OffsetDateTime.class);
          case "_text" -> texts(rows, index);
          case "_int4" -> numbers(rows, index);
          default -> rows.getString(index);
        };
    return rows.wasNull() ? null : value;
  }

  private static @Nullable String numbers(ResultSet rows, int index) throws SQLException {
    String text = rows.getString(index);
    return text == null ? null : text.replace('{', '[').replace('}', ']');
  }

  /** JSON of an array of texts without characters that need escaping. */
  private static @Nullable String texts(ResultSet rows, int index) throws SQLException {
    java.sql.Array array = rows.getArray(index);
    if (array == null) {
      return null;
    }
    StringBuilder json = new StringBuilder("[");
    for (@Nullable Object element : (@Nullable Object[]) array.getArray()) {
      json.append(json.length() > 1 ? "," : "");
      json.append(element == null ? "null" : "\"" + element + "\"");
    }
    return json.append(']').toString();
  }

  /** Whether all tables agree. */
  boolean agrees() {
    return !lines.isEmpty() && lines.stream().allMatch(Line::agrees);
  }

  /** Prints a table for people. */
  void print(PrintStream out) {
    out.printf(
        "%-20s %12s %12s  %-16s  %-16s  %s%n",
        "Table", "Source rows", "Mirrored", "Source checksum", "Mirrored", "Result");
    for (Line line : lines) {
      out.printf(
          "%-20s %,12d %12s  %-16s  %-16s  %s%n",
          line.table,
          line.sourceRows,
          line.mirrored.map(m -> String.format("%,d", m.rows)).orElse("-"),
          line.sourceSum,
          line.mirrored.map(Mirrored::sum).orElse("-"),
          line.agrees() ? "equal" : "DIFFERENT");
      line.mirrored
          .flatMap(Mirrored::problem)
          .ifPresent(problem -> out.println("  replication stopped: " + problem));
    }
    out.println(
        agrees()
            ? "All " + lines.size() + " tables agree."
            : "The tables do not agree; see the lines above.");
  }
}
