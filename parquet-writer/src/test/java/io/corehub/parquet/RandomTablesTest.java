package io.corehub.parquet;

import io.corehub.parquet.internal.EncodingLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of random shape come back whatever the sizes of batches, pages, groups, dictionaries. */
class RandomTablesTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aRandomTableComesBack(long seed) throws Exception {
    check(seed);
  }

  @Tag("full")
  @Test
  void hundredsOfRandomTablesComeBack() throws Exception {
    for (long seed = 100; seed < 500; seed++) {
      check(seed);
    }
  }

  private void check(long seed) throws Exception {
    Random random = new Random(seed);
    RandomValues values = new RandomValues(seed);
    List<ParquetType> types = RandomValues.types();
    int rows = random.nextInt(random.nextBoolean() ? 200 : 6000);
    List<ParquetColumn> columns = new ArrayList<>();
    List<List<Object>> cells = new ArrayList<>();
    int columnCount = 1 + random.nextInt(12);
    for (int i = 0; i < columnCount; i++) {
      ParquetType type = types.get(random.nextInt(types.size()));
      columns.add(new ParquetColumn("c" + i, type));
      double nullShare = List.of(0.0, 0.02, 0.5, 0.98).get(random.nextInt(4));
      int distinct = List.of(0, 1, 2, 30, 1200).get(random.nextInt(5));
      cells.add(values.column(type, rows, nullShare, distinct));
    }
    Sample sample = new Sample(new ParquetSchema(columns), cells);
    Compression compression =
        List.of(
                Compression.zstd(1 + random.nextInt(5)),
                Compression.SNAPPY,
                Compression.GZIP,
                Compression.UNCOMPRESSED)
            .get(random.nextInt(4));
    int least = 1 + random.nextInt(3000);
    RowGroupPolicy policy =
        new RowGroupPolicy(
            least, least + random.nextInt(3000), 1 + random.nextInt(1 << 18), 1 << 18);
    EncodingLimits limits =
        new EncodingLimits(
            1 + random.nextInt(1 << 16),
            random.nextInt(4) == 0 ? 0 : random.nextInt(1 << 16),
            policy.mostRows());
    Path file =
        sample
            .write(new WriterOptions(compression, policy), limits, 1 + random.nextInt(2000))
            .save(folder);
    BothReaders.agree(file, sample, "seed " + seed + ", " + compression + ", " + limits);
  }
}
