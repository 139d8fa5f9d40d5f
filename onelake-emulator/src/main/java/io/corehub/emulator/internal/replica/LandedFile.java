package io.corehub.emulator.internal.replica;

import io.corehub.emulator.internal.store.ReadableFile;
import io.corehub.verify.RangedInput;
import java.io.Closeable;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/**
 * A Parquet file of a landing zone: its columns, and its rows one after another. Confined to one
 * caller at a time.
 */
final class LandedFile implements Closeable {
  static final String MARKER = "__rowMarker__";

  private static final GroupConverter IGNORE =
      new GroupConverter() {
        @Override
        public Converter getConverter(int field) {
          return new PrimitiveConverter() {};
        }

        @Override
        public void start() {}

        @Override
        public void end() {}
      };

  /** Takes the rows of a file. */
  interface RowSink {
    /** A row that {@code encoder} holds; the marker is -1 when the file has none. */
    void row(RowEncoder encoder, int marker) throws IOException;
  }

  private final ParquetFileReader reader;
  private final MessageType schema;
  private final List<ReplicaColumn> columns;
  private final boolean marked;

  private LandedFile(
      ParquetFileReader reader, MessageType schema, List<ReplicaColumn> columns, boolean marked) {
    this.reader = reader;
    this.schema = schema;
    this.columns = columns;
    this.marked = marked;
  }

  /**
   * Opens a file.
   *
   * @throws TableFailedException when it is no Parquet file that a mirrored table can take
   */
  static LandedFile open(ReadableFile file) throws IOException {
    if (file.length() == 0) {
      throw new TableFailedException("InvalidFile", "The file is empty (0 bytes).");
    }
    ParquetFileReader reader;
    try {
      reader =
          ParquetFileReader.open(
              new RangedInput(file.length(), file::read),
              ParquetReadOptions.builder(new PlainParquetConfiguration()).build());
    } catch (IOException | RuntimeException e) {
      throw new TableFailedException(
          "InvalidFile", "The file is not readable Parquet: " + e.getMessage(), e);
    }
    try {
      MessageType schema = reader.getFileMetaData().getSchema();
      List<ReplicaColumn> columns = new ArrayList<>();
      boolean marked = false;
      for (int i = 0; i < schema.getFieldCount(); i++) {
        Type field = schema.getType(i);
        if (!field.getName().equals(MARKER)) {
          columns.add(ReplicaColumn.of(field));
          continue;
        }
        marked = true;
        if (i != schema.getFieldCount() - 1) {
          throw new TableFailedException(
              "InvalidRowMarker", MARKER + " must be the last column of the file.");
        }
        if (!field.isPrimitive()
            || field.asPrimitiveType().getPrimitiveTypeName() != PrimitiveTypeName.INT32) {
          throw new TableFailedException(
              "InvalidRowMarker", MARKER + " must be INT32, is " + field + ".");
        }
      }
      return new LandedFile(reader, schema, columns, marked);
    } catch (TableFailedException e) {
      reader.close();
      throw e;
    }
  }

  /** The columns in the file's order, without the marker. */
  List<ReplicaColumn> columns() {
    return columns;
  }

  /** Whether the file has a marker column. */
  boolean marked() {
    return marked;
  }

  /**
   * Hands over every row, encoded in the order of {@code table}, which has all of the file's
   * columns.
   *
   * @throws TableFailedException when the file is damaged
   */
  void readRows(ReplicaSchema table, RowSink sink) throws IOException {
    try {
      PageReadStore group = reader.readNextRowGroup();
      while (group != null) {
        readGroup(group, table, sink);
        group = reader.readNextRowGroup();
      }
    } catch (TableFailedException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new TableFailedException("InvalidFile", "The file is damaged: " + e.getMessage(), e);
    }
  }

  private void readGroup(PageReadStore group, ReplicaSchema table, RowSink sink)
      throws IOException {
    ColumnReadStoreImpl readers =
        new ColumnReadStoreImpl(group, IGNORE, schema, reader.getFileMetaData().getCreatedBy());
    CellReader[] cells = new CellReader[table.columns().size()];
    for (int i = 0; i < columns.size(); i++) {
      int index = table.indexOf(columns.get(i).name());
      cells[index] = new CellReader(readers, schema, columns.get(i), index);
    }
    Optional<ColumnReader> markers =
        marked
            ? Optional.of(
                readers.getColumnReader(schema.getColumnDescription(new String[] {MARKER})))
            : Optional.empty();
    int markerLevel = marked ? schema.getMaxDefinitionLevel(MARKER) : 0;
    RowEncoder encoder = new RowEncoder();
    for (long row = 0; row < group.getRowCount(); row++) {
      encoder.begin(cells.length);
      for (CellReader cell : cells) {
        if (cell != null) {
          cell.copyTo(encoder);
        }
      }
      int marker = -1;
      if (markers.isPresent()) {
        ColumnReader values = markers.get();
        if (values.getCurrentDefinitionLevel() < markerLevel) {
          throw new TableFailedException("InvalidRowMarker", MARKER + " is NULL in a row.");
        }
        marker = values.getInteger();
        values.consume();
      }
      sink.row(encoder, marker);
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private static final class CellReader {
    private final ColumnReader values;
    private final ReplicaColumn column;
    private final int index;
    private final int presentLevel;
    private final PrimitiveTypeName physical;

    CellReader(ColumnReadStoreImpl readers, MessageType schema, ReplicaColumn column, int index) {
      ColumnDescriptor descriptor = schema.getColumnDescription(new String[] {column.name()});
      this.values = readers.getColumnReader(descriptor);
      this.column = column;
      this.index = index;
      this.presentLevel = descriptor.getMaxDefinitionLevel();
      this.physical = descriptor.getPrimitiveType().getPrimitiveTypeName();
    }

    void copyTo(RowEncoder encoder) {
      if (values.getCurrentDefinitionLevel() == presentLevel) {
        switch (column.kind()) {
          case BOOLEAN -> encoder.addBoolean(index, values.getBoolean());
          case BYTE, SHORT, INT, DATE -> encoder.addLong(index, values.getInteger());
          case LONG, LOCAL_TIME, UTC_TIME, LOCAL_TIMESTAMP, UTC_TIMESTAMP ->
              encoder.addLong(index, values.getLong());
          case FLOAT -> encoder.addFloat(index, values.getFloat());
          case DOUBLE -> encoder.addDouble(index, values.getDouble());
          case DECIMAL -> copyDecimal(encoder);
          case STRING, BINARY -> encoder.addBytes(index, values.getBinary().getBytesUnsafe());
        }
      }
      values.consume();
    }

    private void copyDecimal(RowEncoder encoder) {
      BigInteger wide = BigInteger.ZERO;
      long narrow = 0;
      boolean isNarrow = true;
      switch (physical) {
        case INT32 -> narrow = values.getInteger();
        case INT64 -> narrow = values.getLong();
        default -> {
          wide = new BigInteger(values.getBinary().getBytesUnsafe());
          isNarrow = false;
        }
      }
      if (column.precision() <= CellKind.MAX_LONG_DIGITS) {
        encoder.addLong(index, isNarrow ? narrow : wide.longValueExact());
      } else {
        encoder.addBytes(index, (isNarrow ? BigInteger.valueOf(narrow) : wide).toByteArray());
      }
    }
  }
}
