package io.corehub.hub.stream;

import io.corehub.agent.CommitBatch;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TableTruncated;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.hub.source.DeclaredTable;
import io.corehub.hub.source.SourceSink;
import io.corehub.testkit.CellText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Keeps what a source hands over, as one line of text for each thing. Confined to one caller. */
final class RecordingSink implements SourceSink {

  final List<String> log = new ArrayList<>();
  final List<CommitBatch> batches = new ArrayList<>();

  /** Tables that are left out. */
  final Set<String> unwanted = new HashSet<>();

  /** Positions up to which a table's changes stand in the target. */
  final Map<String, Long> published = new HashMap<>();

  /** Tables whose snapshots stand in the target. */
  final Set<String> loaded = new HashSet<>();

  private final Map<TableId, TableSchema> schemas = new HashMap<>();

  @Override
  public DeclaredTable declare(TableSchema shape) {
    TableSchema before = schemas.get(shape.table());
    boolean same =
        before != null
            && before.columns().equals(shape.columns())
            && before.keyColumns().equals(shape.keyColumns());
    if (!same) {
      int version = before == null ? 1 : before.version() + 1;
      schemas.put(
          shape.table(),
          new TableSchema(shape.table(), shape.columns(), shape.keyColumns(), version));
      log.add("table " + shape.table() + " v" + version);
    }
    String name = shape.table().toString();
    TableSchema now = schemas.get(shape.table());
    return new DeclaredTable() {
      @Override
      public TableSchema schema() {
        return now;
      }

      @Override
      public boolean wanted() {
        return !unwanted.contains(name);
      }

      @Override
      public boolean wants(SourcePosition position) {
        return wanted() && position.order() > published.getOrDefault(name, -1L);
      }
    };
  }

  @Override
  public boolean beginSnapshot(TableId table, SnapshotStart start) {
    log.add("begin " + table + " #" + start.id() + "@" + start.consistentAt());
    return !loaded.contains(table.toString());
  }

  @Override
  public void snapshotPage(ColumnBatch page) {
    for (int row = 0; row < page.rowCount(); row++) {
      log.add("page " + page.schema().table() + " " + row(page, row));
    }
  }

  @Override
  public void endSnapshot(TableId table) {
    log.add("end " + table);
  }

  @Override
  public void commits(CommitBatch batch) {
    batches.add(batch);
    for (int i = 0; i < batch.commits().size(); i++) {
      StringBuilder line = new StringBuilder("commit " + batch.commits().get(i).position() + ":");
      for (TableEvent event : batch.events()) {
        append(line, event, i);
      }
      boolean part = i == batch.commits().size() - 1 && !batch.lastCommitComplete();
      log.add(line + (part ? " …" : ""));
    }
  }

  private static void append(StringBuilder line, TableEvent event, int commit) {
    if (event instanceof RowChanges changes) {
      for (int row = 0; row < changes.rowCount(); row++) {
        if (changes.commitIndex(row) == commit) {
          line.append(' ')
              .append(changes.kind(row))
              .append(' ')
              .append(changes.table())
              .append(' ')
              .append(row(changes.rows(), row));
          for (int column = 0; column < changes.rows().columns().size(); column++) {
            if (changes.undelivered().is(column, row)) {
              line.append('~').append(changes.rows().schema().columns().get(column).name());
            }
          }
        }
      }
    } else if (event instanceof TableTruncated truncated && truncated.commitIndex() == commit) {
      line.append(" TRUNCATE ").append(event.table());
    } else if (event instanceof TableUnreadable unreadable && unreadable.commitIndex() == commit) {
      line.append(" UNREADABLE ").append(event.table());
    }
  }

  static String row(ColumnBatch batch, int row) {
    List<String> cells = new ArrayList<>();
    for (int column = 0; column < batch.columns().size(); column++) {
      String name = batch.schema().columns().get(column).name();
      CellText.of(batch.schema().columns().get(column).type(), batch.columns().get(column), row)
          .ifPresent(text -> cells.add(name + "=" + text));
    }
    return "{" + String.join(",", cells) + "}";
  }

  @Override
  public void stopTable(TableStoppedException reason) {
    unwanted.add(reason.table().toString());
    log.add("stop " + reason.table() + ": " + reason.getMessage());
  }

  @Override
  public void warning(Optional<TableId> table, String message) {
    log.add("warning " + message);
  }
}
