package io.corehub.hub.debezium;

import io.corehub.agent.RowChanges;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.TableSchema;
import io.corehub.agent.table.Undelivered;
import java.util.ArrayList;
import java.util.List;

/** Rows in the shape the pipeline wants: fewer columns, or another instance. Stateless. */
final class Reshaped {

  private Reshaped() {}

  static RowChanges changes(RowChanges changes, TableSchema shape) {
    ColumnBatch rows = changes.rows();
    int count = rows.rowCount();
    byte[] kinds = new byte[count];
    int[] commitIndexes = new int[count];
    for (int row = 0; row < count; row++) {
      kinds[row] = changes.kind(row).code();
      commitIndexes[row] = changes.commitIndex(row);
    }
    return new RowChanges(
        rows(rows, shape),
        kinds,
        commitIndexes,
        undelivered(changes.undelivered(), rows, shape),
        changes.beforeImages());
  }

  private static ColumnBatch rows(ColumnBatch rows, TableSchema shape) {
    List<ColumnVector> vectors = new ArrayList<>();
    for (int source : columns(rows.schema(), shape)) {
      vectors.add(rows.columns().get(source));
    }
    return new ColumnBatch(shape, rows.rowCount(), vectors);
  }

  private static Undelivered undelivered(Undelivered marks, ColumnBatch rows, TableSchema shape) {
    if (!marks.any()) {
      return marks;
    }
    int[] sources = columns(rows.schema(), shape);
    ColumnBatchBuilder builder = new ColumnBatchBuilder(shape);
    for (int row = 0; row < rows.rowCount(); row++) {
      for (int column = 0; column < sources.length; column++) {
        if (marks.is(sources[column], row)) {
          builder.setUndelivered(column);
        }
      }
      builder.endRow();
    }
    return builder.undelivered();
  }

  private static int[] columns(TableSchema from, TableSchema to) {
    return to.columns().stream()
        .mapToInt(column -> from.indexOf(column.name()).orElseThrow())
        .toArray();
  }
}
