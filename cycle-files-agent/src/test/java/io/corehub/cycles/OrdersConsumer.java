package io.corehub.cycles;

import com.fasterxml.jackson.databind.JsonNode;
import io.corehub.agent.verify.FolderFiles;
import io.corehub.cyclereader.CycleReader;
import io.corehub.cyclereader.CycleRow;
import io.corehub.cyclereader.JobFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** Keeps the table orders of a database as the completed cycles of a job say. */
final class OrdersConsumer {

  private final Connection database;

  OrdersConsumer(Connection database) throws SQLException {
    this.database = database;
    database.setAutoCommit(false);
    execute(
        "CREATE TABLE IF NOT EXISTS orders (order_id INT, status VARCHAR, amount DECIMAL(10, 2))");
    execute("CREATE TABLE IF NOT EXISTS last_cycle (name VARCHAR)");
    database.commit();
  }

  /** Applies the cycles that were completed since the last call, with the name of the last. */
  void catchUp(Path jobFolder) throws IOException, SQLException {
    JobFolder job = JobFolder.in(jobFolder).get(0);
    boolean whole = false;
    try (FolderFiles files = new FolderFiles(job.connectionFolder())) {
      new CycleReader(files, job.directories()).read(lastCycle(), this::take);
      database.commit();
      whole = true;
    } finally {
      if (!whole) {
        // Half a cycle must not stay: the next call would go on behind it.
        database.rollback();
      }
    }
  }

  private Optional<String> lastCycle() throws SQLException {
    try (Statement sql = database.createStatement();
        ResultSet rows = sql.executeQuery("SELECT name FROM last_cycle")) {
      return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
    }
  }

  private void take(CycleRow row) throws IOException {
    try {
      execute("DELETE FROM last_cycle");
      execute("INSERT INTO last_cycle VALUES (?)", row.cycle());
      if (!row.table().equals("orders")) {
        return;
      }
      switch (row.operation()) {
        case "T" -> execute("DELETE FROM orders");
        case "I", "Y" -> insert(row.row().orElseThrow());
        case "U" -> {
          delete(row.before().orElseThrow());
          insert(row.row().orElseThrow());
        }
        case "D", "X" -> delete(row.row().orElseThrow());
        default -> throw new IOException("Unknown operation " + row.operation());
      }
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  private void delete(JsonNode key) throws SQLException {
    execute("DELETE FROM orders WHERE order_id = CAST(? AS INT)", key.get("order_id").asText());
  }

  private void insert(JsonNode row) throws SQLException {
    execute(
        "INSERT INTO orders VALUES (CAST(? AS INT), ?, CAST(? AS DECIMAL(10, 2)))",
        row.get("order_id").asText(),
        row.get("status").textValue(),
        row.get("amount").textValue());
  }

  private void execute(String sql, String... values) throws SQLException {
    try (PreparedStatement statement = database.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      statement.execute();
    }
  }
}
