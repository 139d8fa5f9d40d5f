package io.corehub.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundedMemoryTest {

  private static final int ROWS = 1_000_000;
  private static final int BATCH_ROWS = 2_000;

  @TempDir Path folder;

  @Test
  void aMillionRowsStreamThroughAHeapOf24Megabytes() throws Exception {
    Path file = folder.resolve("million.parquet");
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx24m",
                // The same collector on every machine, however many processors it has.
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                BoundedMemoryTest.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).as(() -> read(output)).isZero();
    try (DuckDb duckDb = new DuckDb()) {
      assertThat(duckDb.single("SELECT count(*) FROM '" + file + "'")).isEqualTo((long) ROWS);
      assertThat(duckDb.single("SELECT sum(id)::BIGINT FROM '" + file + "'"))
          .isEqualTo((long) ROWS * (ROWS - 1) / 2);
      assertThat(duckDb.single("SELECT count(DISTINCT name) FROM '" + file + "'"))
          .isEqualTo(10_000L);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the rows, in a JVM of its own. */
  public static void main(String[] arguments) throws IOException {
    ParquetSchema schema =
        new ParquetSchema(
            List.of(
                new ParquetColumn("id", ParquetType.INT64),
                new ParquetColumn("name", ParquetType.STRING),
                new ParquetColumn("price", ParquetType.decimal(18, 4)),
                new ParquetColumn("quantity", ParquetType.INT32),
                new ParquetColumn("changed", ParquetType.TIMESTAMP_MICROS)));
    Random random = new Random(1);
    try (FileSink sink = new FileSink(Path.of(arguments[0]));
        ParquetWriter writer = ParquetWriter.open(schema, WriterOptions.DEFAULTS, sink)) {
      for (int from = 0; from < ROWS; from += BATCH_ROWS) {
        writer.append(batch(from, random), 0, BATCH_ROWS);
      }
      writer.finish();
    }
  }

  private static List<ColumnVector> batch(int from, Random random) {
    long[] ids = new long[BATCH_ROWS];
    long[] prices = new long[BATCH_ROWS];
    int[] quantities = new int[BATCH_ROWS];
    long[] times = new long[BATCH_ROWS];
    byte[] names = new byte[BATCH_ROWS * 14];
    int[] offsets = new int[BATCH_ROWS + 1];
    for (int i = 0; i < BATCH_ROWS; i++) {
      ids[i] = from + i;
      prices[i] = random.nextInt();
      quantities[i] = random.nextInt(1000);
      times[i] = random.nextLong() >>> 14;
      byte[] name =
          String.format("customer-%05d", (from + i) % 10_000).getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(name, 0, names, 14 * i, 14);
      offsets[i + 1] = 14 * (i + 1);
    }
    return List.of(
        new ColumnVector.OfLong(ids, BATCH_ROWS, Nulls.NONE),
        new ColumnVector.OfBytes(names, offsets, BATCH_ROWS, Nulls.NONE),
        new ColumnVector.OfLong(prices, BATCH_ROWS, Nulls.NONE),
        new ColumnVector.OfInt(quantities, BATCH_ROWS, Nulls.NONE),
        new ColumnVector.OfLong(times, BATCH_ROWS, Nulls.NONE));
  }

  private static final class FileSink implements ByteSink, AutoCloseable {
    private final OutputStream out;

    FileSink(Path file) throws IOException {
      out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
    }

    @Override
    public void complete() throws IOException {
      out.flush();
    }

    @Override
    public void discard() {
      throw new IllegalStateException("The file was discarded");
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
