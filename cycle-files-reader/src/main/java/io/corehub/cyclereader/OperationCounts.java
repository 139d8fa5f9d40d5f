package io.corehub.cyclereader;

import java.util.Optional;

/**
 * How many rows of each operation there are. Immutable.
 *
 * @param inserts I
 * @param updates U
 * @param deletes D
 * @param truncates T
 * @param loadInserts Y
 * @param loadDeletes X
 */
record OperationCounts(
    long inserts, long updates, long deletes, long truncates, long loadInserts, long loadDeletes) {

  static final OperationCounts NONE = new OperationCounts(0, 0, 0, 0, 0, 0);

  /** One row more; empty if there is no such operation. */
  Optional<OperationCounts> plus(String operation) {
    long one = 1;
    return switch (operation) {
      case "I" -> Optional.of(with(one, 0, 0, 0, 0, 0));
      case "U" -> Optional.of(with(0, one, 0, 0, 0, 0));
      case "D" -> Optional.of(with(0, 0, one, 0, 0, 0));
      case "T" -> Optional.of(with(0, 0, 0, one, 0, 0));
      case "Y" -> Optional.of(with(0, 0, 0, 0, one, 0));
      case "X" -> Optional.of(with(0, 0, 0, 0, 0, one));
      default -> Optional.empty();
    };
  }

  OperationCounts plus(OperationCounts other) {
    return with(
        other.inserts,
        other.updates,
        other.deletes,
        other.truncates,
        other.loadInserts,
        other.loadDeletes);
  }

  private OperationCounts with(long i, long u, long d, long t, long y, long x) {
    return new OperationCounts(
        inserts + i, updates + u, deletes + d, truncates + t, loadInserts + y, loadDeletes + x);
  }

  long total() {
    return inserts + updates + deletes + truncates + loadInserts + loadDeletes;
  }

  /** For people. */
  @Override
  public String toString() {
    return String.format(
        "%d I, %d U, %d D, %d T, %d Y, %d X",
        inserts, updates, deletes, truncates, loadInserts, loadDeletes);
  }
}
