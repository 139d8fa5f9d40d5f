package io.corehub.cycles;

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
record RowCounts(
    long inserts, long updates, long deletes, long truncates, long loadInserts, long loadDeletes) {

  /** No rows. */
  static final RowCounts NONE = new RowCounts(0, 0, 0, 0, 0, 0);

  /** The sums. */
  RowCounts plus(RowCounts other) {
    return new RowCounts(
        inserts + other.inserts,
        updates + other.updates,
        deletes + other.deletes,
        truncates + other.truncates,
        loadInserts + other.loadInserts,
        loadDeletes + other.loadDeletes);
  }

  /** Rows of all operations. */
  long total() {
    return inserts + updates + deletes + truncates + loadInserts + loadDeletes;
  }
}
