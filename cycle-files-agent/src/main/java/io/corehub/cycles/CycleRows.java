package io.corehub.cycles;

import io.corehub.agent.table.ColumnVector;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Rows as they go into a data file, in the order of their sequences. Immutable.
 *
 * @param columns one vector for each of {@link TableShape#all()}
 * @param from first row
 * @param to row behind the last
 * @param counts how many there are of each operation
 */
record CycleRows(List<ColumnVector> columns, int from, int to, RowCounts counts) {

  private static final int SEQUENCE_COLUMN = 1;

  /** Number of rows. */
  int count() {
    return to - from;
  }

  /** Sequence of the first row; there must be one. */
  String firstSequence() {
    return sequence(from);
  }

  /** Sequence of the last row; there must be one. */
  String lastSequence() {
    return sequence(to - 1);
  }

  private String sequence(int row) {
    ColumnVector.OfBytes sequences = (ColumnVector.OfBytes) columns.get(SEQUENCE_COLUMN);
    return new String(sequences.copyOf(row), StandardCharsets.US_ASCII);
  }

  /** Memory held by the vectors; arrays shared with other rows count too. */
  long bytes() {
    long bytes = 0;
    for (ColumnVector column : columns) {
      bytes += column.bytes();
    }
    return bytes;
  }
}
