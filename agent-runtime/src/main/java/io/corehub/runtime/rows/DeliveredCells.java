package io.corehub.runtime.rows;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.RowChanges;
import io.corehub.agent.table.Undelivered;
import io.corehub.runtime.text.Text;
import java.util.Arrays;

/**
 * Where the cells of changed rows stand: a cell of an update that the source left out has the value
 * of the whole old row, if there is one. Immutable.
 */
public final class DeliveredCells {

  private final RowChanges changes;

  /**
   * The cells of a run.
   *
   * @param changes the run
   */
  public DeliveredCells(RowChanges changes) {
    this.changes = changes;
  }

  /**
   * Where the cells of a column come from.
   *
   * @param column index of the column
   * @param rows row indexes
   * @param count how many of them count
   * @return for each, the row that holds its cell; {@code rows} itself when every cell was
   *     delivered
   * @throws RefusedValueException if the source left a cell out and its old row is not whole
   */
  public int[] sourceRows(int column, int[] rows, int count) {
    if (!changes.undelivered().any()) {
      return rows;
    }
    int[] sources = Arrays.copyOf(rows, count);
    for (int i = 0; i < count; i++) {
      sources[i] = sourceRow(column, rows[i]);
    }
    return sources;
  }

  /**
   * The row that holds a cell.
   *
   * @param column index of the column
   * @param row row index
   * @return the row itself, or that of the whole old row when the cell was not delivered
   * @throws RefusedValueException if the source left the cell out and the old row is not whole
   */
  public int sourceRow(int column, int row) {
    if (!changes.undelivered().is(column, row)) {
      return row;
    }
    if (changes.beforeImages() == BeforeImage.FULL
        && row > 0
        && changes.kind(row - 1) == ChangeKind.UPDATE_BEFORE) {
      return row - 1;
    }
    throw undelivered(column, row);
  }

  /**
   * Refuses rows of which a cell was left out, for a run without old rows.
   *
   * @param from first row
   * @param to row behind the last
   * @throws RefusedValueException if the source left a cell out
   */
  public void requireAll(int from, int to) {
    Undelivered undelivered = changes.undelivered();
    if (!undelivered.any()) {
      return;
    }
    for (int row = from; row < to; row++) {
      for (int column = 0; column < changes.rows().columns().size(); column++) {
        if (undelivered.is(column, row)) {
          throw undelivered(column, row);
        }
      }
    }
  }

  private RefusedValueException undelivered(int column, int row) {
    return new RefusedValueException(
        row,
        "column '"
            + Text.shown(changes.rows().schema().columns().get(column).name())
            + "': the source did not deliver the unchanged value of an updated row, and the target"
            + " needs whole rows. Have the source deliver old rows whole (for PostgreSQL: ALTER"
            + " TABLE … REPLICA IDENTITY FULL).");
  }
}
