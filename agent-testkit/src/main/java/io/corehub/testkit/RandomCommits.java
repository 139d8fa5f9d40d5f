package io.corehub.testkit;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Truncate;
import io.corehub.testkit.SourceChange.Update;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes transactions over some tables from a seed: inserts, updates, deletes, rows deleted and
 * inserted again, key changes, and more where asked for. Confined to one caller at a time.
 */
public final class RandomCommits {

  /** What transactions may do besides. */
  public enum Extra {
    /** Rows of one commit pass keys on: swap, rotation, {@code id = id + 1}. */
    PASSED_ON_KEYS,
    /** Tables are emptied at once. */
    TRUNCATES,
    /** Tables get more columns. */
    ADDED_COLUMNS
  }

  private final Random random;
  private final RandomValues values;
  private final RandomTables types;
  private final Set<Extra> extras;
  private final List<LiveTable> tables = new ArrayList<>();
  private long order;

  /**
   * A source of transactions.
   *
   * @param seed equal seeds make equal transactions
   * @param tables tables with the rows they begin with
   * @param extras what the transactions may do besides
   */
  public RandomCommits(long seed, List<RandomTable> tables, Set<Extra> extras) {
    this.random = new Random(seed);
    this.values = new RandomValues(random);
    this.types = new RandomTables(seed + 1);
    this.extras = extras.isEmpty() ? EnumSet.noneOf(Extra.class) : EnumSet.copyOf(extras);
    tables.forEach(table -> this.tables.add(new LiveTable(table)));
  }

  /**
   * The next transaction.
   *
   * @param size most steps it takes; some transactions have none
   * @return the transaction, at a position of {@link SourceCommit#TIMELINE} after all before
   */
  public SourceCommit next(int size) {
    order += 1 + random.nextInt(5);
    List<SourceChange> changes = new ArrayList<>();
    boolean[] written = new boolean[tables.size()];
    for (int step = random.nextInt(size + 1); step > 0; step--) {
      int index = random.nextInt(tables.size());
      step(tables.get(index), !written[index], changes);
      written[index] = true;
    }
    return SourceCommit.at(order, changes.toArray(SourceChange[]::new));
  }

  private void step(LiveTable table, boolean first, List<SourceChange> changes) {
    if (first && extras.contains(Extra.TRUNCATES) && random.nextInt(12) == 0) {
      changes.add(table.truncate());
    }
    if (first && extras.contains(Extra.ADDED_COLUMNS) && random.nextInt(12) == 0) {
      table.addColumn();
    }
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> table.insert(changes);
      case 3, 4 -> table.update(changes);
      case 5 -> table.delete(changes, random.nextInt(3) == 0);
      case 6 -> table.changeKey(changes);
      default -> {
        if (extras.contains(Extra.PASSED_ON_KEYS)) {
          table.passKeysOn(changes);
        } else {
          table.update(changes);
        }
      }
    }
  }

  /** The rows of one table by the number of their key; of a keyless table by a running number. */
  private final class LiveTable {
    private TableSchema schema;
    private final TreeMap<Integer, SourceRow> rows = new TreeMap<>();
    private int firstKey;

    LiveTable(RandomTable table) {
      this.schema = table.schema();
      table.rows().forEach(row -> rows.put(rows.size(), row));
    }

    void insert(List<SourceChange> changes) {
      int n = freeNumber();
      SourceRow row = RandomTables.row(schema, n, values, random);
      rows.put(n, row);
      changes.add(new Insert(row));
    }

    void update(List<SourceChange> changes) {
      if (!rows.isEmpty()) {
        int n = liveNumber();
        replace(n, RandomTables.row(schema, n, values, random), changes);
      }
    }

    private void replace(int n, SourceRow after, List<SourceChange> changes) {
      SourceRow before = live(n);
      rows.put(n, after);
      changes.add(new Update(before, after));
    }

    void delete(List<SourceChange> changes, boolean insertAgain) {
      if (rows.isEmpty()) {
        return;
      }
      int n = liveNumber();
      changes.add(new Delete(live(n)));
      rows.remove(n);
      if (insertAgain) {
        SourceRow row = RandomTables.row(schema, n, values, random);
        rows.put(n, row);
        changes.add(new Insert(row));
      }
    }

    void changeKey(List<SourceChange> changes) {
      if (!rows.isEmpty()) {
        move(liveNumber(), freeNumber(), changes);
      }
    }

    private void move(int from, int to, List<SourceChange> changes) {
      SourceRow before = live(from);
      rows.remove(from);
      SourceRow after = RandomTables.withKey(before, to);
      rows.put(to, after);
      changes.add(new Update(before, after));
    }

    void passKeysOn(List<SourceChange> changes) {
      if (!schema.keyed() || rows.size() < 2) {
        return;
      }
      if (random.nextBoolean()) {
        rotate(2 + random.nextInt(Math.min(3, rows.size() - 1)), changes);
      } else {
        shift(changes);
      }
    }

    /** Each of a few rows takes the key of the next one, the last takes that of the first. */
    private void rotate(int count, List<SourceChange> changes) {
      List<Integer> numbers = new ArrayList<>(rows.keySet());
      Collections.shuffle(numbers, random);
      List<SourceRow> before = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        before.add(live(numbers.get(i)));
      }
      for (int i = 0; i < count; i++) {
        int taken = numbers.get((i + 1) % count);
        SourceRow after = RandomTables.withKey(before.get(i), taken);
        rows.put(taken, after);
        changes.add(new Update(before.get(i), after));
      }
    }

    /** {@code id = id + 1} over a run of neighbours, lowest first. */
    private void shift(List<SourceChange> changes) {
      int first = liveNumber();
      int end = first;
      while (rows.containsKey(end)) {
        end++;
      }
      List<SourceRow> before = new ArrayList<>(rows.subMap(first, end).values());
      rows.remove(first);
      for (int i = 0; i < before.size(); i++) {
        SourceRow after = RandomTables.withKey(before.get(i), first + i + 1);
        rows.put(first + i + 1, after);
        changes.add(new Update(before.get(i), after));
      }
    }

    /** Keys of rows that a truncate removed are not used again: a mirror may still hold them. */
    SourceChange truncate() {
      firstKey = rows.isEmpty() ? firstKey : Math.max(firstKey, rows.lastKey() + 1);
      rows.clear();
      return new Truncate(schema);
    }

    void addColumn() {
      List<Column> columns = new ArrayList<>(schema.columns());
      columns.add(Column.of("added " + columns.size(), types.type()));
      schema = new TableSchema(schema.table(), columns, schema.keyColumns(), schema.version() + 1);
      rows.replaceAll((n, row) -> row.as(schema));
    }

    private SourceRow live(int n) {
      return Objects.requireNonNull(rows.get(n));
    }

    private int liveNumber() {
      List<Integer> numbers = List.copyOf(rows.keySet());
      return numbers.get(random.nextInt(numbers.size()));
    }

    /** A number near the used ones, so that keys come back after a delete. */
    private int freeNumber() {
      int n = firstKey + random.nextInt(rows.size() + 3);
      while (rows.containsKey(n)) {
        n++;
      }
      return n;
    }
  }
}
