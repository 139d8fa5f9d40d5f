package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the rows of completed cycles as a consumer should: the completed file says that a cycle is
 * there, its contents file names the data files, and nothing else is looked at. Confined to one
 * caller at a time; a writer may go on meanwhile.
 *
 * <p>Holds one row, or one row group of a Parquet file, at a time.
 */
public final class CycleReader {

  private final TargetFiles files;
  private final CycleDirectories directories;

  /** Takes rows. */
  @FunctionalInterface
  public interface RowConsumer {
    /**
     * Takes the next row.
     *
     * @param row the row
     * @throws IOException if it cannot be taken, which ends the reading
     */
    void row(CycleRow row) throws IOException;
  }

  /**
   * A reader of a job.
   *
   * @param files the connection folder
   * @param directories where the job's files lie
   */
  public CycleReader(TargetFiles files, CycleDirectories directories) {
    this.files = files;
    this.directories = directories;
  }

  /**
   * Whether a text is the name of a cycle.
   *
   * @param name such as {@code 2026-11-29-10-00-05}, with or without {@code dt=}
   * @return its name without {@code dt=}; empty if it is none
   */
  public static Optional<String> cycleName(String name) {
    return CycleId.ofFolder(name).map(CycleId::name);
  }

  /**
   * The completed cycles.
   *
   * @return their names in order
   * @throws IOException if the files cannot be read
   */
  public List<String> cycles() throws IOException {
    return CycleIndex.of(files, directories.completed(), "Cycle-").files().keySet().stream()
        .map(CycleId::name)
        .toList();
  }

  /**
   * Reads cycles in order, in each the tables in the order of their names, of each table the rows
   * in the order of their sequences.
   *
   * @param after only cycles behind the one of this name; empty for all
   * @param consumer takes the rows
   * @throws CycleFormatException if a file is not what it should be
   * @throws IOException if the files cannot be read, or the consumer fails
   */
  public void read(Optional<String> after, RowConsumer consumer) throws IOException {
    CycleIndex completed = CycleIndex.of(files, directories.completed(), "Cycle-");
    for (Map.Entry<CycleId, List<TargetFile>> entry : completed.files().entrySet()) {
      if (after.filter(name -> entry.getKey().name().compareTo(name) <= 0).isEmpty()) {
        read(entry.getKey(), entry.getValue().get(0), consumer);
      }
    }
  }

  private void read(CycleId cycle, TargetFile completedFile, RowConsumer consumer)
      throws IOException {
    CompletedCycle completed = CompletedCycle.read(files, completedFile.path());
    String expected = contentsPath(completedFile, cycle);
    CyclePaths paths = CyclePaths.of(completed.contentsPath(), expected).orElse(new CyclePaths(""));
    CycleContents contents =
        CycleContents.read(files, real(paths, completedFile.path(), completed.contentsPath()));
    List<CycleContents.Line> lines = new ArrayList<>(contents.lines());
    lines.sort(
        Comparator.comparing(CycleContents.Line::table).thenComparing(CycleContents.Line::start));
    Map<String, Optional<SchemaDoc>> schemas = new HashMap<>();
    for (CycleContents.Line line : lines) {
      String path = real(paths, contents.path(), line.cyclePath());
      LineFiles data = LineFiles.of(files, cycle, line.table(), path);
      if (data.files().isEmpty()) {
        throw new CycleFormatException(
            contents.path(), "it names " + path + ", where no data file of the table lies");
      }
      Optional<SchemaDoc> schema = schema(paths, line, schemas);
      for (TargetFile file : data.files()) {
        rows(cycle, line, file, schema, consumer);
      }
    }
  }

  private static String real(CyclePaths paths, String from, String written)
      throws CycleFormatException {
    return paths
        .real(written)
        .orElseThrow(
            () ->
                new CycleFormatException(
                    from, "its path '" + written + "' leads out of the connection folder"));
  }

  /** Where the contents file of a cycle lies, beside its completed file's folder. */
  private String contentsPath(TargetFile completed, CycleId cycle) {
    String folder = Folder.parent(completed.path()).substring(directories.completed().length());
    return directories.contents() + folder + "/Cycle-contents-" + cycle.digits() + ".csv";
  }

  private Optional<SchemaDoc> schema(
      CyclePaths paths, CycleContents.Line line, Map<String, Optional<SchemaDoc>> known)
      throws IOException {
    Optional<String> path = paths.real(line.schemaPath());
    if (path.isEmpty()) {
      return Optional.empty();
    }
    Optional<SchemaDoc> schema = known.get(path.get());
    if (schema == null) {
      // A Parquet job names a schema file that need not be there.
      schema =
          Folder.file(files, path.get()).isPresent()
              ? Optional.of(SchemaDoc.read(files, path.get()))
              : Optional.empty();
      known.put(path.get(), schema);
    }
    return schema;
  }

  private void rows(
      CycleId cycle,
      CycleContents.Line line,
      TargetFile file,
      Optional<SchemaDoc> schema,
      RowConsumer consumer)
      throws IOException {
    try (DataRows rows = DataRows.open(files, file, schema)) {
      while (rows.next()) {
        String operation = rows.operation();
        consumer.row(
            new CycleRow(
                cycle.name(),
                line.table(),
                operation,
                rows.sequence(),
                line.schemaVersion(),
                operation.equals("T") ? Optional.empty() : Optional.of(rows.row()),
                operation.equals("U") ? Optional.of(rows.before()) : Optional.empty()));
      }
    } catch (DataRows.ColumnsException e) {
      throw new CycleFormatException(file.path(), String.valueOf(e.getMessage()), e);
    }
  }
}
