package io.corehub.parquet.internal;

import io.corehub.parquet.ByteSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

/** Writes the pages of one column chunk after the other to the sink. */
final class ChunkWriter {

  private static final byte[] NO_LEVELS = {};

  private final ByteSink sink;
  private final PageCompressor compressor;
  private final CompressionCodec codec;
  private final HeaderBytes header = new HeaderBytes();
  private long position;

  private long chunkStart;
  private long dictionaryOffset;
  private long dataOffset;
  private long uncompressed;
  private int dataPages;

  ChunkWriter(ByteSink sink, PageCompressor compressor, CompressionCodec codec) {
    this.sink = sink;
    this.compressor = compressor;
    this.codec = codec;
  }

  /** Bytes given to the sink. */
  long position() {
    return position;
  }

  void write(byte[] bytes, int length) throws IOException {
    sink.write(bytes, 0, length);
    position += length;
  }

  void begin() {
    chunkStart = position;
    dictionaryOffset = -1;
    dataOffset = -1;
    uncompressed = 0;
    dataPages = 0;
  }

  void dictionaryPage(byte[] values, int length, int entries) throws IOException {
    dictionaryOffset = position;
    int compressed = compressor.compress(NO_LEVELS, 0, values, length);
    PageHeader page = new PageHeader(PageType.DICTIONARY_PAGE, length, compressed);
    page.setDictionary_page_header(new DictionaryPageHeader(entries, Encoding.PLAIN));
    write(page, length, compressed);
  }

  void dataPage(
      byte[] levels, int levelBytes, byte[] values, int valueBytes, int rows, Encoding encoding)
      throws IOException {
    if (dataOffset < 0) {
      dataOffset = position;
    }
    int compressed = compressor.compress(levels, levelBytes, values, valueBytes);
    PageHeader page = new PageHeader(PageType.DATA_PAGE, levelBytes + valueBytes, compressed);
    page.setData_page_header(new DataPageHeader(rows, encoding, Encoding.RLE, Encoding.RLE));
    write(page, levelBytes + valueBytes, compressed);
    dataPages++;
  }

  private void write(PageHeader page, int length, int compressed) throws IOException {
    header.reset();
    Util.writePageHeader(page, header);
    write(header.bytes(), header.size());
    write(compressor.output(), compressed);
    uncompressed += header.size() + length;
  }

  /** Ends the chunk. */
  ColumnChunk end(String column, Type type, long rows, Statistics statistics) {
    boolean dictionary = dictionaryOffset >= 0;
    List<Encoding> encodings = new ArrayList<>(3);
    encodings.add(Encoding.PLAIN);
    encodings.add(Encoding.RLE);
    if (dictionary) {
      encodings.add(Encoding.RLE_DICTIONARY);
    }
    List<PageEncodingStats> pages = new ArrayList<>(2);
    if (dictionary) {
      pages.add(new PageEncodingStats(PageType.DICTIONARY_PAGE, Encoding.PLAIN, 1));
    }
    pages.add(
        new PageEncodingStats(
            PageType.DATA_PAGE, dictionary ? Encoding.RLE_DICTIONARY : Encoding.PLAIN, dataPages));
    ColumnMetaData metaData =
        new ColumnMetaData(
            type,
            encodings,
            List.of(column),
            codec,
            rows,
            uncompressed,
            position - chunkStart,
            dataOffset);
    if (dictionary) {
      metaData.setDictionary_page_offset(dictionaryOffset);
    }
    metaData.setStatistics(statistics);
    metaData.setEncoding_stats(pages);
    // Deprecated field; the format asks for 0 where the metadata is not repeated in the chunk.
    ColumnChunk chunk = new ColumnChunk(0);
    chunk.setMeta_data(metaData);
    return chunk;
  }

  /** Lets the bytes be read without a copy. */
  private static final class HeaderBytes extends ByteArrayOutputStream {
    HeaderBytes() {
      super(128);
    }

    byte[] bytes() {
      return buf;
    }
  }
}
