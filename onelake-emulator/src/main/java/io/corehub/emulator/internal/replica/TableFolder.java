package io.corehub.emulator.internal.replica;

import io.corehub.emulator.internal.replica.ReplicaTable.Problem;
import io.corehub.emulator.internal.store.Entry;
import io.corehub.emulator.internal.store.FileStore;
import io.corehub.emulator.internal.store.ReadableFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one table in a landing zone: decides which file is next and applies it.
 *
 * <p>Files that were applied before this object existed are found in the clean-up folders and
 * applied again; that is how a restarted emulator gets its tables back. A file or metadata that
 * failed is tried again once it was replaced.
 *
 * <p>Confined to one caller at a time.
 */
final class TableFolder {
  static final String PROCESSED = "_FilesReadyToDelete";

  private static final List<String> CLEAN_UP_FOLDERS = List.of("_ProcessedFiles", PROCESSED);
  private static final String METADATA = "_metadata.json";
  private static final String PARQUET = ".parquet";
  private static final int ATTEMPTS = 5;

  /** Told when a file was applied. */
  interface Applied {
    /**
     * A file was applied.
     *
     * @param previous the file applied before it
     */
    void applied(TableFolder folder, Optional<Entry> previous) throws IOException;
  }

  private final FileStore store;
  private final String path;
  private final String etag;
  private final ReplicaTable table;
  private final Set<String> seen = new HashSet<>();
  private Optional<Entry> last = Optional.empty();
  private BigInteger next = BigInteger.ONE;
  private Optional<Map<String, Entry>> history = Optional.empty();
  private String metadataEtag = "";
  private Optional<Problem> metadataProblem = Optional.empty();
  private Optional<Problem> fileProblem = Optional.empty();
  private String failedEtag = "";

  TableFolder(FileStore store, Entry folder, TableName name) {
    this.store = store;
    this.path = folder.path();
    this.etag = folder.etag();
    this.table = new ReplicaTable(name);
  }

  ReplicaTable table() {
    return table;
  }

  String path() {
    return path;
  }

  /** Of the folder; a folder that was deleted and made again has another one. */
  String etag() {
    return etag;
  }

  /** Whether the mirrored database knows the table already. */
  boolean started() {
    return table.files() > 0 || table.problem().isPresent();
  }

  /** Applies the files that are next until there is none or the table stands still. */
  void advance(Applied listener) throws IOException {
    Map<String, Entry> present = files(path);
    if (!takeMetadata(present.get(METADATA))) {
      return;
    }
    int attempts = 0;
    Optional<Entry> file = nextFile(present);
    while (file.isPresent() && !file.get().etag().equals(failedEtag)) {
      try {
        if (!apply(file.get())) {
          return;
        }
        listener.applied(this, last);
        last = file;
        attempts = 0;
      } catch (NoSuchFileException e) {
        // It was moved or deleted since the listing: look again, but not for ever.
        if (++attempts == ATTEMPTS) {
          throw e;
        }
        present = files(path);
        history = Optional.empty();
      }
      file = nextFile(present);
    }
  }

  /** Whether files may be applied. */
  private boolean takeMetadata(@Nullable Entry entry) throws IOException {
    if (entry != null && !entry.etag().equals(metadataEtag)) {
      metadataEtag = entry.etag();
      // What was missing for the last file may be declared now.
      failedEtag = "";
      try {
        table.declare(TableMetadata.parse(store.read(entry.path())));
        metadataProblem = Optional.empty();
      } catch (TableFailedException e) {
        metadataProblem = Optional.of(new Problem(e.code(), METADATA + ": " + e.getMessage()));
      } catch (NoSuchFileException e) {
        // Deleted since the listing: the next look finds the folder without it.
        metadataEtag = "";
      }
      table.problem(metadataProblem.or(() -> fileProblem));
    }
    return metadataProblem.isEmpty();
  }

  private boolean apply(Entry entry) throws IOException {
    try (ReadableFile content = store.open(entry.path())) {
      table.apply(content);
    } catch (TableFailedException e) {
      failedEtag = entry.etag();
      fileProblem = Optional.of(new Problem(e.code(), entry.name() + ": " + e.getMessage()));
      table.problem(fileProblem);
      return false;
    }
    failedEtag = "";
    fileProblem = Optional.empty();
    table.problem(fileProblem);
    seen.add(entry.name());
    next = next.add(BigInteger.ONE);
    return true;
  }

  private Optional<Entry> nextFile(Map<String, Entry> present) throws IOException {
    if (table.byLastUpdate()) {
      List<Entry> waiting = new ArrayList<>();
      Map<String, Entry> all = new HashMap<>(history());
      all.putAll(present);
      for (Entry entry : all.values()) {
        String name = entry.name();
        if (name.endsWith(PARQUET) && !name.startsWith("_") && !seen.contains(name)) {
          waiting.add(entry);
        }
      }
      return waiting.stream()
          .min(Comparator.comparing(Entry::lastModified).thenComparing(Entry::name));
    }
    String number = next.toString();
    String name = "0".repeat(Math.max(0, 20 - number.length())) + number + PARQUET;
    Optional<Entry> landed = Optional.ofNullable(present.get(name));
    return landed.isPresent() ? landed : Optional.ofNullable(history().get(name));
  }

  /** Files that were processed before this object existed, listed once. */
  private Map<String, Entry> history() throws IOException {
    if (history.isEmpty()) {
      Map<String, Entry> processed = new HashMap<>();
      for (String folder : CLEAN_UP_FOLDERS) {
        processed.putAll(files(path + "/" + folder));
      }
      history = Optional.of(processed);
    }
    return history.get();
  }

  private Map<String, Entry> files(String directory) throws IOException {
    Map<String, Entry> files = new HashMap<>();
    for (Entry entry : store.children(directory)) {
      if (!entry.directory()) {
        files.put(entry.name(), entry);
      }
    }
    return files;
  }
}
