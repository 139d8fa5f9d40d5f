package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFiles;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a contents or completed file by the names of their columns. Pure. */
final class Summary {

  private Summary() {}

  /**
   * A file as lists of values by column.
   *
   * @param columns names in order
   * @param lines values by name, none NULL
   */
  record Table(List<String> columns, List<Map<String, String>> lines) {}

  /**
   * Reads a file.
   *
   * @throws CycleFormatException if it is no such table
   */
  static Table read(TargetFiles files, String path) throws IOException {
    try (CsvLines csv =
        new CsvLines(new BufferedInputStream(new TargetStream(files, path)), path)) {
      List<@Nullable String> header = csv.next();
      if (header == null) {
        throw new CycleFormatException(path, "the file is empty");
      }
      List<String> columns = new ArrayList<>();
      for (String name : header) {
        if (name == null || columns.contains(name)) {
          throw new CycleFormatException(path, "its header has a column without name of its own");
        }
        columns.add(name);
      }
      List<Map<String, String>> lines = new ArrayList<>();
      for (List<@Nullable String> values = csv.next(); values != null; values = csv.next()) {
        lines.add(line(path, csv.line(), columns, values));
      }
      return new Table(columns, lines);
    }
  }

  private static Map<String, String> line(
      String path, long line, List<String> columns, List<@Nullable String> values)
      throws CycleFormatException {
    if (values.size() != columns.size()) {
      throw new CycleFormatException(
          path,
          "line " + line + " has " + values.size() + " values and the header " + columns.size());
    }
    Map<String, String> named = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      String value = values.get(i);
      if (value == null) {
        throw new CycleFormatException(
            path, "line " + line + " has no value for " + columns.get(i));
      }
      named.put(columns.get(i), value);
    }
    return named;
  }

  /** A value of a column that is there. */
  static String value(Map<String, String> line, String column) {
    return Objects.requireNonNull(line.get(column), column);
  }
}
