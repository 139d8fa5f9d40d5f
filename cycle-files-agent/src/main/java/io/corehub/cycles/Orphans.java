package io.corehub.cycles;

import io.corehub.agent.table.TableId;
import io.corehub.cycles.Manifest.TableState;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which files and folders of a job an earlier run left behind unfinished. Pure. */
final class Orphans {

  private Orphans() {}

  /**
   * What may be deleted.
   *
   * @param files what lies in the job's folders
   * @param layout where files lie
   * @param tables where each table stands after the newest completed cycle
   * @return paths in their order, none of them below another
   */
  static Set<String> of(JobFiles files, CycleLayout layout, Map<TableId, TableState> tables) {
    Set<String> orphans = new TreeSet<>(files.leftovers());
    addSchemas(orphans, files, layout, tables);
    addAvro(orphans, files, layout, tables);
    orphans.removeIf(path -> isBelowAny(path, Set.copyOf(orphans)));
    return orphans;
  }

  private static boolean isBelowAny(String path, Set<String> folders) {
    for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      if (folders.contains(path.substring(0, slash))) {
        return true;
      }
    }
    return false;
  }

  /** Schema files of versions that no completed cycle uses. */
  private static void addSchemas(
      Set<String> orphans, JobFiles files, CycleLayout layout, Map<TableId, TableState> tables) {
    Map<String, Integer> latest = new HashMap<>();
    tables.forEach(
        (table, state) -> latest.put(layout.schemaDirectory(table), state.schemaVersion()));
    for (JobFiles.SchemaOf schema : files.schemas()) {
      String directory = schema.folder().substring(0, schema.folder().lastIndexOf('/'));
      Integer version = latest.get(directory);
      boolean unused = version == null ? files.isOwn(schema.path()) : schema.version() > version;
      if (unused) {
        orphans.add(schema.path());
      }
    }
  }

  private static void addAvro(
      Set<String> orphans, JobFiles files, CycleLayout layout, Map<TableId, TableState> tables) {
    tables.forEach(
        (table, state) -> {
          for (int version = state.schemaVersion() + 1; ; version++) {
            String file = layout.avroFile(table, version).orElse("");
            if (!files.hasAvroFile(file)) {
              break;
            }
            orphans.add(file);
          }
        });
  }
}
