package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.cyclereader.CycleId.DataFileName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The data files that a line of a contents file names. Immutable.
 *
 * @param files in the order of their parts
 * @param others what else lies in the folder and a consumer would take for data
 */
record LineFiles(List<TargetFile> files, List<TargetFile> others) {

  private static final Comparator<TargetFile> PARTS =
      Comparator.comparingInt(
              (TargetFile file) ->
                  CycleId.ofDataFile(file.name()).map(DataFileName::part).orElse(0))
          .thenComparing(TargetFile::name);

  /**
   * Finds them.
   *
   * @param cycle the cycle
   * @param table name of the table in the contents file
   * @param path a folder or a file
   */
  static LineFiles of(TargetFiles target, CycleId cycle, String table, String path)
      throws IOException {
    if (CycleId.ofDataFile(Folder.name(path)).isPresent()) {
      Optional<TargetFile> file = Folder.file(target, path);
      return new LineFiles(file.map(List::of).orElse(List.of()), List.of());
    }
    List<TargetFile> files = new ArrayList<>();
    List<TargetFile> others = new ArrayList<>();
    for (TargetFile entry : Folder.list(target, path)) {
      Optional<DataFileName> name =
          entry.directory() ? Optional.empty() : CycleId.ofDataFile(entry.name());
      if (name.filter(n -> n.cycle().equals(cycle) && isOf(n.table(), table)).isPresent()) {
        files.add(entry);
      } else if (!entry.name().startsWith("_")) {
        others.add(entry);
      }
    }
    files.sort(PARTS);
    return new LineFiles(List.copyOf(files), List.copyOf(others));
  }

  /** Whether a segment is that of a table, which a contents file may name with its schema. */
  private static boolean isOf(String segment, String table) {
    boolean of = segment.equals(SegmentText.of(table));
    for (int dot = table.indexOf('.'); !of && dot >= 0; dot = table.indexOf('.', dot + 1)) {
      of = dot + 1 < table.length() && segment.equals(SegmentText.of(table.substring(dot + 1)));
    }
    return of;
  }
}
