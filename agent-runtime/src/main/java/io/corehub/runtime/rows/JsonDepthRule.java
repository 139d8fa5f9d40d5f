package io.corehub.runtime.rows;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnVector;
import io.corehub.runtime.text.Text;

/**
 * Refuses JSON nested deeper than readers of the files can be expected to follow. Looks at the
 * brackets alone. Thread-safe.
 */
final class JsonDepthRule implements CellRule {

  static final int MOST_LEVELS = 256;

  private final Column column;

  JsonDepthRule(Column column) {
    this.column = column;
  }

  @Override
  public ColumnVector apply(ColumnVector in, int from, int to, Replacements replacements) {
    ColumnVector.OfBytes json = (ColumnVector.OfBytes) in;
    for (int row = from; row < to; row++) {
      if (json.length(row) > MOST_LEVELS && tooDeep(json, row)) {
        throw new RefusedValueException(
            row,
            "column '"
                + Text.shown(column.name())
                + "': the JSON is nested deeper than "
                + MOST_LEVELS
                + " levels. Flatten it in the source, or leave the column out.");
      }
    }
    return in;
  }

  private static boolean tooDeep(ColumnVector.OfBytes json, int row) {
    byte[] data = json.data();
    int end = json.offsets()[row + 1];
    boolean text = false;
    int depth = 0;
    for (int i = json.offsets()[row]; i < end; i++) {
      switch (data[i]) {
        case '"' -> text = !text;
        case '\\' -> i += text ? 1 : 0;
        case '[', '{' -> {
          if (!text && ++depth > MOST_LEVELS) {
            return true;
          }
        }
        case ']', '}' -> depth -= text ? 0 : 1;
        default -> {}
      }
    }
    return false;
  }
}
