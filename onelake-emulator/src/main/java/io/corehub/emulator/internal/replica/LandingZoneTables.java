package io.corehub.emulator.internal.replica;

import io.corehub.emulator.internal.store.Entry;
import io.corehub.emulator.internal.store.FileStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one landing zone. A folder below it is a table, a folder called {@code x.schema}
 * holds tables, a name that begins with an underscore is nobody's business.
 *
 * <p>Confined to one caller at a time.
 */
public final class LandingZoneTables {
  private static final String SCHEMA = ".schema";

  private final FileStore store;
  private final String path;
  private final Map<String, TableFolder> folders = new TreeMap<>();

  /**
   * @param path of the landing zone in the store; empty for the store's root
   */
  public LandingZoneTables(FileStore store, String path) {
    this.store = store;
    this.path = path;
  }

  /** Applies everything that is there and returns the tables that have begun, by name. */
  public List<ReplicaTable> applyAll() throws IOException {
    advance((folder, file) -> {});
    return tables();
  }

  /** The tables that have begun. */
  List<ReplicaTable> tables() {
    return folders.values().stream().filter(TableFolder::started).map(TableFolder::table).toList();
  }

  /** Drops tables whose folder is gone or new, and lets each table take its next files. */
  void advance(TableFolder.Applied listener) throws IOException {
    Map<String, TableFolder> present = new TreeMap<>();
    for (Entry folder : directories(path)) {
      if (folder.name().endsWith(SCHEMA) && folder.name().length() > SCHEMA.length()) {
        String schema = folder.name().substring(0, folder.name().length() - SCHEMA.length());
        for (Entry inner : directories(folder.path())) {
          keepOrAdd(inner, new TableName(schema, inner.name()), present);
        }
      } else {
        keepOrAdd(folder, new TableName("", folder.name()), present);
      }
    }
    folders.clear();
    folders.putAll(present);
    @Nullable IOException failure = null;
    for (TableFolder folder : present.values()) {
      try {
        folder.advance(listener);
      } catch (IOException e) {
        // One table's trouble must not keep the others waiting.
        if (failure == null) {
          failure = new IOException("Not every table could be brought up to date", e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void keepOrAdd(Entry folder, TableName name, Map<String, TableFolder> present) {
    TableFolder known = folders.get(folder.path());
    boolean same = known != null && known.etag().equals(folder.etag());
    present.put(
        folder.path(), known != null && same ? known : new TableFolder(store, folder, name));
  }

  private List<Entry> directories(String directory) throws IOException {
    List<Entry> directories = new ArrayList<>();
    for (Entry entry : store.children(directory)) {
      if (entry.directory() && !entry.name().startsWith("_")) {
        directories.add(entry);
      }
    }
    return directories;
  }
}
