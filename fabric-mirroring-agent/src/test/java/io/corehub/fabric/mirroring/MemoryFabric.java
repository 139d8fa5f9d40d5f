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

/** What Fabric does with the one table of a landing zone in memory, or does not. */
final class MemoryFabric {

  /** The promise that is broken, and the probe that must say so. */
  enum Lie {
    REFUSES_UNKNOWN_ENTRIES(Probe.FABRIC_TAKES_CHAIN_ENTRY),
    REFUSES_ZERO_ROWS(Probe.FABRIC_TAKES_ZERO_ROWS),
    READS_UPLOADS(Probe.FABRIC_SKIPS_UPLOADS),
    CLEANS_UP_AT_ONCE(Probe.FABRIC_WAITS_WITH_CLEAN_UP),
    CLEANS_UP_ALL(Probe.FABRIC_KEEPS_LAST_FILE),
    READS_A_NUMBER_AGAIN(Probe.FABRIC_READS_NUMBER_ONCE),
    STOPS_AT_A_NUMBER_AGAIN(Probe.FABRIC_READS_NUMBER_ONCE);

    final Probe found;

    Lie(Probe found) {
      this.found = found;
    }
  }

  private static final Duration LEFT_IN_PLACE = Duration.ofSeconds(12);

  private final DfsClient client;
  private final Set<Lie> lies;
  private final Map<String, Long> appearedAt = new HashMap<>();
  private final Set<String> read = new HashSet<>();
  private String table = "";
  private boolean counts = true;
  private long rows;
  private long next = 1;
  private String error = "";

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
        table = folder.name();
        table(folder.path(), nanos);
      }
    }
    write("replicator.json", "{\"status\":\"Running\"}");
    write("tables.json", "{\"tables\":[" + (next == 1 && error.isEmpty() ? "" : line()) + "]}");
  }

  private String line() {
    return "{\"sourceTableName\":\""
        + table
        + "\",\"sourceSchemaName\":\"\",\"status\":\""
        + (error.isEmpty() ? "Replicating" : "Failed")
        + "\",\"errorCode\":\""
        + error
        + "\",\"metrics\":{"
        + (counts ? "\"processedRowCount\":" + rows + "," : "")
        + "\"lastSyncTimeUtc\":\"2026-01-01T00:00:00\"}}";
  }

  private void table(String folder, long nanos) throws InterruptedException {
    List<PathEntry> files = new ArrayList<>();
    client.list(folder, false, files::add);
    Map<String, PathEntry> numbered = new HashMap<>();
    for (PathEntry file : files) {
      if (FileName.isNumbered(file.name())) {
        appearedAt.putIfAbsent(file.name(), nanos);
        numbered.put(file.name(), file);
      } else if (FileName.isTemporary(file.name())
          && file.length() > 0
          && lies.contains(Lie.READS_UPLOADS)
          && parquet(file)
          && read.add(file.etag())) {
        rows += rowsOf(file);
      }
    }
    PathEntry file = numbered.get(FileName.numbered(next));
    while (error.isEmpty() && file != null) {
      take(file);
      file = numbered.get(FileName.numbered(next));
    }
    PathEntry again = numbered.get(FileName.numbered(1));
    if (next > 2 && again != null && !read.contains(again.etag())) {
      rows += lies.contains(Lie.READS_A_NUMBER_AGAIN) ? rowsOf(again) : 0;
      error = lies.contains(Lie.STOPS_AT_A_NUMBER_AGAIN) ? "DuplicateNumber" : error;
      read.add(again.etag());
    }
    cleanUp(folder, numbered, nanos);
  }

  private boolean parquet(PathEntry file) throws InterruptedException {
    byte[] end = client.read(file.path(), file.length() - 4, 4);
    return new String(end, StandardCharsets.US_ASCII).equals("PAR1");
  }

  private void take(PathEntry file) throws InterruptedException {
    long count = rowsOf(file);
    if (lies.contains(Lie.REFUSES_UNKNOWN_ENTRIES)) {
      error = "UnknownFooterEntry";
    } else if (lies.contains(Lie.REFUSES_ZERO_ROWS) && count == 0) {
      error = "EmptyFile";
    } else {
      rows += count;
      read.add(file.etag());
      next++;
    }
  }

  private void cleanUp(String folder, Map<String, PathEntry> numbered, long nanos)
      throws InterruptedException {
    Duration left = lies.contains(Lie.CLEANS_UP_AT_ONCE) ? Duration.ZERO : LEFT_IN_PLACE;
    for (long seq = 1; seq < (lies.contains(Lie.CLEANS_UP_ALL) ? next : next - 1); seq++) {
      PathEntry file = numbered.get(FileName.numbered(seq));
      String to = folder + "/_ProcessedFiles/" + FileName.numbered(seq);
      if (file != null
          && nanos - appearedAt.get(file.name()) >= left.toNanos()
          && client.head(to).isEmpty()) {
        client.createDirectory(folder + "/_ProcessedFiles");
        client.renameIfAbsent(file.path(), to);
      }
    }
  }

  private long rowsOf(PathEntry file) throws InterruptedException {
    try {
      return FooterChain.read(client, file.path(), file.length()).chain().rows();
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
