package io.corehub.hub.compare;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Tables counted and summed on both sides. Immutable.
 *
 * @param lines one for each table of the source
 */
public record Comparison(List<Line> lines) {

  /** Copies the list. */
  public Comparison {
    lines = List.copyOf(lines);
  }

  /**
   * One side of a table.
   *
   * @param rows rows
   * @param sum checksum
   * @param problem why the side is not what it should be; empty if all is well
   */
  public record Side(long rows, String sum, Optional<String> problem) {}

  /**
   * One table.
   *
   * @param table its name on the way to the target
   * @param source the source
   * @param mirrored the mirrored table; empty if there is none
   */
  public record Line(String table, Side source, Optional<Side> mirrored) {

    boolean agrees() {
      return source.problem.isEmpty()
          && mirrored
              .map(m -> m.rows == source.rows && m.sum.equals(source.sum) && m.problem.isEmpty())
              .orElse(false);
    }
  }

  /**
   * Whether all tables agree.
   *
   * @return false if there is no table at all
   */
  public boolean agrees() {
    return !lines.isEmpty() && lines.stream().allMatch(Line::agrees);
  }

  /**
   * Prints a table for people.
   *
   * @param out where to
   */
  public void print(PrintWriter out) {
    out.printf(
        "%-20s %12s %12s  %-16s  %-16s  %s%n",
        "Table", "Source rows", "Mirrored", "Source checksum", "Mirrored", "Result");
    for (Line line : lines) {
      out.printf(
          Locale.ROOT,
          "%-20s %,12d %12s  %-16s  %-16s  %s%n",
          line.table,
          line.source.rows,
          line.mirrored.map(m -> String.format(Locale.ROOT, "%,d", m.rows)).orElse("-"),
          line.source.sum,
          line.mirrored.map(Side::sum).orElse("-"),
          line.agrees() ? "equal" : "DIFFERENT");
      line.source.problem.ifPresent(problem -> out.println("  source: " + problem));
      line.mirrored
          .flatMap(Side::problem)
          .ifPresent(problem -> out.println("  mirrored: " + problem));
    }
    out.println(
        agrees()
            ? "All " + lines.size() + " tables agree."
            : "The tables do not agree; see the lines above.");
    out.flush();
  }
}
