package io.corehub.runtime.rows;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import io.corehub.runtime.text.Text;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds halves of surrogate pairs in text: they travel as three bytes that are not valid UTF-8
 * (0xED, then 0xA0 to 0xBF). Thread-safe.
 */
final class Utf8Rule implements CellRule {

  private static final byte LEAD = (byte) 0xED;
  private static final long NOT_ASCII = 0x8080_8080_8080_8080L;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Column column;
  private final Unfit unfit;

  Utf8Rule(Column column, Unfit unfit) {
    this.column = column;
    this.unfit = unfit;
  }

  @Override
  public ColumnVector apply(ColumnVector in, int from, int to, Replacements replacements) {
    ColumnVector.OfBytes bytes = (ColumnVector.OfBytes) in;
    int at = next(bytes.data(), bytes.offsets()[from], bytes.offsets()[to]);
    if (at < 0) {
      return in;
    }
    int row = rowOf(bytes, at, from);
    if (unfit.stops()) {
      throw new RefusedValueException(
          row,
          "column '"
              + Text.shown(column.name())
              + "': the text holds half a surrogate pair, which UTF-8 cannot express. "
              + unfit.advice());
    }
    return unfit.nulls()
        ? nulled(bytes, row, to, replacements)
        : replaced(bytes, from, to, replacements);
  }

  private static int next(byte[] data, int from, int to) {
    int i = from;
    // Most text is ASCII: eight bytes at a time are passed over then.
    while (i <= to - Long.BYTES && ((long) LONGS.get(data, i) & NOT_ASCII) == 0) {
      i += Long.BYTES;
    }
    for (; i < to - 1; i++) {
      if (data[i] == LEAD && (data[i + 1] & 0xE0) == 0xA0) {
        return i;
      }
    }
    return -1;
  }

  private static int rowOf(ColumnVector.OfBytes in, int at, int from) {
    int row = from;
    while (in.offsets()[row + 1] <= at) {
      row++;
    }
    return row;
  }

  private static ColumnVector nulled(
      ColumnVector.OfBytes in, int first, int to, Replacements replacements) {
    long[] present = Vectors.presentBits(in);
    for (int row = first; row < to; row++) {
      if (next(in.data(), in.offsets()[row], in.offsets()[row + 1]) >= 0) {
        Vectors.clear(present, row);
        replacements.count();
      }
    }
    return Vectors.withNulls(in, Nulls.ofPresentBits(present, in.size()));
  }

  /** Each half becomes U+FFFD, which is three bytes long too. */
  private static ColumnVector replaced(
      ColumnVector.OfBytes in, int from, int to, Replacements replacements) {
    byte[] data = in.data().clone();
    for (int row = from; row < to; row++) {
      int end = in.offsets()[row + 1];
      boolean any = false;
      for (int at = next(data, in.offsets()[row], end); at >= 0; at = next(data, at, end)) {
        data[at] = (byte) 0xEF;
        data[at + 1] = (byte) 0xBF;
        data[at + 2] = (byte) 0xBD;
        any = true;
      }
      if (any) {
        replacements.count();
      }
    }
    return new ColumnVector.OfBytes(data, in.offsets(), in.size(), in.nulls());
  }
}
