package io.corehub.parquet;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Reads files with DuckDB. */
final class DuckDb implements AutoCloseable {

  private final Connection connection;

  DuckDb() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET threads = 1");
      statement.execute("SET TimeZone = 'UTC'");
    }
  }

  /** The columns of a file, as a {@link Sample} holds them. */
  List<List<Object>> read(Path file, ParquetSchema schema) throws SQLException {
    List<String> expressions = new ArrayList<>();
    List<List<Object>> columns = new ArrayList<>();
    for (ParquetColumn column : schema.columns()) {
      String name = '"' + column.name().replace("\"", "\"\"") + '"';
      expressions.add(
          switch (column.type().kind()) {
            case BOOLEAN, INT32, INT64, FLOAT, DOUBLE -> name;
            case STRING -> "hex(encode(" + name + "))";
            case BINARY -> "hex(" + name + ")";
            case DATE -> "(" + name + " - DATE '1970-01-01')::INTEGER";
            case TIME_MICROS, TIME_MICROS_UTC -> "epoch_us(" + name + ")";
            case TIMESTAMP_MICROS, TIMESTAMP_MICROS_UTC -> "epoch_us(" + name + ")";
            case DECIMAL -> name + "::VARCHAR";
          });
      columns.add(new ArrayList<>());
    }
    String sql = "SELECT " + String.join(", ", expressions) + " FROM '" + file + "'";
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        for (int i = 0; i < columns.size(); i++) {
          columns.get(i).add(value(rows.getObject(i + 1), schema.columns().get(i).type()));
        }
      }
    }
    return columns;
  }

  private static Object value(Object read, ParquetType type) {
    if (read == null) {
      return null;
    }
    return switch (type.kind()) {
      case STRING, BINARY -> HexFormat.of().parseHex((String) read);
      case DECIMAL -> new BigDecimal((String) read).unscaledValue();
      default -> read;
    };
  }

  /** The only value of a query's result. */
  Object single(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getObject(1);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
