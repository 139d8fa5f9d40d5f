package io.corehub.fabric.mirroring;

import io.corehub.agent.table.TableId;
import io.corehub.emulator.MirroredTable;
import io.corehub.emulator.MirroredTables;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.memory.InMemoryFileSystem;
import io.corehub.testkit.CellText;
import io.corehub.testkit.Row;
import io.corehub.testkit.Rows;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A landing zone as the emulator's replicator, which shares no code with the agent, applies it. */
final class Replicated {

  private final MirroredTables tables;

  private Replicated(MirroredTables tables) {
    this.tables = tables;
  }

  /**
   * Applies everything below the landing zone.
   *
   * @param directory takes a copy of the landing zone; does not exist yet
   */
  static Replicated of(InMemoryFileSystem fileSystem, Path directory)
      throws IOException, InterruptedException {
    DfsClient client = fileSystem.client();
    List<PathEntry> entries = new ArrayList<>();
    client.list(AgentRun.ROOT, true, entries::add);
    for (PathEntry entry : entries) {
      Path path = directory.resolve(entry.path());
      if (entry.directory()) {
        Files.createDirectories(path);
      } else {
        Files.createDirectories(path.getParent());
        Files.write(path, client.read(entry.path(), 0, DfsClient.MAX_READ_BYTES));
      }
    }
    return new Replicated(MirroredTables.below(directory));
  }

  MirroredTable table(TableId table) {
    return tables
        .find(table.toString())
        .orElseThrow(() -> new AssertionError("No table " + table + " was replicated"));
  }

  Rows rows(TableId id) throws IOException {
    MirroredTable table = table(id);
    Optional<String> problem = table.problem();
    if (problem.isPresent()) {
      throw new AssertionError("Table " + id + " stands still: " + problem.get());
    }
    List<String> columns = table.columns();
    List<Row> rows = new ArrayList<>();
    table.forEachRow(
        values -> {
          Map<String, String> cells = new HashMap<>();
          for (int i = 0; i < values.length; i++) {
            if (values[i] != null) {
              cells.put(columns.get(i), text(values[i]));
            }
          }
          rows.add(new Row(cells));
        });
    return Rows.of(rows);
  }

  private static String text(Object value) {
    if (value instanceof Boolean flag) {
      return flag.toString();
    }
    if (value instanceof Float number) {
      return CellText.floating(number);
    }
    if (value instanceof Double number) {
      return CellText.floating(number);
    }
    if (value instanceof BigDecimal number) {
      return CellText.decimal(number);
    }
    if (value instanceof Number number) {
      return CellText.integer(number.longValue());
    }
    if (value instanceof byte[] bytes) {
      return CellText.bytes(bytes);
    }
    if (value instanceof String text) {
      return CellText.utf8(text.getBytes(StandardCharsets.UTF_8));
    }
    if (value instanceof LocalDate
        || value instanceof LocalTime
        || value instanceof LocalDateTime) {
      return value.toString();
    }
    if (value instanceof OffsetTime time) {
      return time.toString();
    }
    return ((OffsetDateTime) value).toInstant().toString();
  }
}
