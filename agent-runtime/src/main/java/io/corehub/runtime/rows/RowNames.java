package io.corehub.runtime.rows;

import io.corehub.agent.table.ColumnBatch;
import io.corehub.runtime.text.Text;
import java.util.ArrayList;
import java.util.List;

/**
 * Names a row for a message: by its key, and by its first columns too where a part of the key is
 * NULL; by its place in a table without key. Pure.
 */
public final class RowNames {

  private static final int MOST_COLUMNS = 5;

  private RowNames() {}

  public static String of(ColumnBatch rows, int row) {
    int[] keys = rows.schema().keyIndexes();
    if (keys.length == 0) {
      return "row " + (row + 1) + " of its batch";
    }
    List<String> key = new ArrayList<>();
    boolean whole = true;
    for (int index : keys) {
      key.add(cell(rows, index, row));
      whole &= !rows.columns().get(index).nulls().isNull(row);
    }
    String name = "key " + String.join(", ", first(key));
    return whole ? name : name + " (" + String.join(", ", others(rows, row)) + ")";
  }

  private static List<String> others(ColumnBatch rows, int row) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < rows.columns().size() && cells.size() < MOST_COLUMNS; i++) {
      if (!rows.schema().keyColumns().contains(rows.schema().columns().get(i).name())) {
        cells.add(cell(rows, i, row));
      }
    }
    return cells;
  }

  private static List<String> first(List<String> cells) {
    return cells.subList(0, Math.min(cells.size(), MOST_COLUMNS));
  }

  private static String cell(ColumnBatch rows, int index, int row) {
    var column = rows.schema().columns().get(index);
    return Text.shown(column.name())
        + '='
        + CellValues.shown(column.type(), rows.columns().get(index), row);
  }
}
