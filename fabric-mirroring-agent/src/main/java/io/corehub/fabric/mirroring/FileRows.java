package io.corehub.fabric.mirroring;

import io.corehub.agent.table.ColumnVector;
import java.util.List;

/**
 * Rows as they go into a file. Immutable.
 *
 * @param columns one vector for each column of the file
 * @param from first row
 * @param to row behind the last
 */
record FileRows(List<ColumnVector> columns, int from, int to) {

  /** No rows. */
  static final FileRows NONE = new FileRows(List.of(), 0, 0);

  int count() {
    return to - from;
  }
}
