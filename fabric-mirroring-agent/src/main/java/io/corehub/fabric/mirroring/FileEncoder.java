package io.corehub.fabric.mirroring;

import io.corehub.parquet.ByteSink;
import io.corehub.parquet.Compression;
import io.corehub.parquet.ParquetSchema;
import io.corehub.parquet.ParquetWriter;
import io.corehub.parquet.RowGroupPolicy;
import io.corehub.parquet.WriterOptions;
import io.corehub.storage.FileBytes;
import java.io.IOException;
import java.util.List;

/** Turns rows into Parquet bytes. Immutable. */
final class FileEncoder {

  private static final int JOINED_ROWS = 100_000;
  private static final int ZSTD_LEVEL = 3;

  private final WriterOptions options;

  /**
   * An encoder.
   *
   * @param files how files are written
   * @param rowGroupBytes encoded bytes that end a row group
   */
  FileEncoder(AgentConfig.Files files, long rowGroupBytes) {
    Compression compression =
        switch (files.compression()) {
          case "ZSTD" -> Compression.zstd(ZSTD_LEVEL);
          case "SNAPPY" -> Compression.SNAPPY;
          case "GZIP" -> Compression.GZIP;
          case "UNCOMPRESSED" -> Compression.UNCOMPRESSED;
          default -> throw new IllegalArgumentException(files.compression());
        };
    int rows = files.rowGroupRows();
    RowGroupPolicy groups =
        files.exactRowGroups()
            ? new RowGroupPolicy(rows, rows, rowGroupBytes * 4, rowGroupBytes * 4)
            : new RowGroupPolicy(
                rows, Math.max(rows, JOINED_ROWS), rowGroupBytes, rowGroupBytes * 4);
    this.options = new WriterOptions(compression, groups);
  }

  /** A writer of a file. */
  ParquetWriter open(FileSchema schema, boolean changes, ByteSink sink) {
    return open(schema.parquet(changes), sink);
  }

  ParquetWriter open(ParquetSchema schema, ByteSink sink) {
    return ParquetWriter.open(schema, options, sink);
  }

  /** Writes a whole file. */
  void encode(FileSchema schema, List<FileRows> rows, ChainEntry chain, FileBytes sink)
      throws IOException {
    try (ParquetWriter writer = open(schema, true, sink)) {
      for (FileRows run : rows) {
        writer.append(run.columns(), run.from(), run.to());
      }
      writer.keyValue(ChainEntry.KEY, chain.toJson());
      writer.finish();
    }
  }
}
