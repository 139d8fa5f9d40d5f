package io.corehub.cycles;

import io.corehub.agent.table.TableId;
import io.corehub.cycles.Manifest.Load;
import io.corehub.cycles.Manifest.TableState;
import io.corehub.storage.ObjectStore;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where tables stand when somebody removed the newest cycle's manifest: as the newest manifest that
 * is left has it, and the contents files behind that. Used once.
 */
final class TablesByContents {

  private static final int END_SEQUENCE = 4;

  /** Reads a whole file that must be there. */
  interface Reading {
    byte[] of(String path) throws InterruptedException;
  }

  private final ObjectStore store;
  private final CycleLayout layout;
  private final Reading reading;
  private final TreeMap<CycleName, String> contents = new TreeMap<>();
  private final TreeMap<CycleName, String> manifests = new TreeMap<>();
  private final Map<TableId, TableState> tables = new HashMap<>();

  TablesByContents(ObjectStore store, CycleLayout layout, Reading reading) {
    this.store = store;
    this.layout = layout;
    this.reading = reading;
  }

  /** Where they stand. */
  Map<TableId, TableState> tables() throws InterruptedException {
    TreeMap<CycleName, String> completed = new TreeMap<>();
    store.list(layout.completedRoot(), true, entry -> note(entry, completed));
    store.list(layout.contentsRoot(), true, entry -> note(entry, completed));
    manifests.keySet().retainAll(completed.keySet());
    contents.keySet().retainAll(completed.keySet());
    Map.Entry<CycleName, String> known = manifests.lastEntry();
    if (known != null) {
      tables.putAll(Manifest.parse(reading.of(known.getValue())).tables());
      contents.headMap(known.getKey(), true).clear();
    }
    for (String path : contents.values()) {
      take(new String(reading.of(path), StandardCharsets.UTF_8));
    }
    return tables;
  }

  /** Notes what an entry is; of the list itself nothing is wanted. */
  private boolean note(ObjectStore.Entry entry, Map<CycleName, String> completed) {
    if (!entry.folder()) {
      CycleFileName.of(entry.name())
          .ifPresent(
              name -> {
                if (name instanceof CycleFileName.Completed) {
                  completed.put(name.cycle(), entry.path());
                } else if (name instanceof CycleFileName.Contents) {
                  contents.put(name.cycle(), entry.path());
                } else if (name instanceof CycleFileName.Manifest) {
                  manifests.put(name.cycle(), entry.path());
                }
              });
    }
    return false;
  }

  private void take(String file) {
    file.lines()
        .skip(1)
        .forEach(
            line -> {
              String[] cells = line.substring(1, Math.max(1, line.length() - 1)).split("\",\"", -1);
              if (cells.length > END_SEQUENCE) {
                Sequence end = Sequence.parse(cells[END_SEQUENCE]);
                TableId table = named(cells[0]);
                tables.put(table, after(tables.get(table), end, cells[cells.length - 2]));
              }
            });
  }

  private static TableState after(@Nullable TableState before, Sequence end, String version) {
    int number = Integer.parseInt(version);
    String hash = before != null && before.schemaVersion() == number ? before.schemaHash() : "";
    Phase phase = end.prefix().map(SequencePrefix::phase).orElse(Phase.CDC);
    // How far its load and the backlog of it came only a manifest tells: it is loaded anew.
    boolean loading = phase != Phase.CDC;
    return new TableState(
        end.prefix().map(SequencePrefix::incarnation).orElse(1),
        number,
        loading ? Phase.LOAD : Phase.CDC,
        hash,
        end.order(),
        loading
            ? Optional.of(new Load("", end.order(), Optional.empty(), false))
            : Optional.empty());
  }

  private TableId named(String name) {
    return tables.keySet().stream()
        .filter(table -> layout.contentsName(table).equals(name))
        .findFirst()
        .orElseGet(() -> TableId.of(name));
  }
}
