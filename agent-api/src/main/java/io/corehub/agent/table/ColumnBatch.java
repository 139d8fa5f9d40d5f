package io.corehub.agent.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A run of rows of one table, a vector for each column. Immutable; safe for reading by any thread.
 *
 * <p>A batch handed to an agent belongs to the agent.
 *
 * @param schema the table's schema when the rows were read
 * @param rowCount number of rows
 * @param columns one vector for each column of the schema, in its order, each of {@code rowCount}
 *     rows and of the storage of the column's type
 */
public record ColumnBatch(TableSchema schema, int rowCount, List<ColumnVector> columns) {

  /** Checks that the vectors fit the schema. */
  public ColumnBatch {
    Objects.requireNonNull(schema, "schema");
    columns = List.copyOf(columns);
    if (columns.size() != schema.columns().size()) {
      throw new IllegalArgumentException(
          "Table "
              + schema.table()
              + " has "
              + schema.columns().size()
              + " columns, the batch "
              + columns.size());
    }
    for (int i = 0; i < columns.size(); i++) {
      Column column = schema.columns().get(i);
      ColumnVector vector = columns.get(i);
      if (vector.size() != rowCount || vector.storage() != column.type().storage()) {
        throw new IllegalArgumentException(
            String.format(
                "Table %s, column '%s': expected %d rows stored as %s, not %d as %s",
                schema.table(),
                column.name(),
                rowCount,
                column.type().storage(),
                vector.size(),
                vector.storage()));
      }
    }
  }

  /**
   * Memory held by the vectors.
   *
   * @return bytes
   */
  public long bytes() {
    long bytes = 0;
    for (ColumnVector column : columns) {
      bytes += column.bytes();
    }
    return bytes;
  }

  /**
   * A new batch of chosen rows.
   *
   * @param rows row indexes in the wanted order; may repeat
   * @param count how many entries of {@code rows} count
   * @return a batch of {@code count} rows
   */
  public ColumnBatch select(int[] rows, int count) {
    List<ColumnVector> chosen = new ArrayList<>(columns.size());
    for (ColumnVector column : columns) {
      chosen.add(column.select(rows, count));
    }
    return new ColumnBatch(schema, count, chosen);
  }
}
