package io.corehub.cycles;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a file says: which cycle it belongs to, and as what. The way back from the names
 * that {@link CycleName} and {@link CycleLayout} give. Pure.
 */
sealed interface CycleFileName {

  /** Most parts of one table in one cycle: parts are numbered with four digits. */
  int MOST_PARTS = 9_999;

  /** The cycle. */
  CycleName cycle();

  /** {@code Cycle-<14 digits>.csv}. */
  record Completed(CycleName cycle) implements CycleFileName {}

  /** {@code Cycle-contents-<14 digits>.csv}. */
  record Contents(CycleName cycle) implements CycleFileName {}

  /** {@code _manifest-<14 digits>.json}. */
  record Manifest(CycleName cycle) implements CycleFileName {}

  /**
   * {@code <table>_<14 digits>[_<4 digits>].<ending>}.
   *
   * @param table the table as its path segment is written
   * @param part from 1
   */
  record Data(CycleName cycle, String table, int part) implements CycleFileName {}

  /** The names. */
  Pattern COMPLETED = Pattern.compile("Cycle-(\\d{14})\\.csv");

  /** The names. */
  Pattern CONTENTS = Pattern.compile("Cycle-contents-(\\d{14})\\.csv");

  /** The names. */
  Pattern MANIFEST = Pattern.compile("_manifest-(\\d{14})\\.json");

  /** The names. */
  Pattern DATA =
      Pattern.compile(
          "([^_].*)_(\\d{14})(?:_(\\d{4}))?\\.(?:csv|csv\\.gz|parquet)", Pattern.DOTALL);

  /**
   * Reads a name.
   *
   * @param name last segment of a path
   * @return empty if it is no file of a cycle, such as a temporary one
   */
  static Optional<CycleFileName> of(String name) {
    Matcher completed = COMPLETED.matcher(name);
    if (completed.matches()) {
      return CycleName.ofDigits(completed.group(1)).map(Completed::new);
    }
    Matcher contents = CONTENTS.matcher(name);
    if (contents.matches()) {
      return CycleName.ofDigits(contents.group(1)).map(Contents::new);
    }
    Matcher manifest = MANIFEST.matcher(name);
    if (manifest.matches()) {
      return CycleName.ofDigits(manifest.group(1)).map(Manifest::new);
    }
    Matcher data = DATA.matcher(name);
    if (data.matches()) {
      int part = data.group(3) == null ? 1 : Integer.parseInt(data.group(3));
      return CycleName.ofDigits(data.group(2)).map(c -> new Data(c, data.group(1), part));
    }
    return Optional.empty();
  }

  /**
   * Name of a data file.
   *
   * @param table the table as its path segment is written
   * @param cycle the cycle
   * @param part from 1 to {@link #MOST_PARTS}
   * @param ending such as {@code .csv}
   */
  static String data(String table, CycleName cycle, int part, String ending) {
    if (part < 1 || part > MOST_PARTS) {
      throw new IllegalArgumentException(
          "Part " + part + " of table " + table + ": parts are numbered 1 to " + MOST_PARTS);
    }
    String number = part == 1 ? "" : String.format("_%04d", part);
    return table + "_" + cycle.digits() + number + ending;
  }
}
