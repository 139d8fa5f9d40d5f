package io.corehub.parquet;

import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnVector;
import io.corehub.parquet.internal.EncodingLimits;
import io.corehub.parquet.internal.FileEncoder;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
 * later call but {@code close} and the counters is an {@link IllegalStateException}: an error can
 * never leave something that looks like a file.
 *
 * <p>Values are encoded when they are appended: the vectors may be forgotten when {@code append}
 * returns. The heap holds one row group of encoded data and buffers of about one page.
 */
public final class ParquetWriter implements AutoCloseable {

  private final ByteSink sink;
  private final Map<String, String> keyValues = new LinkedHashMap<>();
  private @Nullable FileEncoder encoder;
  private boolean finished;
  private long rowCount;
  private long bytesWritten;
  private long bufferedBytes;

  private ParquetWriter(FileEncoder encoder, ByteSink sink) {
    this.encoder = encoder;
    this.sink = sink;
  }

  /**
   * Starts a file. Nothing is written to the sink before the first row group is complete.
   *
   * @param schema columns
   * @param options how to write
   * @param sink where the bytes go
   * @return the writer
   */
  public static ParquetWriter open(ParquetSchema schema, WriterOptions options, ByteSink sink) {
    return open(schema, options, EncodingLimits.usual(options.rowGroups().mostRows()), sink);
  }

  /** The same with pages and dictionaries of other sizes. */
  static ParquetWriter open(
      ParquetSchema schema, WriterOptions options, EncodingLimits limits, ByteSink sink) {
    return new ParquetWriter(new FileEncoder(schema, options, limits, sink), sink);
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
   *     rows, a decimal has more digits than its column, or a value is longer than 1 GiB; the
   *     message names column, row of the vector and type
   */
  public void append(List<? extends ColumnVector> columns, int fromRow, int toRow)
      throws IOException {
    FileEncoder open = open();
    try {
      open.append(columns, fromRow, toRow);
      count(open);
    } catch (Throwable failure) {
      discard(failure);
      throw failure;
    }
  }

  /**
   * Sets an entry of the footer; a second call for a key replaces its value.
   *
   * @param key key
   * @param value value
   */
  public void keyValue(String key, String value) {
    open();
    keyValues.put(
        Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value of " + key));
  }

  /**
   * Writes what is buffered and the footer, and completes the sink.
   *
   * @throws IOException if the sink fails
   */
  public void finish() throws IOException {
    FileEncoder open = open();
    try {
      open.finish(keyValues);
      sink.complete();
      count(open);
    } catch (Throwable failure) {
      discard(failure);
      throw failure;
    }
    finished = true;
    release(open);
  }

  /**
   * Rows appended.
   *
   * @return rows
   */
  public long rowCount() {
    return rowCount;
  }

  /**
   * Bytes given to the sink; the length of the file once it is finished.
   *
   * @return bytes
   */
  public long bytesWritten() {
    return bytesWritten;
  }

  /**
   * Memory that the encoded data of the open row group holds. It is about the size of the data
   * before compression, values that repeat counted once.
   *
   * @return bytes
   */
  public long bufferedBytes() {
    return bufferedBytes;
  }

  /** Releases all memory, native memory included, and discards a file that was not finished. */
  @Override
  public void close() {
    FileEncoder open = encoder;
    if (open != null) {
      release(open);
      sink.discard();
    }
  }

  private FileEncoder open() {
    FileEncoder open = encoder;
    if (open == null) {
      throw new IllegalStateException(finished ? "The file is finished" : "The file was discarded");
    }
    return open;
  }

  private void count(FileEncoder open) {
    rowCount = open.rowCount();
    bytesWritten = open.bytesWritten();
    bufferedBytes = open.bufferedBytes();
  }

  private void discard(Throwable failure) {
    try {
      close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void release(FileEncoder open) {
    encoder = null;
    bufferedBytes = 0;
    open.close();
  }
}
