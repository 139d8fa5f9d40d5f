package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a contents file says. Immutable.
 *
 * @param path of the file
 * @param combined whether it has the columns of a combined job
 * @param lines a line for each table, or for each of its files
 */
record CycleContents(String path, boolean combined, List<Line> lines) {

  private static final List<String> FIRST =
      List.of(
          "table_name",
          "cycle_name",
          "cycle_path",
          "start_sequence",
          "end_sequence",
          "inserts",
          "updates",
          "deletes");
  private static final List<String> COMBINED =
      List.of("truncates", "initial_load_inserts", "initial_load_deletes");
  private static final List<String> LAST = List.of("schema_version", "schema_path");

  /** Takes a copy. */
  CycleContents {
    lines = List.copyOf(lines);
  }

  /**
   * A line. Immutable.
   *
   * @param table name of the table
   * @param cycleName name of the cycle, as written
   * @param cyclePath path of a folder or a file, as written
   * @param start first sequence
   * @param end last sequence
   * @param counts rows of each operation
   * @param schemaVersion version of all rows
   * @param schemaPath path of the schema file, as written
   */
  record Line(
      String table,
      String cycleName,
      String cyclePath,
      RowSequence start,
      RowSequence end,
      OperationCounts counts,
      int schemaVersion,
      String schemaPath) {}

  /**
   * Reads a file.
   *
   * @throws CycleFormatException if it is no contents file
   */
  static CycleContents read(TargetFiles files, String path) throws IOException {
    Summary.Table table = Summary.read(files, path);
    boolean combined = table.columns().contains(COMBINED.get(0));
    List<String> expected = new ArrayList<>(FIRST);
    if (combined) {
      expected.addAll(COMBINED);
    }
    expected.addAll(LAST);
    if (!table.columns().equals(expected)) {
      throw new CycleFormatException(
          path, "its columns are " + table.columns() + " instead of " + expected);
    }
    List<Line> lines = new ArrayList<>();
    for (Map<String, String> line : table.lines()) {
      lines.add(
          new Line(
              Summary.value(line, "table_name"),
              Summary.value(line, "cycle_name"),
              Summary.value(line, "cycle_path"),
              sequence(path, line, "start_sequence"),
              sequence(path, line, "end_sequence"),
              new OperationCounts(
                  number(path, line, "inserts"),
                  number(path, line, "updates"),
                  number(path, line, "deletes"),
                  combined ? number(path, line, "truncates") : 0,
                  combined ? number(path, line, "initial_load_inserts") : 0,
                  combined ? number(path, line, "initial_load_deletes") : 0),
              (int) Math.min(Integer.MAX_VALUE, number(path, line, "schema_version")),
              Summary.value(line, "schema_path")));
    }
    return new CycleContents(path, combined, lines);
  }

  private static RowSequence sequence(String path, Map<String, String> line, String column)
      throws CycleFormatException {
    String text = Summary.value(line, column);
    return RowSequence.parse(text)
        .orElseThrow(
            () -> new CycleFormatException(path, "its " + column + " '" + text + "' is none"));
  }

  private static long number(String path, Map<String, String> line, String column)
      throws CycleFormatException {
    String text = Summary.value(line, column);
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && Long.toString(number).equals(text)) {
        return number;
      }
      throw new CycleFormatException(path, "its " + column + " '" + text + "' is no count");
    } catch (NumberFormatException e) {
      throw new CycleFormatException(path, "its " + column + " '" + text + "' is no count", e);
    }
  }
}
