package io.corehub.testkit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of a table, in no order; equal rows count as often as they occur. Immutable.
 *
 * @param rows the rows, sorted
 */
public record Rows(List<Row> rows) {

  private static final int SHOWN = 5;

  /** No row. */
  public static final Rows NONE = new Rows(List.of());

  /** Sorts the rows. */
  public Rows {
    Map<Row, String> texts = new HashMap<>();
    rows.forEach(row -> texts.computeIfAbsent(row, Row::toString));
    rows = rows.stream().sorted(Comparator.comparing(texts::get)).toList();
  }

  /**
   * The given rows.
   *
   * @param rows rows in any order
   * @return the rows
   */
  public static Rows of(Collection<Row> rows) {
    return new Rows(List.copyOf(rows));
  }

  /**
   * The rows of source rows.
   *
   * @param rows rows in any order
   * @return the rows
   */
  public static Rows ofSource(Collection<SourceRow> rows) {
    return of(rows.stream().map(SourceRow::view).toList());
  }

  /**
   * How many rows there are.
   *
   * @return the number
   */
  public int count() {
    return rows.size();
  }

  /**
   * Tells how these rows differ from those expected, for the text of a failed assertion.
   *
   * @param expected what should be here
   * @return the first missing and surplus rows; empty if there is no difference
   */
  public String differenceTo(Rows expected) {
    List<Row> missing = minus(expected.rows, rows);
    List<Row> surplus = minus(rows, expected.rows);
    if (missing.isEmpty() && surplus.isEmpty()) {
      return "";
    }
    return String.format(
        "%d rows instead of %d; %d missing %s; %d too many %s",
        rows.size(),
        expected.rows.size(),
        missing.size(),
        missing.subList(0, Math.min(SHOWN, missing.size())),
        surplus.size(),
        surplus.subList(0, Math.min(SHOWN, surplus.size())));
  }

  private static List<Row> minus(List<Row> from, List<Row> taken) {
    Map<Row, Integer> counts = new HashMap<>();
    taken.forEach(row -> counts.merge(row, 1, Integer::sum));
    List<Row> left = new ArrayList<>();
    for (Row row : from) {
      if (counts.getOrDefault(row, 0) > 0) {
        counts.merge(row, -1, Integer::sum);
      } else {
        left.add(row);
      }
    }
    return left;
  }
}
