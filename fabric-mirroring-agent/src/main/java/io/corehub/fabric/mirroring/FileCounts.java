package io.corehub.fabric.mirroring;

import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStatus;
import io.corehub.agent.table.TableId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Counts a table's files since the agent was opened. Thread-safe. */
final class FileCounts {

  private final Map<FileFacts, Long> sizes = new HashMap<>();
  private Optional<String> lastFile = Optional.empty();
  private Optional<SourcePosition> lastPosition = Optional.empty();
  private Optional<Instant> lastAt = Optional.empty();
  private long lastSize;
  private long files;
  private long rows;
  private long bytes;

  /** A file has its final length. */
  synchronized void sized(FileFacts facts, long length) {
    sizes.put(facts, length);
  }

  /** A file is published; gives its length. */
  synchronized long published(
      FileFacts facts, long fileRows, Optional<SourcePosition> lastWhole, Instant at) {
    lastAt = Optional.of(at);
    Long length = sizes.remove(facts);
    lastSize = length == null ? 0 : length;
    files++;
    rows += fileRows;
    bytes += lastSize;
    lastFile = Optional.of(facts.name());
    lastPosition = lastWhole.or(() -> lastPosition);
    return lastSize;
  }

  /** Reports the file published last: one log line, and how long it took. */
  void report(MirrorShared shared, String path, TableId table, long fileRows, long nanos) {
    long length = lastSize();
    Logs.LOG.info(
        "Published {}: {} rows, {} bytes, {} ms ({} uploads active, {} queued)",
        path,
        fileRows,
        length,
        nanos / 1_000_000,
        shared.zone().slots().active(),
        shared.zone().slots().queued());
    shared.meters().seconds("file.publish", nanos / 1e9, "table", table.toString());
  }

  private synchronized long lastSize() {
    return lastSize;
  }

  /** When the last file was published. */
  synchronized Optional<Instant> lastAt() {
    return lastAt;
  }

  synchronized boolean any() {
    return files > 0;
  }

  synchronized TableStatus status(
      TableId table,
      TableStatus.State state,
      boolean diverged,
      Optional<Instant> oldest,
      int queued,
      Optional<String> problem) {
    return new TableStatus(
        table,
        state,
        diverged,
        lastFile,
        lastPosition,
        oldest,
        queued,
        files,
        rows,
        bytes,
        problem,
        Optional.empty());
  }
}
