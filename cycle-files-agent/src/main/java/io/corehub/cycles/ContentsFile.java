package io.corehub.cycles;

import io.corehub.agent.table.TableId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The file that lists what a cycle holds: one line for each table that has rows in it, in the order
 * of their names. A table with rows of two schema versions, or every table when {@code
 * listIndividualFiles} is on, has one line for each file. Pure.
 */
final class ContentsFile {

  private static final Comparator<DataFileFacts> ORDER =
      Comparator.comparing((DataFileFacts file) -> file.table().toString())
          .thenComparingInt(DataFileFacts::part);

  private ContentsFile() {}

  /**
   * The file.
   *
   * @param cycle the cycle
   * @param files its data files, in any order
   * @param layout names and schema paths
   * @param style how paths are written
   * @param combined whether the job is a combined one, whose lines have three counts more
   * @param listIndividualFiles whether each file has a line
   */
  static byte[] bytes(
      CycleName cycle,
      List<DataFileFacts> files,
      CycleLayout layout,
      PathStyle style,
      boolean combined,
      boolean listIndividualFiles) {
    Map<TableId, List<DataFileFacts>> byTable = new HashMap<>();
    files.stream()
        .sorted(ORDER)
        .forEach(file -> byTable.computeIfAbsent(file.table(), t -> new ArrayList<>()).add(file));
    List<List<DataFileFacts>> tables = new ArrayList<>(byTable.values());
    tables.sort(
        Comparator.comparing(
                (List<DataFileFacts> table) -> layout.contentsName(table.get(0).table()))
            .thenComparing(table -> table.get(0).table()));
    List<List<String>> lines = new ArrayList<>();
    for (List<DataFileFacts> table : tables) {
      if (listIndividualFiles || !layout.dataCycleFolders() || severalVersions(table)) {
        for (DataFileFacts file : table) {
          lines.add(line(cycle, List.of(file), file.path(), layout, style, combined));
        }
      } else {
        lines.add(line(cycle, table, table.get(0).folder(), layout, style, combined));
      }
    }
    return SummaryCsv.bytes(columns(combined), lines);
  }

  private static boolean severalVersions(List<DataFileFacts> table) {
    Set<Integer> versions = new HashSet<>();
    table.forEach(file -> versions.add(file.schemaVersion()));
    return versions.size() > 1;
  }

  private static List<String> columns(boolean combined) {
    List<String> columns =
        new ArrayList<>(
            List.of(
                "table_name",
                "cycle_name",
                "cycle_path",
                "start_sequence",
                "end_sequence",
                "inserts",
                "updates",
                "deletes"));
    if (combined) {
      columns.addAll(List.of("truncates", "initial_load_inserts", "initial_load_deletes"));
    }
    columns.addAll(List.of("schema_version", "schema_path"));
    return columns;
  }

  private static List<String> line(
      CycleName cycle,
      List<DataFileFacts> files,
      String path,
      CycleLayout layout,
      PathStyle style,
      boolean combined) {
    DataFileFacts first = files.get(0);
    RowCounts counts =
        files.stream().map(DataFileFacts::counts).reduce(RowCounts.NONE, RowCounts::plus);
    List<String> values =
        new ArrayList<>(
            List.of(
                layout.contentsName(first.table()),
                cycle.toString(),
                style.of(path),
                first.firstSequence(),
                files.get(files.size() - 1).lastSequence(),
                Long.toString(counts.inserts()),
                Long.toString(counts.updates()),
                Long.toString(counts.deletes())));
    if (combined) {
      values.add(Long.toString(counts.truncates()));
      values.add(Long.toString(counts.loadInserts()));
      values.add(Long.toString(counts.loadDeletes()));
    }
    values.add(Integer.toString(first.schemaVersion()));
    values.add(style.of(layout.schemaPath(first.table(), first.schemaVersion())));
    return values;
  }
}
