package io.corehub.hub.debezium;

import io.corehub.agent.Commit;
import io.corehub.agent.SourcePosition;
import io.corehub.hub.source.CommitBatchBuilder;
import io.corehub.hub.source.CommitSpool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A transaction whose end has not arrived. A small one is kept as the records it came in; a large
 * one becomes columns at once, in a {@link CommitSpool}. Confined to one caller at a time.
 */
final class OpenTransaction implements AutoCloseable {

  private static final int SMALL_RECORDS = 500;
  private static final long SMALL_BYTES = 1 << 20;

  /** Within a commit a part leaves at twice these bounds. */
  private static final int PART_ROWS = 25_000;

  private static final long PART_BYTES = 4 << 20;

  private final Path spoolDirectory;
  private final long memoryBytes;
  private final RowWriter rows;
  private final Function<ChangeRecord, CapturedTable> tables;
  private final Map<String, Long> counts = new HashMap<>();
  private final List<ChangeRecord> records = new ArrayList<>();
  private long roughBytes;
  private @Nullable CommitSpool spool;
  private @Nullable CommitBatchBuilder columns;

  OpenTransaction(
      Path spoolDirectory,
      long memoryBytes,
      RowWriter rows,
      Function<ChangeRecord, CapturedTable> tables) {
    this.spoolDirectory = spoolDirectory;
    this.memoryBytes = memoryBytes;
    this.rows = rows;
    this.tables = tables;
  }

  /** Takes a change. */
  void add(ChangeRecord change) throws InterruptedException {
    counts.merge(change.collection(), 1L, Long::sum);
    if (columns != null) {
      write(change, columns);
      return;
    }
    records.add(change);
    roughBytes += change.roughBytes();
    if (records.size() > SMALL_RECORDS || roughBytes > SMALL_BYTES) {
      toColumns();
    }
  }

  /** Changes by table so far. */
  Map<String, Long> counts() {
    return counts;
  }

  /** Whether the changes are still the records they came in. */
  boolean small() {
    return columns == null;
  }

  /** The records of a small transaction, in order. */
  List<ChangeRecord> records() {
    return records;
  }

  /** Turns what was collected into columns, whose position is not known yet. */
  void toColumns() throws InterruptedException {
    if (columns != null) {
      return;
    }
    CommitSpool target = new CommitSpool(spoolDirectory, memoryBytes);
    spool = target;
    CommitBatchBuilder builder = new CommitBatchBuilder(PART_ROWS, PART_BYTES, target::add);
    columns = builder;
    builder.begin(Commit.at(new SourcePosition("", 0, "")));
    for (ChangeRecord change : records) {
      write(change, builder);
    }
    records.clear();
  }

  private void write(ChangeRecord change, CommitBatchBuilder to) throws InterruptedException {
    CapturedTable table = tables.apply(change);
    if (!table.unreadable()) {
      rows.writeAsRead(change, table, to);
    }
  }

  /**
   * Hands over a large transaction in parts, whose events count and whose commit stands for the one
   * not known before.
   *
   * @param output takes the parts; only the last is complete
   * @throws InterruptedException if interrupted
   */
  void drain(CommitBatchBuilder.Output output) throws InterruptedException {
    if (columns == null || spool == null) {
      throw new IllegalStateException("A small transaction has no parts");
    }
    columns.end();
    columns.flush();
    spool.drainTo(output);
  }

  @Override
  public void close() {
    records.clear();
    if (spool != null) {
      spool.close();
    }
  }
}
