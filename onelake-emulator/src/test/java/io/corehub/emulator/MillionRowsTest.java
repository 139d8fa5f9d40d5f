package io.corehub.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
class MillionRowsTest {
  private static final int ROWS = 1_000_000;

  @TempDir Path directory;

  @Test
  void aMillionNarrowKeyedRowsFitInAHundredMegabytes() throws Exception {
    Path table = directory.resolve("Files/LandingZone/narrow");
    ParquetFiles.metadata(table, "id");
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message row { required int64 id; optional int32 amount; optional binary name (STRING);"
                + " optional int64 at (TIMESTAMP(MICROS,true)); optional double rate; }");
    Path file = table.resolve("00000000000000000001.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .build()) {
      for (int i = 0; i < ROWS; i++) {
        writer.write(
            new SimpleGroup(schema)
                .append("id", (long) i)
                .append("amount", i % 977)
                .append("name", "customer " + i % 5000)
                .append("at", 1_700_000_000_000_000L + i)
                .append("rate", i / 3.0));
      }
    }
    long before = usedBytes();
    long started = System.nanoTime();
    MirroredTables tables = MirroredTables.below(directory);
    long millis = (System.nanoTime() - started) / 1_000_000;
    long used = usedBytes() - before;
    System.err.printf(
        "%d rows, file of %d bytes: %d ms, %d bytes of heap%n",
        ROWS, Files.size(file), millis, used);
    assertThat(tables.find("narrow").orElseThrow().rowCount()).isEqualTo(ROWS);
    assertThat(used).isLessThan(100L << 20);
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
