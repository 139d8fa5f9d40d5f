package io.corehub.hub.stream;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.corehub.agent.table.TableId;
import io.corehub.hub.source.Shown;
import io.corehub.hub.source.SourceException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the tables that change-stream files declare, without reading their rows. Stateless. */
final class DeclaredTables {

  /** More is not read just to look. */
  private static final long MOST_BYTES = 16L << 20;

  private static final JsonFactory JSON = new JsonFactory();

  private DeclaredTables() {}

  /**
   * The tables of all files together.
   *
   * @return empty if they cannot be told: a file is a pipe or large, or a line of it is malformed
   */
  static Optional<List<TableId>> in(List<Path> files) {
    Set<TableId> tables = new LinkedHashSet<>();
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
  private static Optional<TableId> declared(String line) throws MalformedException {
    String kind = "";
    String table = "";
    try (JsonParser parser = JSON.createParser(line.getBytes(StandardCharsets.ISO_8859_1))) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        if (field.equals("kind") && value == JsonToken.VALUE_STRING) {
          kind = parser.getText();
        } else if (field.equals("table") && value == JsonToken.VALUE_STRING) {
          table = parser.getText();
        } else {
          parser.skipChildren();
        }
      }
      return kind.equals("table") ? Optional.of(TableId.parse(table)) : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      throw new MalformedException(String.valueOf(e.getMessage()));
    }
  }
}
