package io.corehub.hub.debezium;

import io.corehub.agent.ChangeKind;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SnapshotEnd;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TableTruncated;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.hub.source.DeclaredTable;
import io.corehub.hub.source.SourceSink;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A pipeline that writes down what a source hands over, checks the order of the calls, and keeps
 * the rows of every table as a target would. It outlives sources, as a target outlives restarts.
 */
final class RecordingSink implements SourceSink {

  /** One commit as it arrived, with its rows as text. */
  record Received(Commit commit, List<String> rows) {}

  private final Map<TableId, Table> tables = new LinkedHashMap<>();
  private final Map<TableId, SnapshotEnd> ends = new LinkedHashMap<>();
  private final Map<TableId, SourcePosition> backlogs = new LinkedHashMap<>();
  private final List<Received> commits = new ArrayList<>();
  private Runnable onPage = () -> {};
  private final List<TableStoppedException> stopped = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> declarations = new ArrayList<>();
  private Optional<SourcePosition> confirmed = Optional.empty();
  private Optional<Commit> openCommit = Optional.empty();
  private List<String> openRows = new ArrayList<>();
  private long lastOrder;
  private int commitsLeft = Integer.MAX_VALUE;
  private int parts;

  private static final class Table implements DeclaredTable {
    TableSchema schema;
    Optional<SourcePosition> snapshotAt = Optional.empty();
    boolean snapshotOpen;
    boolean stopped;
    SourcePosition opening;
    final List<Map<String, String>> rows = new ArrayList<>();

    @Override
    public synchronized TableSchema schema() {
      return schema;
    }

    @Override
    public synchronized boolean wanted() {
      return !stopped;
    }

    @Override
    public synchronized boolean wants(SourcePosition position) {
      return !stopped && snapshotAt.map(position::isAfter).orElse(true);
    }
  }

  /** Makes the pipeline fail instead of taking more than so many commits. */
  synchronized void failAfter(int more) {
    commitsLeft = more;
  }

  /** A restart: what was not taken whole is forgotten. */
  synchronized void restart() {
    openCommit = Optional.empty();
    openRows = new ArrayList<>();
    commitsLeft = Integer.MAX_VALUE;
    lastOrder = confirmed.map(SourcePosition::order).orElse(0L);
    for (Table table : tables.values()) {
      if (table.snapshotOpen) {
        table.snapshotOpen = false;
        table.rows.clear();
      }
    }
  }

  /** The hub loses its state directory. */
  synchronized void forgetConfirmed() {
    confirmed = Optional.empty();
    restart();
  }

  @Override
  public synchronized DeclaredTable declare(TableSchema schema) {
    Table table = tables.computeIfAbsent(schema.table(), id -> new Table());
    if (table.schema == null
        || !table.schema.columns().equals(schema.columns())
        || !table.schema.keyColumns().equals(schema.keyColumns())) {
      int version = table.schema == null ? 1 : table.schema.version() + 1;
      table.schema =
          new TableSchema(schema.table(), schema.columns(), schema.keyColumns(), version);
      declarations.add(schema.table() + " v" + version);
    }
    return table;
  }

  @Override
  public synchronized boolean beginSnapshot(TableId id, SnapshotStart start) {
    Table table = tables.get(id);
    if (table.stopped || table.snapshotAt.isPresent()) {
      return false;
    }
    table.snapshotOpen = true;
    table.opening = start.consistentAt();
    return true;
  }

  @Override
  public synchronized void snapshotPage(ColumnBatch page) {
    Table table = tables.get(page.schema().table());
    requireSameShape(table, page.schema());
    if (!table.snapshotOpen) {
      throw new IllegalStateException("No snapshot of " + page.schema().table() + " is open");
    }
    for (int row = 0; row < page.rowCount(); row++) {
      table.rows.add(row(page, row));
    }
    onPage.run();
    notifyAll();
  }

  @Override
  public synchronized void endSnapshot(TableId id) {
    Table table = tables.get(id);
    if (table.snapshotOpen) {
      table.snapshotOpen = false;
      table.snapshotAt = Optional.of(table.opening);
    }
    notifyAll();
  }

  @Override
  public synchronized void endSnapshot(TableId id, SnapshotEnd end) {
    ends.put(id, end);
    endSnapshot(id);
  }

  @Override
  public synchronized void backlogEnded(TableId id, SourcePosition upTo) {
    backlogs.put(id, upTo);
    notifyAll();
  }

  /** What was said at the end of a table's snapshot. */
  synchronized Optional<SnapshotEnd> snapshotEnd(TableId id) {
    return Optional.ofNullable(ends.get(id));
  }

  /** Up to where a table's backlog goes. */
  synchronized Optional<SourcePosition> backlogEnd(TableId id) {
    return Optional.ofNullable(backlogs.get(id));
  }

  /** Is told of each page, on the source's thread. */
  synchronized void onPage(Runnable step) {
    onPage = step;
  }

  @Override
  public synchronized void commits(CommitBatch batch) throws InterruptedException {
    parts++;
    for (int i = 0; i < batch.commits().size(); i++) {
      Commit commit = batch.commits().get(i);
      boolean goesOn =
          i == 0 && openCommit.map(open -> open.position().equals(commit.position())).orElse(false);
      if (!goesOn) {
        if (openCommit.isPresent()) {
          throw new IllegalStateException("Commit " + openCommit.get() + " has no end");
        }
        if (Long.compareUnsigned(commit.position().order(), lastOrder) <= 0) {
          throw new IllegalStateException(
              "Commit " + commit.position() + " does not come after " + lastOrder);
        }
        if (commitsLeft-- == 0) {
          throw new InterruptedException("The pipeline was killed");
        }
        lastOrder = commit.position().order();
        openRows = new ArrayList<>();
      }
      for (TableEvent event : batch.events()) {
        apply(event, i);
      }
      boolean complete = i < batch.commits().size() - 1 || batch.lastCommitComplete();
      openCommit = complete ? Optional.empty() : Optional.of(commit);
      if (complete) {
        commits.add(new Received(commit, List.copyOf(openRows)));
        confirmed = Optional.of(commit.position());
      }
    }
    notifyAll();
  }

  private void apply(TableEvent event, int commitIndex) {
    Table table = tables.get(event.table());
    if (event instanceof RowChanges changes) {
      requireSameShape(table, changes.rows().schema());
      for (int row = 0; row < changes.rowCount(); row++) {
        if (changes.commitIndex(row) == commitIndex) {
          apply(table, changes, row);
        }
      }
    } else if (event instanceof TableTruncated truncated) {
      if (truncated.commitIndex() == commitIndex) {
        table.rows.clear();
        openRows.add("TRUNCATE " + event.table());
      }
    } else if (((TableUnreadable) event).commitIndex() == commitIndex) {
      table.stopped = true;
      stopped.add(((TableUnreadable) event).reason());
    }
  }

  private void apply(Table table, RowChanges changes, int index) {
    Map<String, String> row = row(changes.rows(), index);
    ChangeKind kind = changes.kind(index);
    List<String> undelivered = new ArrayList<>();
    for (int column = 0; column < changes.rows().schema().columns().size(); column++) {
      if (changes.undelivered().is(column, index)) {
        undelivered.add(changes.rows().schema().columns().get(column).name());
      }
    }
    openRows.add(
        kind + " " + changes.table() + " " + row + (undelivered.isEmpty() ? "" : undelivered));
    List<String> key = changes.rows().schema().keyColumns();
    switch (kind) {
      case INSERT -> table.rows.add(row);
      case DELETE, UPDATE_BEFORE -> {
        if (!key.isEmpty()) {
          table.rows.removeIf(old -> sameKey(old, row, key));
        }
      }
      case UPDATE_AFTER -> {
        Map<String, String> after = new LinkedHashMap<>(row);
        table.rows.stream()
            .filter(old -> sameKey(old, row, key))
            .findFirst()
            .ifPresent(old -> undelivered.forEach(name -> after.put(name, old.get(name))));
        table.rows.removeIf(old -> sameKey(old, row, key));
        table.rows.add(after);
      }
    }
  }

  private static boolean sameKey(Map<String, String> a, Map<String, String> b, List<String> key) {
    return key.stream().allMatch(name -> a.get(name).equals(b.get(name)));
  }

  private static void requireSameShape(Table table, TableSchema schema) {
    if (table.schema != schema) {
      throw new IllegalStateException("Rows of " + schema + " but declared is " + table.schema);
    }
  }

  @Override
  public synchronized void stopTable(TableStoppedException reason) {
    Table table = tables.get(reason.table());
    if (table != null) {
      table.stopped = true;
      table.snapshotOpen = false;
    }
    stopped.add(reason);
    notifyAll();
  }

  @Override
  public synchronized void warning(Optional<TableId> table, String message) {
    warnings.add(message);
  }

  /** Waits until something holds of what arrived. */
  synchronized void await(String what, Predicate<RecordingSink> condition)
      throws InterruptedException {
    long deadline = System.nanoTime() + 120_000_000_000L;
    while (!condition.test(this)) {
      long millis = (deadline - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        throw new AssertionError("Did not happen in time: " + what + "; stopped: " + stopped);
      }
      wait(Math.min(millis, 100));
    }
  }

  synchronized Optional<SourcePosition> confirmed() {
    return confirmed;
  }

  synchronized List<Received> commits() {
    return List.copyOf(commits);
  }

  synchronized List<TableStoppedException> stopped() {
    return List.copyOf(stopped);
  }

  synchronized List<String> warnings() {
    return List.copyOf(warnings);
  }

  synchronized List<String> declarations() {
    return List.copyOf(declarations);
  }

  synchronized int parts() {
    return parts;
  }

  synchronized boolean snapshotFinished(TableId id) {
    return tables.containsKey(id) && tables.get(id).snapshotAt.isPresent();
  }

  synchronized TableSchema schema(TableId id) {
    return tables.get(id).schema;
  }

  /** The rows of a table, each as text, in order of that text. */
  synchronized List<String> rows(TableId id) {
    Table table = tables.get(id);
    return table == null ? List.of() : table.rows.stream().map(Map::toString).sorted().toList();
  }

  /** Every row of a batch as column name and text of the value; NULL is {@code null}. */
  static Map<String, String> row(ColumnBatch batch, int row) {
    Map<String, String> cells = new TreeMap<>();
    for (int i = 0; i < batch.columns().size(); i++) {
      ColumnType type = batch.schema().columns().get(i).type();
      cells.put(batch.schema().columns().get(i).name(), value(type, batch.columns().get(i), row));
    }
    return cells;
  }

  static String value(ColumnType type, ColumnVector vector, int row) {
    if (vector.nulls().isNull(row)) {
      return "null";
    }
    if (vector instanceof ColumnVector.OfBoolean booleans) {
      return Boolean.toString(booleans.values()[row]);
    }
    if (vector instanceof ColumnVector.OfInt ints) {
      return type.kind() == ColumnType.Kind.LOCAL_DATE
          ? ConnectTimes.dateText(ints.values()[row])
          : Integer.toString(ints.values()[row]);
    }
    if (vector instanceof ColumnVector.OfLong longs) {
      long value = longs.values()[row];
      return switch (type.kind()) {
        case BIG_DECIMAL -> BigDecimal.valueOf(value, type.scale()).toPlainString();
        case LOCAL_TIME, OFFSET_TIME -> ConnectTimes.timeText(value);
        case LOCAL_DATE_TIME, OFFSET_DATE_TIME -> ConnectTimes.timestampText(value);
        default -> Long.toString(value);
      };
    }
    if (vector instanceof ColumnVector.OfFloat floats) {
      return Float.toString(floats.values()[row]);
    }
    if (vector instanceof ColumnVector.OfDouble doubles) {
      return Double.toString(doubles.values()[row]);
    }
    byte[] bytes = ((ColumnVector.OfBytes) vector).copyOf(row);
    return switch (type.kind()) {
      case BYTE_ARRAY -> Base64.getEncoder().encodeToString(bytes);
      case BIG_DECIMAL ->
          type.decimalWithoutPrecision()
              ? new String(bytes, StandardCharsets.US_ASCII)
              : new BigDecimal(new BigInteger(bytes), type.scale()).toPlainString();
      default -> new String(bytes, StandardCharsets.UTF_8);
    };
  }
}
