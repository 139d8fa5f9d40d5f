package io.corehub.emulator.internal.replica;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.emulator.internal.store.Entry;
import io.corehub.emulator.internal.store.FileStore;
import io.corehub.emulator.internal.store.PathLocks;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a mirrored database's landing zone again and again, as Fabric does: applies new files,
 * moves the ones before the last out of the way, and reports in {@code Files/Monitoring}.
 *
 * <p>Thread-safe; the work itself is done by one thread.
 */
public final class FabricReplicator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FabricReplicator.class);
  private static final String NO_TIME = "0001-01-01T00:00:00";

  private final FileStore store;
  private final PathLocks locks;
  private final Clock clock;
  private final String monitoring;
  private final LandingZoneTables tables;
  private final ReplicatorSwitch turned;
  private final Duration leftInPlace;
  private final Map<String, Instant> lastApplied = new HashMap<>();
  private final List<Processed> waiting = new ArrayList<>();
  private final Map<String, String> syncTimes = new HashMap<>();
  private final Map<String, String> written = new HashMap<>();
  private final ObjectMapper json = new ObjectMapper();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread worker = new Thread(work, "fabric-replicator");
            worker.setDaemon(true);
            return worker;
          });
  private volatile List<ReplicaTable> current = List.of();

  /**
   * @param item the mirrored database's path in the store
   * @param turned what to do
   * @param leftInPlace how long a file that was applied stays at least before it is moved away
   */
  public FabricReplicator(
      FileStore store,
      PathLocks locks,
      Clock clock,
      String item,
      ReplicatorSwitch turned,
      Duration leftInPlace) {
    this.turned = turned;
    this.leftInPlace = leftInPlace;
    this.store = store;
    this.locks = locks;
    this.clock = clock;
    this.monitoring = item + "/Files/Monitoring";
    this.tables = new LandingZoneTables(store, item + "/Files/LandingZone");
  }

  /** Begins to look every so often. */
  public void start(Duration interval) {
    // Never ends by an exception, so nothing is to be had from the future.
    Future<?> unused =
        thread.scheduleWithFixedDelay(
            this::lookSafely, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Looks now and returns when everything that lies there was applied. */
  public void lookNow() throws IOException, InterruptedException {
    try {
      thread
          .submit(
              () -> {
                look();
                return true;
              })
          .get();
    } catch (ExecutionException e) {
      throw new IOException("The replicator failed: " + e.getCause(), e);
    }
  }

  /** The tables as of the last look. */
  public List<ReplicaTable> tables() {
    return current;
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
        LOG.warn("The replicator is still busy with a file; it ends with the process");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lookSafely() {
    try {
      look();
    } catch (IOException | RuntimeException e) {
      if (!thread.isShutdown()) {
        LOG.warn("The replicator could not look at the landing zone; it tries again", e);
      }
    }
  }

  private void look() throws IOException {
    ReplicatorSwitch.Mode mode = turned.mode();
    if (mode == ReplicatorSwitch.Mode.HUNG) {
      return;
    }
    if (mode == ReplicatorSwitch.Mode.RUNNING) {
      tables.advance(this::applied);
      cleanUp(clock.instant());
      current = tables.tables();
    }
    report(mode);
  }

  /** A file that is to be moved away at a time. */
  private record Processed(TableFolder folder, Entry file, Instant due) {}

  private void applied(TableFolder folder, Optional<Entry> previous) throws IOException {
    Instant now = clock.instant();
    syncTimes.put(folder.table().name().text(), now.truncatedTo(ChronoUnit.MICROS).toString());
    Instant before = lastApplied.put(folder.path() + folder.etag(), now);
    if (previous.isPresent()) {
      waiting.add(
          new Processed(folder, previous.get(), (before == null ? now : before).plus(leftInPlace)));
      cleanUp(now);
    }
  }

  private void cleanUp(Instant now) throws IOException {
    for (Processed processed : List.copyOf(waiting)) {
      if (!processed.due().isAfter(now)) {
        moveAway(processed.folder(), processed.file());
        waiting.remove(processed);
      }
    }
  }

  private void moveAway(TableFolder folder, Entry before) throws IOException {
    if (!before.path().equals(folder.path() + "/" + before.name())) {
      return;
    }
    String processed = folder.path() + "/" + TableFolder.PROCESSED;
    String target = processed + "/" + before.name();
    locks.onFiles(
        before.path(),
        target,
        () -> {
          // Never bring back a folder that was deleted in the meantime.
          Optional<Entry> now = store.find(folder.path());
          boolean same = now.isPresent() && now.get().etag().equals(folder.etag());
          if (same && store.find(before.path()).isPresent()) {
            store.createDirectories(processed);
            store.move(before.path(), target);
          }
          return same;
        });
  }

  private void report(ReplicatorSwitch.Mode mode) throws IOException {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (ReplicaTable table : current) {
      lines.add(describe(table));
    }
    write("tables.json", Map.of("tables", lines));
    Map<String, Object> replicator = new LinkedHashMap<>();
    replicator.put(
        "status",
        switch (mode) {
          case RUNNING, HUNG -> "Running";
          case STOPPED -> "Stopped";
          case PAUSED -> "Paused";
        });
    replicator.put("errorCode", "");
    replicator.put("errorMessage", "");
    write("replicator.json", replicator);
  }

  private Map<String, Object> describe(ReplicaTable table) {
    TableName name = table.name();
    Optional<ReplicaTable.Problem> problem = table.problem();
    Map<String, Object> metrics = new LinkedHashMap<>();
    metrics.put("processedRowCount", table.operations());
    metrics.put("processedByte", table.bytes());
    metrics.put("lastSourceCommitTimeUtc", NO_TIME);
    metrics.put("lastSyncTimeUtc", syncTimes.getOrDefault(name.text(), NO_TIME));
    Map<String, Object> line = new LinkedHashMap<>();
    line.put(
        "id",
        UUID.nameUUIDFromBytes(name.text().getBytes(java.nio.charset.StandardCharsets.UTF_8))
            .toString());
    line.put("status", problem.isPresent() ? "Failed" : "Replicating");
    line.put("errorCode", problem.map(ReplicaTable.Problem::code).orElse(""));
    line.put("errorMessage", problem.map(ReplicaTable.Problem::message).orElse(""));
    line.put(
        "normalizedTableName",
        name.schema().isEmpty() ? name.table() : name.schema() + "." + name.table());
    line.put("sourceTableName", name.table());
    line.put("sourceSchemaName", name.schema());
    line.put("sourceObjectType", "Table");
    line.put("metrics", metrics);
    return line;
  }

  private void write(String name, Object value) throws IOException {
    byte[] content = json.writerWithDefaultPrettyPrinter().writeValueAsBytes(value);
    String path = monitoring + "/" + name;
    String text = new String(content, java.nio.charset.StandardCharsets.UTF_8);
    if (!text.equals(written.get(name)) || store.find(path).isEmpty()) {
      locks.onFile(
          path,
          () -> {
            store.write(path, content);
            return path;
          });
      written.put(name, text);
    }
  }
}
