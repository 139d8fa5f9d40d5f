package io.corehub.hub.debezium;

import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.hub.source.CommitBatchBuilder;
import io.corehub.hub.source.SourceException;
import io.corehub.hub.source.SourceSink;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the records of a Debezium connector together to whole transactions and hands each over at
 * its end, when its position is known. Records of several transactions may be mixed, and heartbeats
 * may stand anywhere. A transaction that comes again after a reconnection is dropped. Confined to
 * one caller at a time.
 */
final class TransactionAssembler implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TransactionAssembler.class);

  private static final int BATCH_ROWS = 50_000;
  private static final long BATCH_BYTES = 8 << 20;

  private final String timeline;
  private final CapturedTables tables;
  private final SourceSink sink;
  private final Path spoolDirectory;
  private final long memoryBytes;
  private final RowWriter rows;
  private final CommitBatchBuilder batch;
  private final Map<String, OpenTransaction> open = new HashMap<>();
  private long lastOrder;
  private long lastEmptyOrder;

  /**
   * An assembler.
   *
   * @param timeline timeline of the positions
   * @param resumedBehind order of the position to go on behind; 0 for the beginning
   * @param tables the captured tables
   * @param sink takes the commits
   * @param spoolDirectory directory for large transactions
   * @param memoryBytes bytes of one transaction above which it is spooled
   * @param rows writes the rows
   */
  TransactionAssembler(
      String timeline,
      long resumedBehind,
      CapturedTables tables,
      SourceSink sink,
      Path spoolDirectory,
      long memoryBytes,
      RowWriter rows) {
    this.timeline = timeline;
    this.lastOrder = resumedBehind;
    this.tables = tables;
    this.sink = sink;
    this.spoolDirectory = spoolDirectory;
    this.memoryBytes = memoryBytes;
    this.rows = rows;
    this.batch = new CommitBatchBuilder(BATCH_ROWS, BATCH_BYTES, sink::commits);
  }

  /**
   * Takes the next record.
   *
   * @param record the record
   * @throws SourceException if a transaction did not arrive whole
   * @throws InterruptedException if interrupted
   */
  void accept(ChangeRecord record) throws InterruptedException {
    switch (record.kind()) {
      case BEGIN -> begin(record.transaction());
      case INSERT, UPDATE, DELETE, TRUNCATE -> transaction(record.transaction()).add(record);
      case END -> end(record);
      case HEARTBEAT, OTHER -> {}
    }
  }

  private void begin(String id) {
    OpenTransaction again = open.remove(id);
    if (again != null) {
      // The connection broke inside the transaction, which now comes from its start.
      again.close();
    }
    transaction(id);
  }

  private OpenTransaction transaction(String id) {
    return open.computeIfAbsent(
        id, key -> new OpenTransaction(spoolDirectory, memoryBytes, rows, tables::of));
  }

  private void end(ChangeRecord end) throws InterruptedException {
    String id = end.transaction();
    try (OpenTransaction transaction = transaction(id)) {
      open.remove(id);
      long order = end.position();
      if (Long.compareUnsigned(order, lastOrder) <= 0) {
        LOG.debug("Transaction {} at {} comes again and is dropped", id, order);
        return;
      }
      verify(id, end, transaction);
      if (transaction.counts().isEmpty()) {
        lastEmptyOrder = order;
        return;
      }
      Commit commit =
          new Commit(
              position(order),
              Optional.of(Instant.ofEpochMilli(end.epochMillis())),
              Optional.of(id),
              Optional.empty());
      lastOrder = order;
      if (transaction.small() && !changesShape(transaction)) {
        handOverSmall(transaction, commit);
      } else {
        transaction.toColumns();
        handOverParts(transaction, commit);
      }
    }
  }

  private static void verify(String id, ChangeRecord end, OpenTransaction transaction) {
    if (!end.counts().equals(transaction.counts())) {
      throw new SourceException(
          "Transaction "
              + id
              + " did not arrive whole: its end counts "
              + end.counts()
              + " changes, "
              + transaction.counts()
              + " arrived. Nothing of it was handed over; start the pipeline again.");
    }
  }

  /** Debezium makes a new schema object only when a table changes. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean changesShape(OpenTransaction transaction) {
    Map<String, ChangeRecord> first = new HashMap<>();
    for (ChangeRecord record : transaction.records()) {
      ChangeRecord earlier = first.putIfAbsent(record.collection(), record);
      if (earlier != null && earlier.rowSchema() != record.rowSchema()) {
        return true;
      }
    }
    return false;
  }

  private void handOverSmall(OpenTransaction transaction, Commit commit)
      throws InterruptedException {
    for (ChangeRecord record : transaction.records()) {
      declare(record);
    }
    batch.begin(commit);
    for (ChangeRecord record : transaction.records()) {
      CapturedTable table = tables.of(record);
      if (!table.unreadable() && table.declared().wants(commit.position())) {
        rows.writeAsDeclared(record, table, batch);
      }
    }
    batch.end();
  }

  private void declare(ChangeRecord record) throws InterruptedException {
    CapturedTable table = tables.of(record);
    if (table.unreadable()) {
      return;
    }
    ConnectRowMapping mapping;
    try {
      mapping = table.mapping(record.rowSchema(), record.keySchema());
    } catch (ValueRefusedException toldWhenTheRowIsWritten) {
      LOG.debug("Table {} cannot be read any more", table.id(), toldWhenTheRowIsWritten);
      return;
    }
    if (!table.declaredAs(mapping.schema())) {
      batch.flush();
      table.declare(mapping.schema(), sink);
    }
  }

  private void handOverParts(OpenTransaction transaction, Commit commit)
      throws InterruptedException {
    batch.flush();
    transaction.drain(part -> handOverPart(part, commit));
  }

  private void handOverPart(CommitBatch part, Commit commit) throws InterruptedException {
    List<TableEvent> wanted = new ArrayList<>();
    for (TableEvent event : part.events()) {
      CapturedTable table = tables.of(event.table());
      if (event instanceof RowChanges changes) {
        if (!table.declaredAs(changes.rows().schema())) {
          if (!wanted.isEmpty()) {
            sink.commits(new CommitBatch(List.of(commit), wanted, false));
            wanted.clear();
          }
          table.declare(changes.rows().schema(), sink);
        }
        if (table.declared().wants(commit.position())) {
          wanted.add(Reshaped.changes(changes, table.declared().schema()));
        }
      } else if (table.declared().wants(commit.position())) {
        wanted.add(event);
      }
    }
    if (part.lastCommitComplete() || !wanted.isEmpty()) {
      sink.commits(new CommitBatch(List.of(commit), wanted, part.lastCommitComplete()));
    }
  }

  /**
   * Hands over what is complete: nothing more is to be had right now.
   *
   * @throws InterruptedException if interrupted
   */
  void flush() throws InterruptedException {
    batch.flush();
  }

  /** Whether the end of a transaction is awaited. */
  boolean insideTransaction() {
    return !open.isEmpty();
  }

  /**
   * Moves the position on although no captured table changed, so that the source need not keep its
   * log. Does nothing inside a transaction.
   *
   * @param reached every commit up to this order has arrived; 0 if not known
   * @throws InterruptedException if interrupted
   */
  void moveOn(long reached) throws InterruptedException {
    long order = Long.compareUnsigned(reached, lastEmptyOrder) > 0 ? reached : lastEmptyOrder;
    if (insideTransaction() || Long.compareUnsigned(order, lastOrder) <= 0) {
      return;
    }
    batch.flush();
    lastOrder = order;
    sink.commits(new CommitBatch(List.of(Commit.at(position(order))), List.of(), true));
  }

  private SourcePosition position(long order) {
    return new SourcePosition(timeline, order, "");
  }

  @Override
  public void close() {
    open.values().forEach(OpenTransaction::close);
    open.clear();
  }
}
