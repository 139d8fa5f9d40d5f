package io.corehub.benchmarks;

import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.ColumnVector;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/**
 * The other side: the same rows as Avro records, in the cheapest form that AvroParquetWriter takes:
 * text as {@link Utf8} without decoding, decimals as fixed bytes, dates and times as numbers.
 */
final class AvroWriter {

  private final BenchTable table;
  private final Schema record;
  private final Configuration configuration = new Configuration(false);

  AvroWriter(BenchTable table) {
    this.table = table;
    List<Schema.Field> fields = new ArrayList<>();
    for (Column column : table.schema().columns()) {
      Schema type = schema(column);
      fields.add(
          new Schema.Field(
              column.name(), Schema.createUnion(Schema.create(Schema.Type.NULL), type)));
    }
    record = Schema.createRecord("row", null, "bench", false, fields);
  }

  private static Schema schema(Column column) {
    return switch (column.type().kind()) {
      case SHORT, INT -> Schema.create(Schema.Type.INT);
      case LONG -> Schema.create(Schema.Type.LONG);
      case FLOAT -> Schema.create(Schema.Type.FLOAT);
      case DOUBLE -> Schema.create(Schema.Type.DOUBLE);
      case BOOLEAN -> Schema.create(Schema.Type.BOOLEAN);
      case STRING, ARRAY, MAP -> Schema.create(Schema.Type.STRING);
      case BYTE_ARRAY -> Schema.create(Schema.Type.BYTES);
      case LOCAL_DATE -> annotated(LogicalTypes.date(), Schema.Type.INT);
      case LOCAL_TIME, OFFSET_TIME -> annotated(LogicalTypes.timeMicros(), Schema.Type.LONG);
      case LOCAL_DATE_TIME -> annotated(LogicalTypes.localTimestampMicros(), Schema.Type.LONG);
      case OFFSET_DATE_TIME -> annotated(LogicalTypes.timestampMicros(), Schema.Type.LONG);
      case BIG_DECIMAL ->
          LogicalTypes.decimal(column.type().precision(), column.type().scale())
              .addToSchema(Schema.createFixed(column.name(), null, "bench", Long.BYTES));
    };
  }

  private static Schema annotated(LogicalType type, Schema.Type stored) {
    return type.addToSchema(Schema.create(stored));
  }

  MemoryFile newFile() {
    return new MemoryFile();
  }

  ParquetWriter<GenericRecord> open(MemoryFile file, int rowGroupRows) throws IOException {
    return AvroParquetWriter.<GenericRecord>builder(file)
        .withSchema(record)
        .withDataModel(GenericData.get())
        .withConf(configuration)
        .withCompressionCodec(CompressionCodecName.ZSTD)
        .withRowGroupRowCountLimit(rowGroupRows)
        .build();
  }

  /** The rows of a batch as records. */
  List<GenericRecord> records(ColumnBatch batch) {
    List<GenericRecord> records = new ArrayList<>(batch.rowCount());
    for (int row = 0; row < batch.rowCount(); row++) {
      records.add(record(batch, row));
    }
    return records;
  }

  private GenericRecord record(ColumnBatch batch, int row) {
    GenericRecord values = new GenericData.Record(record);
    List<ColumnVector> columns = batch.columns();
    for (int i = 0; i < columns.size(); i++) {
      values.put(i, value(columns.get(i), row, i));
    }
    return values;
  }

  private @Nullable Object value(ColumnVector vector, int row, int column) {
    if (vector.nulls().isNull(row)) {
      return null;
    }
    ColumnType.Kind kind = table.schema().columns().get(column).type().kind();
    if (vector instanceof ColumnVector.OfLong longs) {
      long value = longs.values()[row];
      return kind == ColumnType.Kind.BIG_DECIMAL ? fixed(column, value) : (Object) value;
    } else if (vector instanceof ColumnVector.OfInt ints) {
      return ints.values()[row];
    } else if (vector instanceof ColumnVector.OfBytes bytes) {
      byte[] value = bytes.copyOf(row);
      return kind == ColumnType.Kind.STRING ? new Utf8(value) : ByteBuffer.wrap(value);
    } else if (vector instanceof ColumnVector.OfDouble doubles) {
      return doubles.values()[row];
    } else if (vector instanceof ColumnVector.OfFloat floats) {
      return floats.values()[row];
    }
    return ((ColumnVector.OfBoolean) vector).values()[row];
  }

  private GenericData.Fixed fixed(int column, long unscaled) {
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(unscaled).array();
    return new GenericData.Fixed(record.getFields().get(column).schema().getTypes().get(1), bytes);
  }
}
