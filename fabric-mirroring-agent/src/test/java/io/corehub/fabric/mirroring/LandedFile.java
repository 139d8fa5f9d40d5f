package io.corehub.fabric.mirroring;

import io.corehub.testkit.CellText;
import io.corehub.testkit.Row;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** A published file as parquet-java reads it. */
record LandedFile(
    MessageType schema,
    Map<String, String> keyValues,
    List<BlockMetaData> groups,
    List<Row> rows,
    List<Integer> markers) {

  static LandedFile read(byte[] bytes) {
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            new Bytes(bytes),
            ParquetReadOptions.builder(new PlainParquetConfiguration()).build())) {
      MessageType schema = reader.getFileMetaData().getSchema();
      List<Row> rows = new ArrayList<>();
      List<Integer> markers = new ArrayList<>();
      PageReadStore pages;
      while ((pages = reader.readNextRowGroup()) != null) {
        RecordReader<Group> records =
            new ColumnIOFactory()
                .getColumnIO(schema)
                .getRecordReader(pages, new GroupRecordConverter(schema));
        for (long row = 0; row < pages.getRowCount(); row++) {
          Group group = records.read();
          rows.add(row(schema, group));
          if (schema.containsField(FileSchema.MARKER)) {
            markers.add(group.getInteger(FileSchema.MARKER, 0));
          }
        }
      }
      return new LandedFile(
          schema,
          reader.getFileMetaData().getKeyValueMetaData(),
          reader.getFooter().getBlocks(),
          rows,
          markers);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Row row(MessageType schema, Group group) {
    Map<String, String> cells = new TreeMap<>();
    for (int i = 0; i < schema.getFieldCount(); i++) {
      Type field = schema.getType(i);
      if (!field.getName().equals(FileSchema.MARKER) && group.getFieldRepetitionCount(i) > 0) {
        cells.put(field.getName(), cell(field.asPrimitiveType(), group, i));
      }
    }
    return new Row(cells);
  }

  private static String cell(PrimitiveType type, Group group, int i) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> Boolean.toString(group.getBoolean(i, 0));
      case FLOAT -> CellText.floating(group.getFloat(i, 0));
      case DOUBLE -> CellText.floating(group.getDouble(i, 0));
      case INT32 ->
          logical instanceof LogicalTypeAnnotation.DateLogicalTypeAnnotation
              ? CellText.date(group.getInteger(i, 0))
              : CellText.integer(group.getInteger(i, 0));
      case INT64 -> longCell(logical, group.getLong(i, 0));
      case BINARY ->
          logical instanceof LogicalTypeAnnotation.StringLogicalTypeAnnotation
              ? CellText.utf8(group.getBinary(i, 0).getBytes())
              : CellText.bytes(group.getBinary(i, 0).getBytes());
      case FIXED_LEN_BYTE_ARRAY ->
          CellText.decimal(
              new BigDecimal(
                  new BigInteger(group.getBinary(i, 0).getBytes()),
                  ((DecimalLogicalTypeAnnotation) logical).getScale()));
      case INT96 -> throw new IllegalArgumentException("INT96");
    };
  }

  private static String longCell(LogicalTypeAnnotation logical, long value) {
    if (logical instanceof TimestampLogicalTypeAnnotation timestamp) {
      return timestamp.isAdjustedToUTC() ? CellText.instant(value) : CellText.localDateTime(value);
    }
    if (logical instanceof TimeLogicalTypeAnnotation time) {
      return time.isAdjustedToUTC() ? CellText.utcTime(value) : CellText.time(value);
    }
    return CellText.integer(value);
  }

  ChainEntry chain() {
    try {
      return ChainEntry.parse(
          Optional.ofNullable(keyValues.get(ChainEntry.KEY))
              .orElseThrow(() -> new AssertionError("no chain entry")));
    } catch (ChainEntry.MalformedChainException e) {
      throw new AssertionError(e);
    }
  }

  private record Bytes(byte[] bytes) implements InputFile {
    @Override
    public long getLength() {
      return bytes.length;
    }

    @Override
    public SeekableInputStream newStream() {
      Positioned stream = new Positioned(bytes);
      return new DelegatingSeekableInputStream(stream) {
        @Override
        public long getPos() {
          return stream.position();
        }

        @Override
        public void seek(long position) {
          stream.seek((int) position);
        }

        @Override
        public void readFully(ByteBuffer buffer) throws IOException {
          byte[] part = new byte[buffer.remaining()];
          readFully(part);
          buffer.put(part);
        }
      };
    }
  }

  private static final class Positioned extends ByteArrayInputStream {
    Positioned(byte[] bytes) {
      super(bytes);
    }

    int position() {
      return pos;
    }

    void seek(int position) {
      pos = position;
    }
  }
}
