package io.corehub.cycles;

import io.corehub.agent.Commit;
import io.corehub.agent.table.ColumnType.Storage;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import io.corehub.runtime.rows.Vectors;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/** The columns of data files that the table does not have, the sequence excepted. Pure. */
final class MetadataVectors {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmssSSSSSS").withZone(ZoneOffset.UTC);

  private MetadataVectors() {}

  /** A time as its column holds it: 20 digits down to the microsecond, in UTC. */
  static String time(Instant time) {
    return TIME.format(time);
  }

  /** The same time in each row. */
  static ColumnVector times(Instant time, int size) {
    byte[] text = time(time).getBytes(StandardCharsets.US_ASCII);
    byte[] data = new byte[text.length * size];
    int[] offsets = new int[size + 1];
    for (int row = 0; row < size; row++) {
      System.arraycopy(text, 0, data, offsets[row], text.length);
      offsets[row + 1] = offsets[row] + text.length;
    }
    return new ColumnVector.OfBytes(data, offsets, size, Nulls.NONE);
  }

  /** No value in any row. */
  static ColumnVector nulls(int size) {
    return Vectors.allNull(Storage.BYTES, size);
  }

  /**
   * Texts of one byte.
   *
   * @param bytes one for each row; belongs to the vector afterwards
   */
  static ColumnVector singleBytes(byte[] bytes, int size) {
    int[] offsets = new int[size + 1];
    for (int row = 0; row <= size; row++) {
      offsets[row] = row;
    }
    return new ColumnVector.OfBytes(bytes, offsets, size, Nulls.NONE);
  }

  /**
   * A text of the commit of each row.
   *
   * @param commits the commits
   * @param commitOf index of the commit of each row, not decreasing
   * @param text the text, made once for each run of rows of one commit
   */
  static ColumnVector ofCommits(
      NumberedCommits commits, int[] commitOf, Function<Commit, Optional<String>> text) {
    int size = commitOf.length;
    byte[] data = {};
    int[] offsets = new int[size + 1];
    long[] present = new long[Vectors.words(size)];
    for (int row = 0; row < size; ) {
      int end = endOfRun(commitOf, row);
      Optional<String> told = text.apply(commits.commit(commitOf[row]));
      if (told.isPresent()) {
        byte[] value = told.get().getBytes(StandardCharsets.UTF_8);
        data = withRoom(data, offsets[row], (long) value.length * (end - row));
        for (int i = row; i < end; i++) {
          System.arraycopy(value, 0, data, offsets[i], value.length);
          offsets[i + 1] = offsets[i] + value.length;
          Vectors.set(present, i);
        }
      } else {
        Arrays.fill(offsets, row + 1, end + 1, offsets[row]);
      }
      row = end;
    }
    return new ColumnVector.OfBytes(data, offsets, size, Nulls.ofPresentBits(present, size));
  }

  private static int endOfRun(int[] commitOf, int from) {
    int end = from + 1;
    while (end < commitOf.length && commitOf[end] == commitOf[from]) {
      end++;
    }
    return end;
  }

  private static byte[] withRoom(byte[] data, int used, long more) {
    long needed = used + more;
    return needed <= data.length
        ? data
        : Arrays.copyOf(
            data,
            Math.toIntExact(Math.max(needed, Math.min(2L * data.length, Integer.MAX_VALUE - 8))));
  }
}
