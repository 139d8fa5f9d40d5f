package io.corehub.parquet;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;

/** Reads files with parquet-java. */
final class ParquetJava {

  private ParquetJava() {}

  static ParquetMetadata footer(Path file) throws IOException {
    try (ParquetFileReader reader = open(file)) {
      return reader.getFooter();
    }
  }

  private static ParquetFileReader open(Path file) throws IOException {
    return ParquetFileReader.open(
        new LocalInputFile(file),
        ParquetReadOptions.builder(new PlainParquetConfiguration()).build());
  }

  /** The columns of a file, as a {@link Sample} holds them. */
  static List<List<Object>> read(Path file, ParquetSchema schema) throws IOException {
    List<List<Object>> columns = new ArrayList<>();
    schema.columns().forEach(column -> columns.add(new ArrayList<>()));
    try (ParquetFileReader reader = open(file)) {
      MessageType message = reader.getFileMetaData().getSchema();
      MessageColumnIO columnIo = new ColumnIOFactory().getColumnIO(message);
      PageReadStore pages;
      while ((pages = reader.readNextRowGroup()) != null) {
        RecordReader<Group> records =
            columnIo.getRecordReader(pages, new GroupRecordConverter(message));
        for (long row = 0; row < pages.getRowCount(); row++) {
          Group group = records.read();
          for (int i = 0; i < columns.size(); i++) {
            columns
                .get(i)
                .add(
                    group.getFieldRepetitionCount(i) == 0
                        ? null
                        : value(group, i, schema.columns().get(i).type()));
          }
        }
      }
    }
    return columns;
  }

  private static Object value(Group group, int column, ParquetType type) {
    return switch (type.kind()) {
      case BOOLEAN -> group.getBoolean(column, 0);
      case INT32, DATE -> group.getInteger(column, 0);
      case INT64, TIME_MICROS, TIME_MICROS_UTC, TIMESTAMP_MICROS, TIMESTAMP_MICROS_UTC ->
          group.getLong(column, 0);
      case FLOAT -> group.getFloat(column, 0);
      case DOUBLE -> group.getDouble(column, 0);
      case STRING, BINARY -> group.getBinary(column, 0).getBytes();
      case DECIMAL -> new BigInteger(group.getBinary(column, 0).getBytes());
    };
  }
}
