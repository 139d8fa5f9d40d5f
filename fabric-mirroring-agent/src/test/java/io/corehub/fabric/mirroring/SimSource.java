package io.corehub.fabric.mirroring;

import static io.corehub.fabric.mirroring.PublishingTest.LOG;
import static io.corehub.fabric.mirroring.PublishingTest.ORDERS;

import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.Row;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The history of two tables, one with a key and one without, and what each showed when. */
final class SimSource {

  static final List<TableSchema> TABLES = List.of(ORDERS, LOG);
  private static final int STEP = 10;

  private final List<SourceCommit> commits = new ArrayList<>();
  private final Map<TableId, List<List<SourceRow>>> states = new HashMap<>();
  private final Map<TableId, List<List<Row>>> appended = new HashMap<>();
  private int texts;

  SimSource(SplittableRandom random, int length) {
    Map<TableId, List<SourceRow>> now = new HashMap<>();
    for (TableSchema table : TABLES) {
      List<SourceRow> rows = new ArrayList<>();
      int count = random.nextInt(6);
      for (int id = 1; id <= count; id++) {
        rows.add(row(table, id));
      }
      now.put(table.table(), rows);
      states.put(table.table(), new ArrayList<>(List.of(List.copyOf(rows))));
      appended.put(table.table(), new ArrayList<>(List.of(List.of())));
    }
    for (int i = 1; i <= length; i++) {
      List<SourceChange> changes = new ArrayList<>();
      Map<TableId, List<Row>> added = new HashMap<>();
      for (TableSchema table : TABLES) {
        added.put(table.table(), new ArrayList<>());
        if (random.nextInt(3) > 0) {
          int count = 1 + random.nextInt(random.nextInt(6) == 0 ? 9 : 3);
          for (int c = 0; c < count; c++) {
            change(random, table, now.get(table.table()), added.get(table.table()), changes);
          }
        }
      }
      commits.add(SourceCommit.at((long) i * STEP, changes.toArray(SourceChange[]::new)));
      for (TableSchema table : TABLES) {
        states.get(table.table()).add(List.copyOf(now.get(table.table())));
        appended.get(table.table()).add(List.copyOf(added.get(table.table())));
      }
    }
  }

  private SourceRow row(TableSchema table, int id) {
    return SourceRow.of(table, id, "t" + ++texts);
  }

  private void change(
      SplittableRandom random,
      TableSchema table,
      List<SourceRow> rows,
      List<Row> added,
      List<SourceChange> changes) {
    int kind = random.nextInt(10);
    if (rows.isEmpty() || kind < 4) {
      int id = 1;
      for (SourceRow row : rows) {
        id = Math.max(id, (int) row.cell(0) + 1);
      }
      SourceRow after = row(table, id);
      rows.add(after);
      added.add(after.view());
      changes.add(new SourceChange.Insert(after));
      return;
    }
    int at = random.nextInt(rows.size());
    SourceRow before = rows.get(at);
    if (kind < 8) {
      update(rows, at, row(table, (int) before.cell(0)), added, changes);
    } else if (kind == 8) {
      exchangeKeys(random, table, rows, added, changes);
    } else {
      rows.remove(at);
      changes.add(new SourceChange.Delete(before));
    }
  }

  /** A row takes another key, or two rows exchange theirs. */
  private void exchangeKeys(
      SplittableRandom random,
      TableSchema table,
      List<SourceRow> rows,
      List<Row> added,
      List<SourceChange> changes) {
    int one = random.nextInt(rows.size());
    int other = random.nextInt(rows.size());
    SourceRow first = rows.get(one);
    SourceRow second = rows.get(other);
    update(
        rows, one, row(table, one == other ? 1_000 + texts : (int) second.cell(0)), added, changes);
    if (one != other) {
      update(rows, other, row(table, (int) first.cell(0)), added, changes);
    }
  }

  private static void update(
      List<SourceRow> rows, int at, SourceRow after, List<Row> added, List<SourceChange> changes) {
    changes.add(new SourceChange.Update(rows.set(at, after), after));
    added.add(after.view());
  }

  long end() {
    return (long) commits.size() * STEP;
  }

  /** A position between two others. */
  long between(SplittableRandom random, long from, long to) {
    return from + STEP * (long) random.nextInt((int) ((to - from) / STEP) + 1);
  }

  List<SourceCommit> after(long order) {
    return commits.subList((int) (order / STEP), commits.size());
  }

  List<SourceRow> rowsAt(TableSchema table, long order) {
    return states.get(table.table()).get((int) (order / STEP));
  }

  /** What the mirror shows at a position when it was loaded at another one. */
  Rows mirrored(TableSchema table, long loadedAt, long order) {
    if (table.keyed()) {
      return Rows.ofSource(rowsAt(table, order));
    }
    List<Row> rows = new ArrayList<>();
    rowsAt(table, loadedAt).forEach(row -> rows.add(row.view()));
    for (int i = (int) (loadedAt / STEP) + 1; i <= order / STEP; i++) {
      rows.addAll(appended.get(table.table()).get(i));
    }
    return Rows.of(rows);
  }

  /** Position of the last commit up to one that changed a table; 0 if there is none. */
  long lastTouching(TableSchema table, long upTo) {
    for (int i = (int) (upTo / STEP); i >= 1; i--) {
      if (commits.get(i - 1).changes().stream()
          .anyMatch(change -> change.table().equals(table.table()))) {
        return (long) i * STEP;
      }
    }
    return 0;
  }

  /** The same, where only changes count that leave something to write. */
  long lastWritten(TableSchema table, long upTo) {
    for (int i = (int) (upTo / STEP); i >= 1; i--) {
      boolean written =
          table.keyed()
              ? commits.get(i - 1).changes().stream()
                  .anyMatch(change -> change.table().equals(table.table()))
              : !appended.get(table.table()).get(i).isEmpty();
      if (written) {
        return (long) i * STEP;
      }
    }
    return 0;
  }
}
