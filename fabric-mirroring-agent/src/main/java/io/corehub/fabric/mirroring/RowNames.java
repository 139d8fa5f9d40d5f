package io.corehub.fabric.mirroring;

import io.corehub.agent.table.ColumnBatch;

/** Names a row for a message: by its key, or by its place in a table without key. Pure. */
final class RowNames {

  private static final int MOST_COLUMNS = 5;

  private RowNames() {}

  static String of(ColumnBatch rows, int row) {
    int[] keys = rows.schema().keyIndexes();
    if (keys.length == 0) {
      return "row " + (row + 1) + " of its batch";
    }
    StringBuilder name = new StringBuilder("key ");
    for (int i = 0; i < Math.min(keys.length, MOST_COLUMNS); i++) {
      var column = rows.schema().columns().get(keys[i]);
      name.append(i == 0 ? "" : ", ")
          .append(Text.shown(column.name()))
          .append('=')
          .append(CellValues.shown(column.type(), rows.columns().get(keys[i]), row));
    }
    return name.toString();
  }
}
