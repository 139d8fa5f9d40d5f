package io.corehub.fabric.mirroring;

import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.memory.InMemoryFileSystem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What Fabric does with the tables of a landing zone in memory, or does not. */
final class MemoryFabric {

  /** The promise that is broken, and the probe that must say so. */
  enum Lie {
    REFUSES_UNKNOWN_ENTRIES(FabricProbe.TAKES_CHAIN_ENTRY),
    REFUSES_ZERO_ROWS(FabricProbe.TAKES_ZERO_ROWS),
    READS_UPLOADS(FabricProbe.SKIPS_UPLOADS),
    CLEANS_UP_AT_ONCE(FabricProbe.WAITS_WITH_CLEAN_UP),
    CLEANS_UP_ALL(FabricProbe.KEEPS_LAST_FILE),
    READS_A_NUMBER_AGAIN(FabricProbe.READS_NUMBER_ONCE),
    STOPS_AT_A_NUMBER_AGAIN(FabricProbe.READS_NUMBER_ONCE),
    REFUSES_COLUMN_NAMES(FabricProbe.TAKES_COLUMN_NAMES),
    REFUSES_WIDE_TABLES(FabricProbe.TAKES_WIDE_TABLES),
    REFUSES_NULL_KEYS(FabricProbe.TAKES_NULL_KEYS);

    final FabricProbe found;

    Lie(FabricProbe found) {
      this.found = found;
    }
  }

  private static final Duration LEFT_IN_PLACE = Duration.ofSeconds(12);

  private final DfsClient client;
  private final Set<Lie> lies;
  private final Map<String, Table> tables = new TreeMap<>();
  private boolean counts = true;

  /** What became of one table. */
  private static final class Table {
    private final Map<String, Long> appearedAt = new HashMap<>();
    private final Set<String> read = new HashSet<>();
    private long rows;
    private long next = 1;
    private String error = "";
  }

  MemoryFabric(InMemoryFileSystem fileSystem, Set<Lie> lies) {
    this.client = fileSystem.client();
    this.lies = lies;
  }

  /** Tells no numbers of rows. */
  MemoryFabric withoutCounts() {
    counts = false;
    return this;
  }

  void look(long nanos) throws InterruptedException {
    List<PathEntry> folders = new ArrayList<>();
    client.list(AgentRun.ROOT, false, folders::add);
    for (PathEntry folder : folders) {
      if (folder.directory()) {
        table(tables.computeIfAbsent(folder.name(), name -> new Table()), folder.path(), nanos);
      }
    }
    write("replicator.json", "{\"status\":\"Running\"}");
    List<String> lines = new ArrayList<>();
    tables.forEach(
        (name, table) -> {
          if (table.next > 1 || !table.error.isEmpty()) {
            lines.add(line(name, table));
          }
        });
    write("tables.json", "{\"tables\":[" + String.join(",", lines) + "]}");
  }

  private String line(String name, Table table) {
    return "{\"sourceTableName\":\""
        + name
        + "\",\"sourceSchemaName\":\"\",\"status\":\""
        + (table.error.isEmpty() ? "Replicating" : "Failed")
        + "\",\"errorCode\":\""
        + table.error
        + "\",\"metrics\":{"
        + (counts ? "\"processedRowCount\":" + table.rows + "," : "")
        + "\"lastSyncTimeUtc\":\"2026-01-01T00:00:00\"}}";
  }

  private void table(Table table, String folder, long nanos) throws InterruptedException {
    List<PathEntry> files = new ArrayList<>();
    client.list(folder, false, files::add);
    Map<String, PathEntry> numbered = new HashMap<>();
    boolean keyed = false;
    for (PathEntry file : files) {
      keyed |= file.name().equals(FileName.METADATA);
      if (FileName.isNumbered(file.name())) {
        table.appearedAt.putIfAbsent(file.name(), nanos);
        numbered.put(file.name(), file);
      } else if (FileName.isTemporary(file.name())
          && file.length() > 0
          && lies.contains(Lie.READS_UPLOADS)
          && parquet(file)
          && table.read.add(file.etag())) {
        table.rows += rowsOf(file);
      }
    }
    PathEntry file = numbered.get(FileName.numbered(table.next));
    while (table.error.isEmpty() && file != null) {
      take(table, file, keyed);
      file = numbered.get(FileName.numbered(table.next));
    }
    PathEntry again = numbered.get(FileName.numbered(1));
    if (table.next > 2 && again != null && !table.read.contains(again.etag())) {
      table.rows += lies.contains(Lie.READS_A_NUMBER_AGAIN) ? rowsOf(again) : 0;
      table.error = lies.contains(Lie.STOPS_AT_A_NUMBER_AGAIN) ? "DuplicateNumber" : table.error;
      table.read.add(again.etag());
    }
    cleanUp(table, folder, numbered, nanos);
  }

  private boolean parquet(PathEntry file) throws InterruptedException {
    byte[] end = client.read(file.path(), file.length() - 4, 4);
    return new String(end, StandardCharsets.US_ASCII).equals("PAR1");
  }

  private void take(Table table, PathEntry file, boolean keyed) throws InterruptedException {
    FooterChain footer = footerOf(file);
    long count = footer.chain().rows();
    if (lies.contains(Lie.REFUSES_UNKNOWN_ENTRIES)) {
      table.error = "UnknownFooterEntry";
    } else if (lies.contains(Lie.REFUSES_ZERO_ROWS) && count == 0) {
      table.error = "EmptyFile";
    } else if (lies.contains(Lie.REFUSES_COLUMN_NAMES)
        && footer.columns().keySet().stream().anyMatch(name -> !name.matches("\\w{1,100}"))) {
      table.error = "InvalidColumnName";
    } else if (lies.contains(Lie.REFUSES_WIDE_TABLES) && footer.columns().size() > 1_000) {
      table.error = "TooManyColumns";
    } else if (lies.contains(Lie.REFUSES_NULL_KEYS) && keyed) {
      table.error = "NullKey";
    } else {
      table.rows += count;
      table.read.add(file.etag());
      table.next++;
    }
  }

  private void cleanUp(Table table, String folder, Map<String, PathEntry> numbered, long nanos)
      throws InterruptedException {
    Duration left = lies.contains(Lie.CLEANS_UP_AT_ONCE) ? Duration.ZERO : LEFT_IN_PLACE;
    long upTo = lies.contains(Lie.CLEANS_UP_ALL) ? table.next : table.next - 1;
    for (long seq = 1; seq < upTo; seq++) {
      PathEntry file = numbered.get(FileName.numbered(seq));
      String to = folder + "/_ProcessedFiles/" + FileName.numbered(seq);
      if (file != null
          && nanos - table.appearedAt.get(file.name()) >= left.toNanos()
          && client.head(to).isEmpty()) {
        client.createDirectory(folder + "/_ProcessedFiles");
        client.renameIfAbsent(file.path(), to);
      }
    }
  }

  private long rowsOf(PathEntry file) throws InterruptedException {
    return footerOf(file).chain().rows();
  }

  private FooterChain footerOf(PathEntry file) throws InterruptedException {
    try {
      return FooterChain.read(client, file.path(), file.length());
    } catch (FooterChain.ForeignFileException e) {
      throw new AssertionError(e);
    }
  }

  private void write(String name, String json) throws InterruptedException {
    String path = "Files/Monitoring/" + name;
    client.create(path, false);
    client.append(
        path,
        0,
        ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8)),
        AppendMode.APPEND_FLUSH_CLOSE);
  }
}
