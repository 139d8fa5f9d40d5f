package io.corehub.emulator;

import io.corehub.emulator.internal.replica.LandingZoneTables;
import io.corehub.emulator.internal.replica.ReplicaTable;
import io.corehub.emulator.internal.store.DirectoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The tables of a mirrored database, worked out from the files of its landing zone: all of them are
 * applied in order, those that were moved to a clean-up folder included. Nothing on disk is
 * changed.
 *
 * <p>Immutable.
 */
public final class MirroredTables {
  private final List<MirroredTable> tables;

  private MirroredTables(List<MirroredTable> tables) {
    this.tables = List.copyOf(tables);
  }

  /**
   * Reads every landing zone below a directory: each {@code Files/LandingZone} however deep, or the
   * directory itself when there is none below.
   *
   * @throws IOException when the directory is missing, cannot be read, holds no landing zone, or
   *     two with a table of the same name
   */
  public static MirroredTables below(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      throw new NoSuchFileException(directory.toString(), null, "there is no such directory");
    }
    if (!Files.isDirectory(directory)) {
      throw new NotDirectoryException(directory + " is not a directory");
    }
    Map<String, MirroredTable> byName = new LinkedHashMap<>();
    for (Path landingZone : landingZones(directory)) {
      LandingZoneTables found = new LandingZoneTables(DirectoryStore.readOnly(landingZone), "");
      for (ReplicaTable table : found.applyAll()) {
        MirroredTable mirrored = new MirroredTable(table);
        if (byName.put(mirrored.name(), mirrored) != null) {
          throw new IOException(
              "Two landing zones below "
                  + directory
                  + " hold a table "
                  + mirrored.name()
                  + "; name the folder of one of them");
        }
      }
    }
    return new MirroredTables(sorted(byName.values()));
  }

  static MirroredTables of(List<ReplicaTable> replicas) {
    return new MirroredTables(sorted(replicas.stream().map(MirroredTable::new).toList()));
  }

  /** All tables, ordered by name. */
  public List<MirroredTable> all() {
    return tables;
  }

  /** The table of a name as change-stream files write it. */
  public Optional<MirroredTable> find(String name) {
    return tables.stream().filter(table -> table.name().equals(name)).findFirst();
  }

  private static List<MirroredTable> sorted(java.util.Collection<MirroredTable> tables) {
    return tables.stream().sorted(Comparator.comparing(MirroredTable::name)).toList();
  }

  private static List<Path> landingZones(Path directory) throws IOException {
    List<Path> found = LandingZoneFolders.below(directory);
    if (!found.get(0).endsWith(LandingZoneFolders.PATH) && !looksLikeLandingZone(found.get(0))) {
      throw new IOException(
          "No landing zone lies in "
              + found.get(0)
              + ". Name an emulator's directory that uses the directory backend, or a folder with table"
              + " folders in it.");
    }
    return found;
  }

  /** Whether something that only a landing zone has lies where a landing zone has it. */
  private static boolean looksLikeLandingZone(Path directory) throws IOException {
    int tableInSchema = 3;
    try (Stream<Path> files = Files.walk(directory, tableInSchema)) {
      return files
          .map(file -> file.getFileName().toString())
          .anyMatch(
              name ->
                  name.equals("_metadata.json")
                      || name.equals("_partnerEvents.json")
                      || name.equals("LandingZone")
                      || name.matches("\\d{20}\\.parquet"));
    }
  }
}
