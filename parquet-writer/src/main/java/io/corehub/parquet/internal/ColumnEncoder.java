package io.corehub.parquet.internal;

import io.corehub.agent.table.ColumnVector;
import io.corehub.parquet.ParquetColumn;
import java.io.IOException;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Statistics;

/** Encodes one column, one row group after the other. Confined to one caller at a time. */
abstract sealed class ColumnEncoder permits BooleanEncoder, NumberEncoder, ByteStringEncoder {

  final ParquetColumn column;
  final EncodingLimits limits;
  final Scratch scratch;
  final Presence presence;
  final PlainPages pages;

  ColumnEncoder(ParquetColumn column, EncodingLimits limits, Scratch scratch) {
    this.column = column;
    this.limits = limits;
    this.scratch = scratch;
    this.presence = new Presence(column);
    this.pages = new PlainPages(limits.pageBytes());
  }

  static ColumnEncoder of(ParquetColumn column, EncodingLimits limits, Scratch scratch) {
    return switch (column.type().kind()) {
      case BOOLEAN -> new BooleanEncoder(column, limits, scratch);
      case INT32,
          INT64,
          FLOAT,
          DOUBLE,
          DATE,
          TIME_MICROS,
          TIME_MICROS_UTC,
          TIMESTAMP_MICROS,
          TIMESTAMP_MICROS_UTC ->
          new NumberEncoder(column, limits, scratch);
      case DECIMAL ->
          PhysicalTypes.decimalLength(column.type().precision()) <= Long.BYTES
              ? new NumberEncoder(column, limits, scratch)
              : new WideDecimalEncoder(column, limits, scratch);
      case STRING, BINARY -> new TextEncoder(column, limits, scratch);
    };
  }

  /** Encodes at most {@link Scratch#BLOCK_ROWS} rows. */
  abstract void append(ColumnVector vector, int from, int count);

  /** Memory that the open row group holds. */
  abstract long bufferedBytes();

  /** Writes the pages of the row group and forgets them. */
  abstract void writePages(ChunkWriter out) throws IOException;

  /** Statistics of the rows since the last reset, NULL count excepted. */
  abstract Statistics statistics();

  abstract void reset();

  /** Writes the row group's chunk and begins the next one. */
  final ColumnChunk flush(ChunkWriter out) throws IOException {
    out.begin();
    writePages(out);
    Statistics statistics = statistics();
    statistics.setNull_count(presence.nullCount());
    ColumnChunk chunk =
        out.end(column.name(), PhysicalTypes.physical(column.type()), presence.rows(), statistics);
    presence.reset();
    pages.reset();
    reset();
    return chunk;
  }

  final void writePlainPages(ChunkWriter out) throws IOException {
    int rows = presence.rows();
    if (pages.pages().isEmpty() || pages.pages().get(pages.pages().size() - 1).rowEnd() < rows) {
      pages.cut(rows);
    }
    int from = 0;
    for (PlainPages.Page page : pages.pages()) {
      byte[] levels = scratch.levels(Presence.levelRoom(page.rowEnd() - from));
      int levelBytes = presence.writeLevels(from, page.rowEnd(), levels);
      out.dataPage(
          levels, levelBytes, page.values(), page.length(), page.rowEnd() - from, Encoding.PLAIN);
      from = page.rowEnd();
    }
  }

  final IllegalArgumentException misfit(ColumnVector vector) {
    return new IllegalArgumentException(
        "Column '"
            + column.name()
            + "' is "
            + column.type()
            + " and takes no values stored as "
            + vector.storage());
  }

  final IllegalArgumentException refusal(int row, String why) {
    return new IllegalArgumentException("Column '" + column.name() + "', row " + row + ": " + why);
  }
}
