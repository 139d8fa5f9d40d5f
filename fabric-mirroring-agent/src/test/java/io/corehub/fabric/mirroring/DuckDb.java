package io.corehub.fabric.mirroring;

import io.corehub.testkit.CellText;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Optional;

/** Reads single cells of files as DuckDB understands them. */
final class DuckDb implements AutoCloseable {

  private final Connection connection;

  DuckDb() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET threads = 1");
      statement.execute("SET TimeZone = 'UTC'");
    }
  }

  /** The cell of a column in a file of one row, in the forms of {@link CellText}. */
  Optional<String> cell(Path file, String column) throws SQLException {
    String name = '"' + column.replace("\"", "\"\"") + '"';
    String type = single("SELECT typeof(" + name + ") FROM '" + file + "'").orElseThrow();
    String expression =
        switch (type) {
          case "VARCHAR" -> "hex(encode(" + name + "))";
          case "BLOB" -> "hex(" + name + ")";
          case "DATE" -> "(" + name + " - DATE '1970-01-01')::INTEGER::VARCHAR";
          case "TIME", "TIME WITH TIME ZONE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE" ->
              "epoch_us(" + name + ")::VARCHAR";
          default -> name + (type.startsWith("DECIMAL") ? "::VARCHAR" : "");
        };
    return single("SELECT " + expression + " FROM '" + file + "'").map(text -> shown(type, text));
  }

  private static String shown(String type, String text) {
    return switch (type) {
      case "VARCHAR" -> CellText.utf8(HexFormat.of().parseHex(text));
      case "BLOB" -> CellText.bytes(HexFormat.of().parseHex(text));
      case "DATE" -> CellText.date(Integer.parseInt(text));
      case "TIME" -> CellText.time(Long.parseLong(text));
      case "TIME WITH TIME ZONE" -> CellText.utcTime(Long.parseLong(text));
      case "TIMESTAMP" -> CellText.localDateTime(Long.parseLong(text));
      case "TIMESTAMP WITH TIME ZONE" -> CellText.instant(Long.parseLong(text));
      default -> type.startsWith("DECIMAL") ? CellText.decimal(new BigDecimal(text)) : text;
    };
  }

  /** The only value of a query's result, as Java writes it. */
  private Optional<String> single(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return Optional.ofNullable(rows.getObject(1)).map(Object::toString);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
