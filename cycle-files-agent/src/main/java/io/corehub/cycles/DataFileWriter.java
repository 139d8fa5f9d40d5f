package io.corehub.cycles;

import io.corehub.parquet.ByteSink;
import io.corehub.parquet.ParquetWriter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes one data file. Confined to one caller at a time.
 *
 * <ol>
 *   <li>{@link #append} rows, all of one shape; encoded bytes leave for the sink as they come.
 *   <li>{@link #finish} makes the file whole and tells what it holds.
 *   <li>{@link #close} in every case: it discards a file that was not finished.
 * </ol>
 *
 * <p>When {@code append} or {@code finish} throws, the sink is discarded and the writer is done.
 * Values are encoded when they are appended: the vectors may be forgotten then.
 */
final class DataFileWriter implements AutoCloseable {

  /** Turns rows into bytes. */
  sealed interface Encoder extends AutoCloseable permits CsvEncoder, ParquetRows {
    /** Takes rows. */
    void append(CycleRows rows) throws IOException;

    /** Memory of what was taken and is not in the sink yet. */
    long bufferedBytes();

    /** Writes the rest, and completes the sink. */
    void finish() throws IOException;

    /** Gives all memory back, and discards the sink of an unfinished file. */
    @Override
    void close();
  }

  private final TableShape shape;
  private final HashingSink sink;
  private final Encoder encoder;
  private RowCounts counts = RowCounts.NONE;
  private @Nullable String first;
  private String last = "";

  private DataFileWriter(TableShape shape, HashingSink sink, Encoder encoder) {
    this.shape = shape;
    this.sink = sink;
    this.encoder = encoder;
  }

  /**
   * Begins a file.
   *
   * @param shape shape of all its rows; tells the format, too
   * @param choices how its bytes are written
   * @param sink where they go
   */
  static DataFileWriter open(TableShape shape, EncodingChoices choices, ByteSink sink) {
    HashingSink hashing = new HashingSink(sink);
    Encoder encoder =
        switch (shape.format()) {
          case CSV -> new CsvEncoder(shape, choices.csvHeader(), false, hashing);
          case CSV_GZIP -> new CsvEncoder(shape, choices.csvHeader(), true, hashing);
          case PARQUET ->
              new ParquetRows(ParquetWriter.open(shape.parquet(), choices.parquet(), hashing));
        };
    return new DataFileWriter(shape, hashing, encoder);
  }

  /**
   * Appends rows.
   *
   * @param rows of the file's shape, behind all those appended before
   * @throws IOException if the sink fails
   */
  void append(CycleRows rows) throws IOException {
    if (rows.count() == 0) {
      return;
    }
    encoder.append(rows);
    counts = counts.plus(rows.counts());
    if (first == null) {
      first = rows.firstSequence();
    }
    last = rows.lastSequence();
  }

  /** Rows appended. */
  long rows() {
    return counts.total();
  }

  /** Bytes in the sink and, about, those that would be there if the file were finished now. */
  long estimatedBytes() {
    return sink.bytes() + encoder.bufferedBytes();
  }

  /** Memory of what is not in the sink yet, in bytes. */
  long bufferedBytes() {
    return encoder.bufferedBytes();
  }

  /**
   * Makes the file whole; it must have a row.
   *
   * @param path where it will lie, relative to the connection folder
   * @param schemaVersion version of its rows
   * @param part from 1
   * @return what it holds
   * @throws IOException if the sink fails
   */
  DataFileFacts finish(String path, int schemaVersion, int part) throws IOException {
    if (first == null) {
      throw new IllegalStateException("A data file without rows: " + path);
    }
    encoder.finish();
    return new DataFileFacts(
        path,
        shape.table().table(),
        schemaVersion,
        part,
        sink.bytes(),
        sink.sha256(),
        counts,
        first,
        last);
  }

  @Override
  public void close() {
    encoder.close();
  }
}
