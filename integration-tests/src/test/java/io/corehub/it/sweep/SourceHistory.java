package io.corehub.it.sweep;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnType.Kind;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.testkit.ReferenceModel;
import io.corehub.testkit.Rows;
import io.corehub.testkit.SourceChange.Delete;
import io.corehub.testkit.SourceChange.Insert;
import io.corehub.testkit.SourceChange.Update;
import io.corehub.testkit.SourceCommit;
import io.corehub.testkit.SourceRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * What happens in a source: a keyed and a keyless table are loaded at position 0, and commits 1 to
 * {@link #COMMITS} follow. The keyless table's snapshot and one commit of it are too large for a
 * single upload block of 1 MB. Immutable.
 */
final class SourceHistory {

  static final TableSchema ORDERS = schema("orders", List.of("id"));
  static final TableSchema LOG = schema("log", List.of());

  /** The last commit before the process ends for the first time. */
  static final int FIRST_PART = 5;

  static final int COMMITS = 8;
  private static final int LARGE_COMMIT = 3;
  private static final int LARGE_TEXT = 55_000;
  private static final int LARGE_ROWS = 24;
  private static final int LOADED = 30;
  private static final Map<Integer, String> LARGE = new ConcurrentHashMap<>();
  private static final Map<TableSchema, Rows> EXPECTED =
      Map.of(ORDERS, mirrorOf(ORDERS), LOG, mirrorOf(LOG));

  private SourceHistory() {}

  private static TableSchema schema(String name, List<String> key) {
    return new TableSchema(
        TableId.of("shop", name),
        List.of(
            new Column("id", ColumnType.of(Kind.INT), false, Optional.empty()),
            Column.of("text", ColumnType.of(Kind.STRING))),
        key,
        1);
  }

  static List<TableSchema> tables() {
    return List.of(ORDERS, LOG);
  }

  /** The rows of a table at position 0. */
  static List<SourceRow> loaded(TableSchema table) {
    return IntStream.rangeClosed(1, LOADED)
        .mapToObj(
            id ->
                SourceRow.of(table, id, table == LOG && id <= LARGE_ROWS ? large(id) : "row " + id))
        .toList();
  }

  /** A text that does not compress well, always the same for an id. */
  private static String large(int id) {
    return LARGE.computeIfAbsent(
        id,
        seed ->
            new Random(seed)
                .ints(LARGE_TEXT, ' ', 127)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString());
  }

  /** The commits after a position and up to another one. */
  static List<SourceCommit> commits(long after, long upTo) {
    List<SourceCommit> commits = new ArrayList<>();
    for (int order = Math.toIntExact(after) + 1; order <= upTo; order++) {
      commits.add(commit(order));
    }
    return commits;
  }

  private static SourceCommit commit(int order) {
    if (order == LARGE_COMMIT) {
      return SourceCommit.at(
          order,
          IntStream.rangeClosed(1, LARGE_ROWS)
              .mapToObj(i -> new Insert(SourceRow.of(LOG, 1000 + i, large(i))))
              .toArray(Insert[]::new));
    }
    SourceRow changed = SourceRow.of(ORDERS, LOADED, "row " + LOADED);
    SourceRow before = order == 1 ? changed : changed.with(1, "changed by " + previous(order));
    return SourceCommit.at(
        order,
        new Insert(SourceRow.of(LOG, 100 + order, "commit " + order)),
        new Update(before, changed.with(1, "changed by " + order)),
        new Insert(SourceRow.of(ORDERS, 100 + order, "commit " + order)),
        new Delete(
            order == 1
                ? SourceRow.of(ORDERS, LOADED - 1, "row " + (LOADED - 1))
                : SourceRow.of(ORDERS, 100 + previous(order), "commit " + previous(order))));
  }

  private static int previous(int order) {
    return order - 1 == LARGE_COMMIT ? order - 2 : order - 1;
  }

  /** The rows of a keyless table in the source after a commit, as a snapshot finds them. */
  static List<SourceRow> logAt(long position) {
    List<SourceRow> rows = new ArrayList<>(loaded(LOG));
    for (SourceCommit commit : commits(0, position)) {
      commit.changes().stream()
          .filter(change -> change.table().equals(LOG.table()))
          .forEach(change -> rows.add(((Insert) change).after()));
    }
    return rows;
  }

  /** What the mirrored database shows of a table at the end. */
  static Rows expected(TableSchema table) {
    return EXPECTED.get(table);
  }

  private static Rows mirrorOf(TableSchema table) {
    ReferenceModel model = new ReferenceModel();
    tables().forEach(schema -> model.snapshot(schema, loaded(schema)));
    commits(0, COMMITS).forEach(model::apply);
    return model.fabricMirror(table.table());
  }
}
