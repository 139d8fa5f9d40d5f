package io.corehub.testkit;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Makes tables of all types from a seed: keyed and keyless, with and without schema, with names
 * that need care. Confined to one caller at a time.
 *
 * <p>No table has a BIG_DECIMAL without precision: targets may refuse it.
 */
public final class RandomTables {

  private static final List<String> NAMES =
      List.of(
          "Orders", "order lines", "50%", "a+b#c", "Größe", "it's", "x.y", "UPPER", "日本", "~tilde");
  private static final List<String> SCHEMAS = List.of("sales", "Über uns", "s.t", "100%");
  private static final List<Kind> KEY_KINDS =
      List.of(Kind.INT, Kind.LONG, Kind.STRING, Kind.BIG_DECIMAL, Kind.LOCAL_DATE, Kind.SHORT);

  private final Random random;
  private final RandomValues values;
  private int made;

  /**
   * A source of tables.
   *
   * @param seed equal seeds make equal tables
   */
  public RandomTables(long seed) {
    this.random = new Random(seed);
    this.values = new RandomValues(random);
  }

  /**
   * Another table, with a name no table of this source has had.
   *
   * @param size how large it may be: rows up to twice this number, columns up to 20
   * @return the table
   */
  public RandomTable next(int size) {
    int keyColumns = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(3);
    return next(size, keyColumns);
  }

  /**
   * Another table with a primary key of so many columns.
   *
   * @param size as for {@link #next(int)}
   * @param keyColumns number of key columns; 0 for a keyless table
   * @return the table
   */
  public RandomTable next(int size, int keyColumns) {
    TableSchema schema = schema(size, keyColumns);
    List<SourceRow> rows = new ArrayList<>();
    int count = random.nextInt(2 * size + 1);
    for (int i = 0; i < count; i++) {
      rows.add(row(schema, i, values, random));
    }
    return new RandomTable(schema, rows);
  }

  private TableSchema schema(int size, int keyColumns) {
    List<Column> columns = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    int others = 1 + random.nextInt(Math.min(18, size + 2));
    int keysLeft = keyColumns;
    int othersLeft = others;
    while (keysLeft + othersLeft > 0) {
      if (random.nextInt(keysLeft + othersLeft) < keysLeft) {
        keysLeft--;
        String name = "key " + columns.size();
        columns.add(new Column(name, keyType(), false, Optional.empty()));
        keys.add(random.nextInt(keys.size() + 1), name);
      } else {
        othersLeft--;
        columns.add(Column.of(columnName(columns.size()), type()));
      }
    }
    return new TableSchema(tableId(), columns, keys, 1);
  }

  private TableId tableId() {
    String name = NAMES.get(random.nextInt(NAMES.size())) + " " + made++;
    return random.nextInt(3) == 0
        ? TableId.of(name)
        : TableId.of(SCHEMAS.get(random.nextInt(SCHEMAS.size())), name);
  }

  private String columnName(int index) {
    return List.of("c", "with space ", "Ünï", "quote\"", "a.b", "Total €").get(random.nextInt(6))
        + index;
  }

  private ColumnType keyType() {
    Kind kind = KEY_KINDS.get(random.nextInt(KEY_KINDS.size()));
    return kind == Kind.BIG_DECIMAL
        ? ColumnType.decimal(random.nextBoolean() ? 12 : 30, 2)
        : ColumnType.of(kind);
  }

  ColumnType type() {
    Kind[] kinds = Kind.values();
    Kind kind = kinds[random.nextInt(kinds.length)];
    if (kind != Kind.BIG_DECIMAL) {
      return ColumnType.of(kind);
    }
    int precision = List.of(1, 9, 10, 18, 19, 38).get(random.nextInt(6));
    return ColumnType.decimal(precision, random.nextInt(precision + 1));
  }

  /** A row whose key is the n-th of its table; cells of other columns are random. */
  static SourceRow row(TableSchema schema, int n, RandomValues values, Random random) {
    @Nullable Object[] cells = new @Nullable Object[schema.columns().size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = random.nextInt(5) == 0 ? null : values.next(schema.columns().get(i).type());
    }
    return withKey(SourceRow.of(schema, cells), n);
  }

  /** The same row with the n-th key of its table. */
  static SourceRow withKey(SourceRow row, int n) {
    int[] keys = row.schema().keyIndexes();
    SourceRow changed = row;
    int rest = n;
    for (int i = 0; i < keys.length; i++) {
      boolean last = i == keys.length - 1;
      int part = last ? rest : rest % 3;
      rest /= 3;
      changed = changed.with(keys[i], keyCell(row.schema().columns().get(keys[i]).type(), part));
    }
    return changed;
  }

  private static Object keyCell(ColumnType type, int n) {
    return switch (type.kind()) {
      case INT, SHORT -> n - 2;
      case LONG -> (n - 1) * 1_000_000_000_000L;
      case BIG_DECIMAL -> Integer.toString(n);
      case LOCAL_DATE -> LocalDate.of(1969, 12, 30).plusDays(n);
      default -> "key-" + n;
    };
  }
}
