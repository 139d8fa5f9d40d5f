package io.corehub.hub.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.agent.table.TableId;
import io.corehub.hub.source.Shown;
import io.corehub.hub.source.SourceException;
import io.corehub.hub.source.TableOutline;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the tables that change-stream files declare, without reading their rows. Stateless. */
final class DeclaredTables {

  /** More is not read just to look. */
  private static final long MOST_BYTES = 16L << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private DeclaredTables() {}

  /**
   * The tables of all files together, in every shape they are declared in.
   *
   * @return empty if they cannot be told: a file is a pipe or large, or a line of it is malformed
   */
  static Optional<List<TableOutline>> in(List<Path> files) {
    Set<TableOutline> tables = new LinkedHashSet<>();
    long bytes = 0;
    for (Path file : files) {
      try {
        if (!Files.isRegularFile(file)) {
          return Optional.empty();
        }
        bytes += Files.size(file);
        if (bytes > MOST_BYTES) {
          return Optional.empty();
        }
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
          for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.contains("\"table\"") && line.contains("\"columns\"")) {
              declared(line).ifPresent(tables::add);
            }
          }
        }
      } catch (MalformedException e) {
        // Reading the line for its rows will say what is wrong with it, and where.
        return Optional.empty();
      } catch (IOException e) {
        throw new SourceException(
            "Change-stream file "
                + Shown.of(file.toString())
                + " cannot be read: "
                + Shown.of(e.toString()),
            e);
      }
    }
    return Optional.of(List.copyOf(tables));
  }

  /** The table of a {@code table} line; empty for lines of another kind. */
  private static Optional<TableOutline> declared(String line) throws MalformedException {
    try {
      JsonNode json = JSON.readTree(line.getBytes(StandardCharsets.ISO_8859_1));
      if (!json.path("kind").asText().equals("table")) {
        return Optional.empty();
      }
      List<String> columns = new ArrayList<>();
      json.path("columns").forEach(column -> columns.add(column.path("name").asText()));
      List<String> key = new ArrayList<>();
      json.path("primaryKey").forEach(column -> key.add(column.asText()));
      return Optional.of(
          new TableOutline(TableId.parse(json.path("table").asText()), columns, key));
    } catch (IOException | IllegalArgumentException e) {
      throw new MalformedException(String.valueOf(e.getMessage()));
    }
  }
}
