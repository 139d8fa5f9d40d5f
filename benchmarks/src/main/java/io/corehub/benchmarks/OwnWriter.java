package io.corehub.benchmarks;

import io.corehub.agent.table.ColumnBatch;
import io.corehub.parquet.ByteSink;
import io.corehub.parquet.Compression;
import io.corehub.parquet.ParquetWriter;
import io.corehub.parquet.RowGroupPolicy;
import io.corehub.parquet.WriterOptions;
import java.io.IOException;

/** Our side: batches of typed columns go to the writer as they are. */
final class OwnWriter {

  private OwnWriter() {}

  /** Writes a table and returns the length of the file. */
  static long write(BenchTable table, RowGroupPolicy rowGroups, int zstdLevel) throws IOException {
    WriterOptions options = new WriterOptions(Compression.zstd(zstdLevel), rowGroups);
    Sink sink = new Sink();
    try (ParquetWriter writer = ParquetWriter.open(table.parquetSchema(), options, sink)) {
      for (ColumnBatch batch : table.batches()) {
        writer.append(batch);
      }
      writer.finish();
      return writer.bytesWritten();
    }
  }

  /** Copies the bytes to memory that is used again, as the other side's file does. */
  private static final class Sink implements ByteSink {
    private final MemoryFile file = new MemoryFile();

    @Override
    public void write(byte[] bytes, int from, int length) {
      file.write(bytes, from, length);
    }

    @Override
    public void complete() {}

    @Override
    public void discard() {
      throw new IllegalStateException("The measured file was discarded");
    }
  }
}
