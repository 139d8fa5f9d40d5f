package io.corehub.hub.demo;

import io.corehub.agent.table.TableId;
import io.corehub.emulator.MirroredTable;
import io.corehub.emulator.MirroredTables;
import io.corehub.emulator.RowChecksum;
import io.corehub.hub.compare.Comparison;
import io.corehub.hub.compare.Comparison.Line;
import io.corehub.hub.compare.Comparison.Side;
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
 * over SQL, the target from what the replicator made of the landing zone. Stateless.
 */
final class ShopComparison {

  private static final int FETCH_ROWS = 2000;

  private static final String TABLES =
      """
      SELECT schemaname, tablename FROM pg_tables
      WHERE schemaname IN ('sales', 'public') ORDER BY 1, 2
      """;

  private ShopComparison() {}

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
                new Side(source.rows(), source.toString(), Optional.empty()),
                tables.find(id.toString()).map(ShopComparison::mirrored)));
      }
    }
    return new Comparison(lines);
  }

  private static Side mirrored(MirroredTable table) {
    return new Side(table.rowCount(), table.checksum().toString(), table.problem());
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
}
