package io.corehub.parquet;

import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnVector;
import java.io.IOException;
import java.util.List;

/**
 * Writes one Parquet file from typed column vectors. Confined to one caller at a time.
 *
 * <ol>
 *   <li>{@link #append} rows; row groups leave for the sink as they fill.
 *   <li>Set {@link #keyValue key-value entries} at any time; they may depend on what was written.
 *   <li>{@link #finish} makes the file whole.
 *   <li>{@link #close} in every case: it discards a file that was not finished.
 * </ol>
 *
 * <p>When {@code append} or {@code finish} throws anything, the file is discarded at once and every
 * later call but {@code close} is an {@link IllegalStateException}: an error can never leave
 * something that looks like a file.
 *
 * <p>Values are encoded when they are appended: the vectors may be forgotten when {@code append}
 * returns. The heap holds one row group of encoded data and buffers of about one page.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class ParquetWriter implements AutoCloseable {

  private ParquetWriter() {}

  /**
   * Starts a file. Nothing is written to the sink before the first row group is complete.
   *
   * @param schema columns
   * @param options how to write
   * @param sink where the bytes go
   * @return the writer
   */
  public static ParquetWriter open(ParquetSchema schema, WriterOptions options, ByteSink sink) {
    throw new UnsupportedOperationException();
  }

  /**
   * Appends all rows of a batch.
   *
   * @param batch its columns match the file's by place; names are not compared
   * @throws IOException if the sink fails
   * @throws IllegalArgumentException as {@link #append(List, int, int)}
   */
  public void append(ColumnBatch batch) throws IOException {
    append(batch.columns(), 0, batch.rowCount());
  }

  /**
   * Appends a range of rows.
   *
   * @param columns one vector for each column of the file, in its order
   * @param fromRow first row
   * @param toRow row behind the last
   * @throws IOException if the sink fails
   * @throws IllegalArgumentException if a vector does not fit its column's type or has too few
   *     rows, or a decimal has more digits than its column, naming column, row and type
   */
  public void append(List<? extends ColumnVector> columns, int fromRow, int toRow)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Sets an entry of the footer; a second call for a key replaces its value.
   *
   * @param key key
   * @param value value
   */
  public void keyValue(String key, String value) {
    throw new UnsupportedOperationException();
  }

  /**
   * Writes what is buffered and the footer, and completes the sink.
   *
   * @throws IOException if the sink fails
   */
  public void finish() throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Rows appended.
   *
   * @return rows
   */
  public long rowCount() {
    throw new UnsupportedOperationException();
  }

  /**
   * Bytes given to the sink; the length of the file once it is finished.
   *
   * @return bytes
   */
  public long bytesWritten() {
    throw new UnsupportedOperationException();
  }

  /**
   * Encoded data of the open row group, before compression.
   *
   * @return bytes
   */
  public long bufferedBytes() {
    throw new UnsupportedOperationException();
  }

  /** Releases all memory, native memory included, and discards a file that was not finished. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
