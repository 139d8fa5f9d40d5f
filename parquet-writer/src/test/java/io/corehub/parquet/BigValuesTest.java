package io.corehub.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BigValuesTest {

  private static final int BIG = 40 << 20;

  @TempDir Path folder;

  @Test
  void aValueOfFortyMegabytesComesBackBetweenSmallOnes() throws Exception {
    check(Compression.zstd(3));
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(names = {"SNAPPY", "GZIP", "UNCOMPRESSED"})
  void itComesBackFromTheOtherCodecsToo(Compression.Codec codec) throws Exception {
    check(new Compression(codec, 0));
  }

  private void check(Compression compression) throws Exception {
    byte[] big = new byte[BIG];
    Random random = new Random(7);
    for (int i = 0; i < big.length; i++) {
      big[i] = (byte) (random.nextInt(4) + i % 50);
    }
    List<Object> values = new ArrayList<>(Arrays.asList(bytes("a"), null, big, bytes(""), null));
    values.add(bytes("b"));
    Sample sample = Sample.of(ParquetType.BINARY, values);
    Path file =
        sample.write(new WriterOptions(compression, RowGroupPolicy.joining(10_000))).save(folder);
    List<Object> read = ParquetJava.read(file, sample.schema()).get(0);
    assertThat(read).hasSize(6);
    assertThat((byte[]) read.get(2)).isEqualTo(big);
    assertThat(read.get(1)).isNull();
    assertThat((byte[]) read.get(5)).isEqualTo(bytes("b"));
    try (DuckDb duckDb = new DuckDb()) {
      assertThat(duckDb.single("SELECT max(octet_length(c)) FROM '" + file + "'"))
          .isEqualTo((long) BIG);
      assertThat(duckDb.single("SELECT count(c) FROM '" + file + "'")).isEqualTo(4L);
    }
  }

  @Test
  void aGroupOfBigValuesEndsAtItsByteLimit() throws Exception {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      byte[] value = new byte[8 << 20];
      Arrays.fill(value, (byte) i);
      values.add(value);
    }
    Sample sample = Sample.of(ParquetType.BINARY, values);
    Path file = sample.write(WriterOptions.DEFAULTS).save(folder);
    assertThat(ParquetJava.footer(file).getBlocks())
        .extracting(block -> block.getRowCount())
        .containsExactly(8L, 8L, 8L, 6L);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }
}
