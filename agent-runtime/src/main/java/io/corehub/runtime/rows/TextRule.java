package io.corehub.runtime.rows;

import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnVector;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes values of any type as text: numbers in plain digits, dates and times as ISO-8601. */
final class TextRule implements CellRule {

  private final ColumnType from;

  TextRule(ColumnType from) {
    this.from = from;
  }

  @Override
  public ColumnVector apply(ColumnVector in, int begin, int end, Replacements replacements) {
    if (from.decimalWithoutPrecision()) {
      return in;
    }
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    int[] offsets = new int[in.size() + 1];
    for (int row = begin; row < end; row++) {
      offsets[row] = data.size();
      if (!in.nulls().isNull(row)) {
        data.writeBytes(CellValues.text(from, in, row).getBytes(StandardCharsets.UTF_8));
      }
    }
    for (int row = end; row <= in.size(); row++) {
      offsets[row] = data.size();
    }
    return new ColumnVector.OfBytes(data.toByteArray(), offsets, in.size(), in.nulls());
  }
}
