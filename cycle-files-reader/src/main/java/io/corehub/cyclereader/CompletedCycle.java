package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a completed file says. Immutable.
 *
 * @param path of the file
 * @param cycle name of the cycle
 * @param start when it opened
 * @param end when it ended
 * @param current last commit and row it holds, 32 digits
 * @param contentsPath path of its contents file, as written
 * @param reason why it ended
 */
record CompletedCycle(
    String path,
    CycleId cycle,
    Instant start,
    Instant end,
    RowSequence current,
    String contentsPath,
    String reason) {

  static final List<String> COLUMNS =
      List.of(
          "cycle_name", "start_time", "end_time", "current_sequence", "contents_path", "reason");

  private static final Set<String> REASONS =
      Set.of(
          "NORMAL_COMMIT",
          "NORMAL_EXPIRY",
          "INITIAL_LOAD_COMPLETED",
          "BACKLOG_COMPLETED",
          "RESYNC_STARTED");

  /**
   * Reads a file.
   *
   * @throws CycleFormatException if it is no completed file
   */
  static CompletedCycle read(TargetFiles files, String path) throws IOException {
    Summary.Table table = Summary.read(files, path);
    if (!table.columns().equals(COLUMNS)) {
      throw new CycleFormatException(
          path, "its columns are " + table.columns() + " instead of " + COLUMNS);
    }
    if (table.lines().size() != 1) {
      throw new CycleFormatException(
          path, "it has " + table.lines().size() + " lines behind its header instead of one");
    }
    Map<String, String> line = table.lines().get(0);
    String name = Summary.value(line, "cycle_name");
    String reason = Summary.value(line, "reason");
    if (!REASONS.contains(reason)) {
      throw new CycleFormatException(path, "'" + reason + "' is no reason for the end of a cycle");
    }
    return new CompletedCycle(
        path,
        CycleId.ofName(name)
            .orElseThrow(
                () -> new CycleFormatException(path, "'" + name + "' is no name of a cycle")),
        time(path, line, "start_time"),
        time(path, line, "end_time"),
        current(path, Summary.value(line, "current_sequence")),
        Summary.value(line, "contents_path"),
        reason);
  }

  private static Instant time(String path, Map<String, String> line, String column)
      throws CycleFormatException {
    String text = Summary.value(line, column);
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new CycleFormatException(path, "its " + column + " '" + text + "' is no time", e);
    }
  }

  private static RowSequence current(String path, String text) throws CycleFormatException {
    RowSequence sequence =
        RowSequence.parse(text)
            .filter(s -> !s.prefixed())
            .orElseThrow(
                () ->
                    new CycleFormatException(
                        path, "its current_sequence '" + text + "' has not 32 digits"));
    return sequence;
  }
}
