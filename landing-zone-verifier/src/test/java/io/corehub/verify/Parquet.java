package io.corehub.verify;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.Type;

/** Writes files as any publisher may: with parquet-java. */
final class Parquet {
  private final MessageType schema;
  private Map<String, String> footer = Map.of();
  private CompressionCodecName codec = CompressionCodecName.ZSTD;
  private WriterVersion version = WriterVersion.PARQUET_1_0;
  private long rowGroupBytes = 1 << 20;

  private Parquet(String fields) {
    schema = MessageTypeParser.parseMessageType("message row { " + fields + " }");
  }

  static Parquet of(String fields) {
    return new Parquet(fields);
  }

  Parquet footer(String key, String value) {
    footer = Map.of(key, value);
    return this;
  }

  Parquet codec(CompressionCodecName name) {
    codec = name;
    return this;
  }

  Parquet version(WriterVersion pages) {
    version = pages;
    return this;
  }

  Parquet rowGroupBytes(long bytes) {
    rowGroupBytes = bytes;
    return this;
  }

  /** Rows with values in the order of the fields; null for NULL. */
  byte[] rows(Object[]... rows) {
    Buffer buffer = new Buffer();
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(buffer)
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .withCompressionCodec(codec)
            .withWriterVersion(version)
            .withRowGroupSize(rowGroupBytes)
            .withPageSize(4096)
            .withExtraMetaData(footer)
            .build()) {
      for (Object[] row : rows) {
        writer.write(group(row));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return buffer.bytes.toByteArray();
  }

  static Object[] row(Object... values) {
    return values;
  }

  private Group group(Object[] row) {
    Group group = new SimpleGroup(schema);
    for (int i = 0; i < row.length; i++) {
      if (row[i] != null) {
        add(group, i, schema.getType(i), row[i]);
      }
    }
    return group;
  }

  private static void add(Group group, int field, Type type, Object value) {
    switch (type.asPrimitiveType().getPrimitiveTypeName()) {
      case BOOLEAN -> group.add(field, (Boolean) value);
      case INT32 -> group.add(field, ((Number) value).intValue());
      case INT64 -> group.add(field, ((Number) value).longValue());
      case FLOAT -> group.add(field, (Float) value);
      case DOUBLE -> group.add(field, (Double) value);
      default ->
          group.add(
              field,
              value instanceof String text
                  ? Binary.fromString(text)
                  : Binary.fromConstantByteArray((byte[]) value));
    }
  }

  private static final class Buffer implements OutputFile {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public PositionOutputStream create(long blockSizeHint) {
      return new PositionOutputStream() {
        @Override
        public long getPos() {
          return bytes.size();
        }

        @Override
        public void write(int value) {
          bytes.write(value);
        }

        @Override
        public void write(byte[] from, int offset, int length) {
          bytes.write(from, offset, length);
        }
      };
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) {
      return create(blockSizeHint);
    }

    @Override
    public boolean supportsBlockSize() {
      return false;
    }

    @Override
    public long defaultBlockSize() {
      return 0;
    }
  }
}
