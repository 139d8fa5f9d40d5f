package io.corehub.fabric.mirroring;

import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.PathEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds every folder of a landing zone that can be a table's, whoever writes it. Pure. */
final class TableFolders {

  private static final String SCHEMA_SUFFIX = ".schema";

  private TableFolders() {}

  /**
   * Lists the folders. Requests are single attempts.
   *
   * @param root path of the landing zone, prefix included
   * @param known tables whose folders are to be there
   * @return path of each table's folder
   */
  static Map<TableId, String> find(DfsClient client, String root, List<TableId> known)
      throws InterruptedException {
    Map<TableId, String> folders = new LinkedHashMap<>();
    for (PathEntry entry : below(client, root)) {
      if (entry.name().endsWith(SCHEMA_SUFFIX)) {
        String schema = entry.name().substring(0, entry.name().length() - SCHEMA_SUFFIX.length());
        for (PathEntry inside : below(client, entry.path())) {
          if (!schema.isEmpty()) {
            folders.put(TableId.of(schema, inside.name()), inside.path());
          }
        }
      } else {
        folders.put(TableId.of(entry.name()), entry.path());
      }
    }
    for (TableId table : known) {
      folders.computeIfAbsent(table, missing -> root + "/" + FileSchema.folderOf(missing));
    }
    return folders;
  }

  private static List<PathEntry> below(DfsClient client, String parent)
      throws InterruptedException {
    List<PathEntry> found = new ArrayList<>();
    try {
      client.list(
          parent,
          false,
          entry -> {
            if (entry.directory() && !entry.name().startsWith("_")) {
              found.add(entry);
            }
          });
    } catch (DfsException e) {
      if (e.kind() != DfsException.Kind.NOT_FOUND) {
        throw e;
      }
    }
    return found;
  }
}
