package io.corehub.parquet.internal;

import io.corehub.agent.table.ColumnVector;
import io.corehub.parquet.ByteSink;
import io.corehub.parquet.ParquetSchema;
import io.corehub.parquet.RowGroupPolicy;
import io.corehub.parquet.WriterOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;

/** The bytes of one file: magic, row groups, footer. Confined to one caller at a time. */
public final class FileEncoder implements AutoCloseable {

  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /** Bytes of variable length that one block of rows should not exceed. */
  private static final long BLOCK_BYTES = 1 << 20;

  private final ParquetSchema schema;
  private final RowGroupPolicy policy;
  private final ColumnEncoder[] columns;
  private final PageCompressor compressor;
  private final ChunkWriter out;
  private final List<RowGroup> rowGroups = new ArrayList<>();
  private int groupRows;
  private long flushedRows;

  /**
   * An encoder of one file.
   *
   * @param schema columns
   * @param options how to write
   * @param limits sizes of pages and dictionaries
   * @param sink where the bytes go
   */
  public FileEncoder(
      ParquetSchema schema, WriterOptions options, EncodingLimits limits, ByteSink sink) {
    this.schema = schema;
    this.policy = options.rowGroups();
    Scratch scratch = new Scratch();
    this.columns =
        schema.columns().stream()
            .map(column -> ColumnEncoder.of(column, limits, scratch))
            .toArray(ColumnEncoder[]::new);
    this.compressor = PageCompressor.of(options.compression());
    this.out = new ChunkWriter(sink, compressor, PhysicalTypes.codec(options.compression()));
  }

  /**
   * Rows taken.
   *
   * @return rows
   */
  public long rowCount() {
    return flushedRows + groupRows;
  }

  /**
   * Bytes given to the sink.
   *
   * @return bytes
   */
  public long bytesWritten() {
    return out.position();
  }

  /**
   * Memory that the open row group holds.
   *
   * @return bytes
   */
  public long bufferedBytes() {
    long bytes = 0;
    for (ColumnEncoder column : columns) {
      bytes += column.bufferedBytes();
    }
    return bytes;
  }

  /**
   * Encodes rows.
   *
   * @param vectors one for each column
   * @param fromRow first row
   * @param toRow row behind the last
   * @throws IOException if the sink fails
   */
  public void append(List<? extends ColumnVector> vectors, int fromRow, int toRow)
      throws IOException {
    check(vectors, fromRow, toRow);
    int row = fromRow;
    while (row < toRow) {
      int rows = Math.min(Scratch.BLOCK_ROWS, Math.min(toRow - row, policy.mostRows() - groupRows));
      rows = withinBlockBytes(vectors, row, rows);
      for (int i = 0; i < columns.length; i++) {
        columns[i].append(vectors.get(i), row, rows);
      }
      row += rows;
      groupRows += rows;
      if (isGroupFull()) {
        writeRowGroup();
      }
    }
  }

  private void check(List<? extends ColumnVector> vectors, int fromRow, int toRow) {
    if (vectors.size() != columns.length) {
      throw new IllegalArgumentException(
          "The file has " + columns.length + " columns, the rows have " + vectors.size());
    }
    for (int i = 0; i < columns.length; i++) {
      if (fromRow < 0 || fromRow > toRow || toRow > vectors.get(i).size()) {
        throw new IllegalArgumentException(
            String.format(
                "Rows %d to %d do not lie within the %d rows of column '%s'",
                fromRow, toRow, vectors.get(i).size(), schema.columns().get(i).name()));
      }
    }
  }

  /** Fewer rows where values are large, so that a row group's limit is not overrun by a block. */
  private static int withinBlockBytes(List<? extends ColumnVector> vectors, int fromRow, int rows) {
    int fitting = rows;
    while (fitting > 1 && variableBytes(vectors, fromRow, fromRow + fitting) > BLOCK_BYTES) {
      fitting /= 2;
    }
    return fitting;
  }

  private static long variableBytes(List<? extends ColumnVector> vectors, int fromRow, int toRow) {
    long bytes = 0;
    for (int i = 0; i < vectors.size(); i++) {
      if (vectors.get(i) instanceof ColumnVector.OfBytes values) {
        bytes += values.offsets()[toRow] - values.offsets()[fromRow];
      }
    }
    return bytes;
  }

  private boolean isGroupFull() {
    if (groupRows >= policy.mostRows()) {
      return true;
    }
    long bytes = bufferedBytes();
    return bytes >= policy.limitBytes()
        || (bytes >= policy.targetBytes() && groupRows >= policy.leastRows());
  }

  private void writeRowGroup() throws IOException {
    writeMagicFirst();
    long start = out.position();
    List<ColumnChunk> chunks = new ArrayList<>(columns.length);
    long uncompressed = 0;
    for (ColumnEncoder column : columns) {
      ColumnChunk chunk = column.flush(out);
      uncompressed += chunk.getMeta_data().getTotal_uncompressed_size();
      chunks.add(chunk);
    }
    RowGroup rowGroup = new RowGroup(chunks, uncompressed, groupRows);
    rowGroup.setFile_offset(start);
    rowGroup.setTotal_compressed_size(out.position() - start);
    if (rowGroups.size() <= Short.MAX_VALUE) {
      rowGroup.setOrdinal((short) rowGroups.size());
    }
    rowGroups.add(rowGroup);
    flushedRows += groupRows;
    groupRows = 0;
  }

  private void writeMagicFirst() throws IOException {
    if (out.position() == 0) {
      out.write(MAGIC, MAGIC.length);
    }
  }

  /**
   * Writes the last row group and the footer.
   *
   * @param keyValues entries of the footer
   * @throws IOException if the sink fails
   */
  public void finish(Map<String, String> keyValues) throws IOException {
    if (groupRows > 0) {
      writeRowGroup();
    }
    writeMagicFirst();
    FileMetaData metaData = new FileMetaData(1, schemaElements(), flushedRows, rowGroups);
    for (Map.Entry<String, String> entry : keyValues.entrySet()) {
      metaData.addToKey_value_metadata(new KeyValue(entry.getKey()).setValue(entry.getValue()));
    }
    metaData.setCreated_by(CreatedBy.text());
    for (int i = 0; i < columns.length; i++) {
      metaData.addToColumn_orders(ColumnOrder.TYPE_ORDER(new TypeDefinedOrder()));
    }
    ByteArrayOutputStream footer = new ByteArrayOutputStream();
    Util.writeFileMetaData(metaData, footer);
    byte[] length = new byte[Integer.BYTES];
    Bytes.putIntLittle(length, 0, footer.size());
    footer.writeBytes(length);
    footer.writeBytes(MAGIC);
    out.write(footer.toByteArray(), footer.size());
  }

  private List<SchemaElement> schemaElements() {
    List<SchemaElement> elements = new ArrayList<>(columns.length + 1);
    elements.add(new SchemaElement("schema").setNum_children(columns.length));
    schema.columns().forEach(column -> elements.add(PhysicalTypes.element(column)));
    return elements;
  }

  /** Releases native memory. */
  @Override
  public void close() {
    compressor.close();
  }
}
