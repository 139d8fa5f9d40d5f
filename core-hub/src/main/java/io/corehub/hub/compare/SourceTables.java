package io.corehub.hub.compare;

import io.corehub.agent.CommitBatch;
import io.corehub.agent.Finding;
import io.corehub.agent.ResumePoint;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TableTruncated;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.TableId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The tables of a source, summed up as a target that writes nothing. Confined to one caller at a
 * time, but for the ends of snapshots.
 */
final class SourceTables implements TargetAgent {

  private final Map<String, SummedTable> tables = new ConcurrentSkipListMap<>();

  /** The tables by name, ordered by it. */
  Map<String, SummedTable> all() {
    return tables;
  }

  SummedTable of(TableId table) {
    return Objects.requireNonNull(tables.get(table.toString()), "table was not declared");
  }

  @Override
  public List<Finding> check() {
    return List.of();
  }

  @Override
  public Map<TableId, TableProgress> open(List<TableSpec> specs, ResumePoint resume) {
    return Map.of();
  }

  @Override
  public TableProgress addTable(TableSpec spec) {
    SummedTable table = new SummedTable();
    table.shape(spec.schema());
    tables.put(spec.table().toString(), table);
    return new TableProgress.NothingPublished();
  }

  @Override
  public void removeTable(TableId table) {
    of(table).unknown("it stopped");
  }

  @Override
  public SnapshotWriter beginSnapshot(TableId id, SnapshotStart start) {
    SummedTable table = of(id);
    table.clear();
    return new SnapshotWriter() {
      @Override
      public void write(ColumnBatch page) {
        table.load(page);
      }

      @Override
      public void finish() {}

      @Override
      public void abort() {
        table.unknown("its snapshot was not read to the end");
      }
    };
  }

  @Override
  public void apply(CommitBatch batch) {
    for (TableEvent event : batch.events()) {
      SummedTable table = of(event.table());
      if (event instanceof RowChanges changes) {
        table.apply(changes);
      } else if (event instanceof TableTruncated) {
        table.clear();
      } else if (event instanceof TableUnreadable unreadable) {
        table.unknown(String.valueOf(unreadable.reason().getMessage()));
      }
    }
  }

  @Override
  public void flush() {}

  @Override
  public List<TableStatus> status() {
    return List.of();
  }

  @Override
  public void close() {}
}
