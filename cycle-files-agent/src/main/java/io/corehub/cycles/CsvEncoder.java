package io.corehub.cycles;

import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import io.corehub.parquet.ByteSink;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a CSV file: UTF-8 without byte order mark, {@code ,} between values, LF behind each line,
 * every value in double quotes and double quotes in it doubled. NULL is nothing at all between the
 * commas, the empty text is {@code ""}. Confined to one caller at a time.
 */
final class CsvEncoder implements DataFileWriter.Encoder {

  private final TableShape shape;
  private final boolean header;
  private final ByteSink sink;
  private final boolean gzip;
  private @Nullable OutputStream out;
  private @Nullable CsvBuffer buffer;
  private boolean done;

  /**
   * A file.
   *
   * @param shape its columns
   * @param header whether it begins with their names
   * @param gzip whether it is packed
   * @param sink where the bytes go
   */
  CsvEncoder(TableShape shape, boolean header, boolean gzip, ByteSink sink) {
    this.shape = shape;
    this.header = header;
    this.gzip = gzip;
    this.sink = sink;
  }

  @Override
  public void append(CycleRows rows) throws IOException {
    try {
      CsvBuffer to = begun();
      List<ColumnVector> columns = rows.columns();
      CsvCell[] cells = new CsvCell[columns.size()];
      Nulls[] nulls = new Nulls[columns.size()];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = CsvCell.of(shape.all().get(i).type(), columns.get(i));
        nulls[i] = columns.get(i).nulls();
      }
      for (int row = rows.from(); row < rows.to(); row++) {
        line(cells, nulls, row, to);
      }
    } catch (Throwable failure) {
      close();
      throw failure;
    }
  }

  private static void line(CsvCell[] cells, Nulls[] nulls, int row, CsvBuffer to)
      throws IOException {
    for (int i = 0; i < cells.length; i++) {
      to.spare();
      if (i > 0) {
        to.put(',');
      }
      if (!nulls[i].isNull(row)) {
        to.put('"');
        cells[i].put(row, to);
        to.put('"');
      }
    }
    to.put('\n');
  }

  /** Writes what stands before the first row, once. */
  private CsvBuffer begun() throws IOException {
    CsvBuffer open = buffer;
    if (open == null) {
      OutputStream stream = gzip ? new Gzip(new SinkStream(sink)) : new SinkStream(sink);
      open = new CsvBuffer(stream);
      out = stream;
      buffer = open;
      if (header) {
        header(open);
      }
    }
    return open;
  }

  private void header(CsvBuffer to) throws IOException {
    for (int i = 0; i < shape.all().size(); i++) {
      byte[] name = shape.all().get(i).name().getBytes(StandardCharsets.UTF_8);
      to.spare();
      if (i > 0) {
        to.put(',');
      }
      to.put('"');
      to.escaped(name, 0, name.length);
      to.put('"');
    }
    to.put('\n');
  }

  @Override
  public long bufferedBytes() {
    return buffer == null ? 0 : buffer.length();
  }

  @Override
  public void finish() throws IOException {
    try {
      begun().flush();
      Objects.requireNonNull(out, "out").close();
      sink.complete();
      done = true;
    } catch (Throwable failure) {
      close();
      throw failure;
    }
  }

  @Override
  public void close() {
    if (done) {
      return;
    }
    done = true;
    if (out instanceof Gzip open) {
      open.release();
    }
    sink.discard();
  }

  /** A packer that can be given up without writing its end. */
  private static final class Gzip extends GZIPOutputStream {
    private static final int BUFFER = 32 << 10;

    Gzip(OutputStream to) throws IOException {
      super(to, BUFFER);
    }

    void release() {
      Deflater deflater = def;
      deflater.end();
    }
  }

  /** The sink as a stream, which its owner completes. */
  private static final class SinkStream extends OutputStream {
    private final ByteSink sink;

    SinkStream(ByteSink sink) {
      this.sink = sink;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      if (length > 0) {
        sink.write(bytes, from, length);
      }
    }
  }
}
