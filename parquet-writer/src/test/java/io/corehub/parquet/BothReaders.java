package io.corehub.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Compares a file with the values it was written from, through two independent readers. */
final class BothReaders {

  private BothReaders() {}

  static void agree(Path file, Sample sample, String what) throws Exception {
    compare(ParquetJava.read(file, sample.schema()), sample, what + ", parquet-java");
    try (DuckDb duckDb = new DuckDb()) {
      compare(duckDb.read(file, sample.schema()), sample, what + ", DuckDB");
    }
  }

  private static void compare(List<List<Object>> read, Sample sample, String what) {
    for (int i = 0; i < sample.columns().size(); i++) {
      List<Object> expected = sample.columns().get(i);
      List<Object> actual = read.get(i);
      ParquetColumn column = sample.schema().columns().get(i);
      assertThat(actual).as("rows of %s of %s", column, what).hasSize(expected.size());
      for (int row = 0; row < expected.size(); row++) {
        if (!same(expected.get(row), actual.get(row))) {
          assertThat(actual.get(row))
              .as("row %d of %s of %s", row, column, what)
              .isEqualTo(expected.get(row));
        }
      }
    }
  }

  private static boolean same(Object expected, Object actual) {
    if (expected instanceof byte[] bytes) {
      return actual instanceof byte[] other && Arrays.equals(bytes, other);
    }
    // Boxed floating point numbers compare by their bits: -0.0 is not 0.0.
    return expected == null ? actual == null : expected.equals(actual);
  }
}
