package io.corehub.hub.compare;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.RowChanges;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableSchema;
import io.corehub.emulator.RowChecksum;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a source's table holds after all snapshots and changes so far, as count and sum of its rows.
 * Confined to one caller at a time.
 */
final class SummedTable {

  private final RowSums keyed = new RowSums();
  private final RowChecksum numbers = new RowChecksum();
  private final Map<String, ColumnType> columns = new LinkedHashMap<>();
  private @Nullable TableSchema schema;
  private List<String> names = List.of();
  private List<String> keyNames = List.of();
  private long keylessSum;
  private long keylessRows;
  private Optional<String> problem = Optional.empty();

  /** Every column the table has had, with its last type. */
  Map<String, ColumnType> columns() {
    return columns;
  }

  Comparison.Side side() {
    return new Comparison.Side(
        keyed.size() + keylessRows, String.format("%016x", keyed.sum() + keylessSum), problem);
  }

  /** The table cannot be followed; what it holds is not known from here on. */
  void unknown(String why) {
    if (problem.isEmpty()) {
      problem = Optional.of(why);
    }
  }

  void shape(TableSchema now) {
    if (schema != null && now.equals(schema)) {
      return;
    }
    schema = now;
    names = now.columns().stream().map(Column::name).toList();
    keyNames = now.keyColumns();
    now.columns().forEach(column -> columns.put(column.name(), column.type()));
  }

  void clear() {
    keyed.clear();
    keylessSum = 0;
    keylessRows = 0;
  }

  void load(ColumnBatch page) {
    shape(page.schema());
    for (int row = 0; row < page.rowCount(); row++) {
      put(values(page, row));
    }
  }

  void apply(RowChanges changes) {
    ColumnBatch rows = changes.rows();
    shape(rows.schema());
    boolean full = changes.beforeImages() == BeforeImage.FULL;
    for (int row = 0; row < changes.rowCount() && problem.isEmpty(); row++) {
      ChangeKind kind = changes.kind(row);
      switch (kind) {
        case INSERT -> put(values(rows, row));
        case DELETE, UPDATE_BEFORE -> remove(values(rows, row), full);
        case UPDATE_AFTER -> put(completed(changes, row, full));
      }
    }
  }

  /** A row whose undelivered cells are those of the row before. */
  private @Nullable Object[] completed(RowChanges changes, int row, boolean full) {
    @Nullable Object[] values = values(changes.rows(), row);
    if (!changes.undelivered().any()) {
      return values;
    }
    boolean before = full && row > 0 && changes.kind(row - 1) == ChangeKind.UPDATE_BEFORE;
    for (int column = 0; column < values.length; column++) {
      if (changes.undelivered().is(column, row)) {
        if (!before) {
          unknown("an update leaves out column '" + names.get(column) + "' without an old row");
          return values;
        }
        values[column] = value(changes.rows(), column, row - 1);
      }
    }
    return values;
  }

  private void put(@Nullable Object[] values) {
    long number = number(names, values);
    if (keyNames.isEmpty()) {
      keylessSum += number;
      keylessRows++;
    } else {
      keyed.put(key(values), number);
    }
  }

  private void remove(@Nullable Object[] values, boolean full) {
    if (!keyNames.isEmpty()) {
      keyed.remove(key(values));
    } else if (full) {
      keylessSum -= number(names, values);
      keylessRows--;
    } else {
      unknown("it has no key, and a change does not carry the old row");
    }
  }

  private long key(@Nullable Object[] values) {
    @Nullable Object[] key = new @Nullable Object[keyNames.size()];
    for (int i = 0; i < key.length; i++) {
      key[i] = values[names.indexOf(keyNames.get(i))];
    }
    return number(keyNames, key);
  }

  private long number(List<String> columnNames, @Nullable Object[] values) {
    long before = numbers.value();
    numbers.add(columnNames, values);
    return numbers.value() - before;
  }

  private static @Nullable Object[] values(ColumnBatch batch, int row) {
    @Nullable Object[] values = new @Nullable Object[batch.schema().columns().size()];
    for (int column = 0; column < values.length; column++) {
      values[column] = value(batch, column, row);
    }
    return values;
  }

  private static @Nullable Object value(ColumnBatch batch, int column, int row) {
    return CellValues.of(
        batch.schema().columns().get(column).type(), batch.columns().get(column), row);
  }
}
