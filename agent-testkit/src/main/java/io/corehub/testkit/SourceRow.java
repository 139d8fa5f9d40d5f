package io.corehub.testkit;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.TableSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A row of a source table, cell by cell, for writing tests down. Immutable.
 *
 * <p>What a cell may be is said at {@link ColumnBatches#set}.
 */
public final class SourceRow {

  /** Stands for a cell of an update that the source did not deliver. */
  public static final Object UNDELIVERED =
      new Object() {
        @Override
        public String toString() {
          return "UNDELIVERED";
        }
      };

  private final TableSchema schema;
  private final @Nullable Object[] cells;

  private SourceRow(TableSchema schema, @Nullable Object[] cells) {
    this.schema = schema;
    this.cells = cells;
  }

  /**
   * A row.
   *
   * @param schema schema of the table
   * @param cells one for each column, in order; null for NULL
   * @return the row
   */
  public static SourceRow of(TableSchema schema, @Nullable Object... cells) {
    if (cells.length != schema.columns().size()) {
      throw new IllegalArgumentException(
          schema.table()
              + " has "
              + schema.columns().size()
              + " columns, the row "
              + cells.length
              + " cells");
    }
    return new SourceRow(schema, cells.clone());
  }

  /**
   * The schema the row was written for.
   *
   * @return the schema
   */
  public TableSchema schema() {
    return schema;
  }

  /**
   * A cell.
   *
   * @param column column index
   * @return its value; null for NULL
   */
  public @Nullable Object cell(int column) {
    return cells[column];
  }

  /**
   * The same row with another cell.
   *
   * @param column column index
   * @param value new value; null for NULL
   * @return a new row
   */
  public SourceRow with(int column, @Nullable Object value) {
    @Nullable Object[] changed = cells.clone();
    changed[column] = value;
    return new SourceRow(schema, changed);
  }

  /**
   * The same row in another shape of its table: columns are matched by name, new ones are NULL.
   *
   * @param shape the other schema
   * @return a new row, or this one if it has that schema already
   */
  public SourceRow as(TableSchema shape) {
    if (shape.equals(schema)) {
      return this;
    }
    @Nullable Object[] moved = new @Nullable Object[shape.columns().size()];
    for (int i = 0; i < moved.length; i++) {
      OptionalInt old = schema.indexOf(shape.columns().get(i).name());
      moved[i] = old.isPresent() ? cells[old.getAsInt()] : null;
    }
    return new SourceRow(shape, moved);
  }

  /**
   * Only the key columns of the row; the others are NULL.
   *
   * @return a new row
   */
  public SourceRow keyOnly() {
    @Nullable Object[] key = new @Nullable Object[cells.length];
    for (int index : schema.keyIndexes()) {
      key[index] = cells[index];
    }
    return new SourceRow(schema, key);
  }

  /**
   * The row as a reader sees it.
   *
   * @return texts of the cells
   */
  public Row view() {
    return views(ColumnBatches.of(schema, List.of(this))).get(0);
  }

  /**
   * The rows of a batch as a reader sees them.
   *
   * @param batch any batch
   * @return one row for each row of the batch, in its order
   */
  public static List<Row> views(ColumnBatch batch) {
    List<Row> views = new ArrayList<>(batch.rowCount());
    for (int row = 0; row < batch.rowCount(); row++) {
      Map<String, String> cells = new HashMap<>();
      for (int i = 0; i < batch.columns().size(); i++) {
        Column column = batch.schema().columns().get(i);
        CellText.of(column.type(), batch.columns().get(i), row)
            .ifPresent(text -> cells.put(column.name(), text));
      }
      views.add(new Row(cells));
    }
    return views;
  }

  @Override
  public String toString() {
    return schema.table() + " " + view();
  }
}
