package io.corehub.cycles;

/**
 * What comes before the position in a sequence of a combined job: 20 digits that put a table's rows
 * of a later load, schema or phase behind all earlier ones. Immutable.
 *
 * @param incarnation which load of the table, 1 to 999,999,999
 * @param schemaVersion which shape of the table, 1 to 999,999,999
 * @param phase where the table stands
 */
record SequencePrefix(int incarnation, int schemaVersion, Phase phase) {

  /** Digits of the prefix. */
  static final int DIGITS = 20;

  private static final int MOST = 999_999_999;

  /** Checks that the numbers have nine digits at most. */
  SequencePrefix {
    check("incarnation", incarnation);
    check("schema version", schemaVersion);
  }

  private static void check(String what, int value) {
    if (value < 1 || value > MOST) {
      throw new IllegalArgumentException(
          "The " + what + " " + value + " of a sequence is not between 1 and " + MOST);
    }
  }

  /** The 20 digits. */
  @Override
  public String toString() {
    return String.format("%09d%09d%02d", incarnation, schemaVersion, phase.code());
  }
}
