package io.corehub.cyclereader;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.verify.Decompression;
import io.corehub.verify.RangedInput;
import io.corehub.verify.Window;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Rows of a Parquet file of flat columns. One row group is held at a time. */
final class ParquetDataRows extends DataRows {

  private static final long MICROS_PER_SECOND = 1_000_000;

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

  private final String path;
  private final Window window;
  private final Decompression decompression;
  private final ParquetFileReader reader;
  private final MessageType schema;
  private final List<Cell> cells;
  private List<ColumnReader> columns = List.of();
  private List<Optional<JsonNode>> current = List.of();
  private int groups;
  private long left;

  /** Reads a value that is there. */
  private interface Cell {
    JsonNode read(ColumnReader column);
  }

  private ParquetDataRows(
      String path,
      Window window,
      Decompression decompression,
      ParquetFileReader reader,
      Optional<SchemaDoc> doc)
      throws CycleFormatException {
    this.path = path;
    this.window = window;
    this.decompression = decompression;
    this.reader = reader;
    this.schema = reader.getFileMetaData().getSchema();
    this.cells = new ArrayList<>();
    for (int i = 0; i < schema.getFieldCount(); i++) {
      Type field = schema.getType(i);
      if (!field.isPrimitive() || field.isRepetition(Type.Repetition.REPEATED)) {
        throw new CycleFormatException(path, "column '" + field.getName() + "' is not flat");
      }
      int index = i;
      boolean json =
          doc.filter(d -> d.fields().size() > index && d.fields().get(index).json()).isPresent();
      cells.add(json ? ParquetDataRows::json : cell(field.asPrimitiveType()));
    }
  }

  static ParquetDataRows of(TargetFiles files, TargetFile file, Optional<SchemaDoc> doc)
      throws IOException {
    Window window = new Window(files, file.path(), file);
    Decompression decompression = new Decompression();
    ParquetFileReader reader;
    try {
      reader =
          ParquetFileReader.open(
              new RangedInput(file.length(), window),
              ParquetReadOptions.builder(new PlainParquetConfiguration())
                  .usePageChecksumVerification()
                  .withUseHadoopVectoredIo(false)
                  .withCodecFactory(decompression)
                  .build());
    } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
      // A damaged footer can ask for any amount of memory or depth; it ends with this file.
      throw damaged(file.path(), window, e);
    }
    try {
      return new ParquetDataRows(file.path(), window, decompression, reader, doc);
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  private static IOException damaged(String path, Window window, Throwable e) {
    if (window.failure().isPresent()) {
      return window.failure().get();
    }
    String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return new CycleFormatException(path, "it is not whole Parquet: " + reason, e);
  }

  @Override
  List<String> columns() {
    return schema.getFields().stream().map(Type::getName).toList();
  }

  @Override
  boolean next() throws IOException {
    try {
      while (left == 0) {
        if (!nextGroup()) {
          return false;
        }
      }
      List<Optional<JsonNode>> row = new ArrayList<>(cells.size());
      for (int i = 0; i < cells.size(); i++) {
        ColumnReader column = columns.get(i);
        boolean present =
            column.getCurrentDefinitionLevel() == column.getDescriptor().getMaxDefinitionLevel();
        row.add(present ? Optional.of(cells.get(i).read(column)) : Optional.empty());
        column.consume();
      }
      current = row;
      left--;
      return true;
    } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
      throw damaged(path, window, e);
    }
  }

  private boolean nextGroup() throws IOException {
    if (groups == reader.getRowGroups().size()) {
      return false;
    }
    BlockMetaData group = reader.getRowGroups().get(groups++);
    long most = 0;
    for (ColumnChunkMetaData chunk : group.getColumns()) {
      if (chunk.getValueCount() != group.getRowCount()) {
        throw new IOException("a column has another number of values than its row group of rows");
      }
      most = Math.max(most, chunk.getTotalUncompressedSize());
    }
    decompression.limit(most);
    @Nullable PageReadStore pages = reader.readNextRowGroup();
    if (pages == null) {
      throw new IOException("a row group is missing");
    }
    ColumnReadStoreImpl store =
        new ColumnReadStoreImpl(pages, IGNORE, schema, reader.getFileMetaData().getCreatedBy());
    List<ColumnReader> readers = new ArrayList<>();
    for (ColumnDescriptor column : schema.getColumns()) {
      readers.add(store.getColumnReader(column));
    }
    columns = readers;
    left = pages.getRowCount();
    return true;
  }

  @Override
  Optional<String> metadata(int column) {
    return current.get(column).map(JsonNode::asText);
  }

  @Override
  Optional<JsonNode> value(int column) {
    return current.get(column);
  }

  private static Cell cell(PrimitiveType type) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
      return decimal(type, decimal.getScale());
    }
    if (logical instanceof StringLogicalTypeAnnotation) {
      return column -> TextNode.valueOf(column.getBinary().toStringUsingUTF8());
    }
    if (logical instanceof DateLogicalTypeAnnotation) {
      return column -> TextNode.valueOf(LocalDate.ofEpochDay(column.getInteger()).toString());
    }
    if (logical instanceof TimeLogicalTypeAnnotation time && time.getUnit() == TimeUnit.MICROS) {
      String zone = time.isAdjustedToUTC() ? "Z" : "";
      return column ->
          TextNode.valueOf(
              DateTimeFormatter.ISO_LOCAL_TIME.format(
                      LocalTime.ofNanoOfDay(column.getLong() * 1000))
                  + zone);
    }
    if (logical instanceof TimestampLogicalTypeAnnotation timestamp
        && timestamp.getUnit() == TimeUnit.MICROS) {
      String zone = timestamp.isAdjustedToUTC() ? "Z" : "";
      return column -> TextNode.valueOf(dateTime(column.getLong()) + zone);
    }
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> column -> BooleanNode.valueOf(column.getBoolean());
      case INT32 -> column -> IntNode.valueOf(column.getInteger());
      case INT64 -> column -> LongNode.valueOf(column.getLong());
      case FLOAT -> column -> ValueForm.floating(column.getFloat());
      case DOUBLE -> column -> ValueForm.floating(column.getDouble());
      case BINARY, FIXED_LEN_BYTE_ARRAY, INT96 ->
          column ->
              TextNode.valueOf(
                  Base64.getEncoder().encodeToString(column.getBinary().getBytesUnsafe()));
    };
  }

  private static JsonNode json(ColumnReader column) {
    return ValueForm.json(column.getBinary().toStringUsingUTF8());
  }

  private static Cell decimal(PrimitiveType type, int scale) {
    return column ->
        TextNode.valueOf(
            switch (type.getPrimitiveTypeName()) {
              case INT32 -> BigDecimal.valueOf(column.getInteger(), scale).toPlainString();
              case INT64 -> BigDecimal.valueOf(column.getLong(), scale).toPlainString();
              default ->
                  new BigDecimal(new BigInteger(column.getBinary().getBytesUnsafe()), scale)
                      .toPlainString();
            });
  }

  private static String dateTime(long micros) {
    Instant instant =
        Instant.ofEpochSecond(
            Math.floorDiv(micros, MICROS_PER_SECOND),
            Math.floorMod(micros, MICROS_PER_SECOND) * 1000);
    return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
        LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
