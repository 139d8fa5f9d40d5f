package io.corehub.cycles;

import io.corehub.parquet.ParquetWriter;
import java.io.IOException;

/** Rows of a Parquet file. Confined to one caller at a time. */
final class ParquetRows implements DataFileWriter.Encoder {

  private final ParquetWriter writer;

  ParquetRows(ParquetWriter writer) {
    this.writer = writer;
  }

  @Override
  public void append(CycleRows rows) throws IOException {
    writer.append(rows.columns(), rows.from(), rows.to());
  }

  @Override
  public long bufferedBytes() {
    return writer.bufferedBytes();
  }

  @Override
  public void finish() throws IOException {
    writer.finish();
  }

  @Override
  public void close() {
    writer.close();
  }
}
