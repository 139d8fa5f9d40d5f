package io.corehub.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowGroupPolicyTest {

  @TempDir Path folder;

  @Test
  void exactGroupsHoldExactlyTheirRowsButTheLast() throws Exception {
    assertThat(groups(RowGroupPolicy.exactly(1000), numbers(4500), 700))
        .containsExactly(1000L, 1000L, 1000L, 1000L, 500L);
    assertThat(groups(RowGroupPolicy.exactly(1), numbers(3), 3)).containsExactly(1L, 1L, 1L);
  }

  @Test
  void joiningGroupsGrowToTheirGreatestSize() throws Exception {
    assertThat(groups(RowGroupPolicy.joining(10_000), numbers(230_000), 10_000))
        .containsExactly(100_000L, 100_000L, 30_000L);
    assertThat(groups(RowGroupPolicy.joining(150_000), numbers(160_000), 10_000))
        .containsExactly(150_000L, 10_000L);
  }

  @Test
  void joiningGroupsEndAtTheirBytesOnceTheyHaveTheirLeastRows() throws Exception {
    List<Object> texts = texts(5000, 1000);
    assertThat(groups(new RowGroupPolicy(100, 100_000, 1_000_000, 9_000_000), texts, 5000))
        .hasSize(5)
        .allMatch(rows -> rows <= 1100);
    assertThat(groups(new RowGroupPolicy(3000, 100_000, 1_000_000, 9_000_000), texts, 5000).get(0))
        .isBetween(3000L, 4000L);
  }

  @Test
  void theByteLimitEndsAGroupWhateverItsRows() throws Exception {
    List<Long> groups =
        groups(new RowGroupPolicy(5000, 5000, 2_000_000, 2_000_000), texts(5000, 4000), 5000);
    // A block of rows may pass the limit by its own megabyte.
    assertThat(groups).allMatch(rows -> rows * 4000 <= 3_100_000);
  }

  @Test
  void aFileOfNoRowsHasNoGroups() throws Exception {
    assertThat(groups(RowGroupPolicy.joining(10), List.of(), 10)).isEmpty();
  }

  @Test
  void boundsMustAscend() {
    assertThatThrownBy(() -> RowGroupPolicy.exactly(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RowGroupPolicy(10, 9, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RowGroupPolicy(1, 9, 2, 1)).hasMessageContaining("2 to 1 bytes");
  }

  private List<Long> groups(RowGroupPolicy policy, List<Object> values, int batchRows)
      throws Exception {
    ParquetType type =
        !values.isEmpty() && values.get(0) instanceof byte[]
            ? ParquetType.STRING
            : ParquetType.INT32;
    WriterOptions options = new WriterOptions(Compression.UNCOMPRESSED, policy);
    Path file =
        Sample.of(type, values)
            .write(
                options,
                io.corehub.parquet.internal.EncodingLimits.usual(policy.mostRows()),
                batchRows)
            .save(folder);
    return ParquetJava.footer(file).getBlocks().stream().map(block -> block.getRowCount()).toList();
  }

  private static List<Object> numbers(int rows) {
    return new ArrayList<>(Collections.nCopies(rows, 5));
  }

  private static List<Object> texts(int rows, int length) {
    Random random = new Random(1);
    List<Object> texts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      texts.add(
          String.format("%0" + length + "d", random.nextInt(Integer.MAX_VALUE))
              .getBytes(StandardCharsets.US_ASCII));
    }
    return texts;
  }
}
