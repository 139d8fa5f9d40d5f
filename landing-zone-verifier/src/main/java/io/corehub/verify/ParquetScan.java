package io.corehub.verify;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.verify.FileFacts.MarkerColumn;
import io.corehub.verify.FileFacts.Markers;
import io.corehub.verify.FileFacts.Places;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Reads a Parquet file from end to end: every page is decompressed and decoded once, its checksum
 * compared where it has one. One column chunk is held in memory at a time. Confined to one caller
 * at a time.
 */
final class ParquetScan {
  private static final String CHAIN = "cdc.chain";
  private static final int MAGIC_BYTES = 4;
  private static final int TAIL_BYTES = 8;

  private final ParquetFileReader reader;
  private final Decompression decompression;
  private final RangedInput input;
  private final MessageType schema;

  private ParquetScan(ParquetFileReader reader, Decompression decompression, RangedInput input) {
    this.reader = reader;
    this.decompression = decompression;
    this.input = input;
    this.schema = reader.getFileMetaData().getSchema();
  }

  /**
   * What a file holds.
   *
   * @param path where it lies now
   * @param file what was listed
   * @throws UnreadableFileException if it is no whole Parquet file
   * @throws IOException if the target cannot be read
   */
  static FileFacts read(TargetFiles files, String path, TargetFile file)
      throws IOException, UnreadableFileException {
    Window window = new Window(files, path, file);
    RangedInput input = new RangedInput(file.length(), window);
    Decompression decompression = new Decompression();
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            input,
            ParquetReadOptions.builder(new PlainParquetConfiguration())
                .usePageChecksumVerification()
                .withUseHadoopVectoredIo(false)
                .withCodecFactory(decompression)
                .build())) {
      return new ParquetScan(reader, decompression, input).facts();
    } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
      // A damaged footer can ask for any amount of memory or depth; it ends with this file.
      if (window.failure().isPresent()) {
        throw window.failure().get();
      }
      throw new UnreadableFileException(reason(e), e);
    }
  }

  private static String reason(Throwable e) {
    if (e instanceof OutOfMemoryError) {
      return "it asks for more memory than there is";
    }
    @Nullable Throwable cause = e;
    String text = "";
    while (cause != null && text.isEmpty()) {
      text = cause.getMessage() == null ? "" : cause.getMessage();
      cause = cause.getCause();
    }
    return text.isEmpty() ? e.getClass().getSimpleName() : text;
  }

  private FileFacts facts() throws IOException {
    List<FileColumn> columns = new ArrayList<>();
    Optional<MarkerColumn> marker = Optional.empty();
    int last = schema.getFieldCount() - 1;
    for (Type field : schema.getFields()) {
      if (field.getName().equals(FileFacts.MARKER)) {
        marker = Optional.of(marker(field));
      } else {
        columns.add(FileColumn.of(field));
      }
    }
    long rows = checkedRows();
    Optional<String> codec = foreignCodec();
    List<ColumnScan> scans = codec.isEmpty() ? scanAll() : List.of();
    Map<String, Places> nulls = new HashMap<>();
    Markers markers = Markers.NONE;
    for (ColumnScan scan : scans) {
      if (scan.flat()) {
        scan.nulls().ifPresent(places -> nulls.put(scan.name(), places));
      }
      markers = isMarker(scan.column()) ? scan.markers() : markers;
    }
    return new FileFacts(
        columns,
        marker,
        last >= 0 && schema.getFieldName(last).equals(FileFacts.MARKER),
        rows,
        nulls,
        markers,
        codec,
        Optional.ofNullable(reader.getFileMetaData().getKeyValueMetaData().get(CHAIN)));
  }

  private static MarkerColumn marker(Type field) {
    if (!field.isPrimitive()) {
      return new MarkerColumn(false, "a group");
    }
    PrimitiveType type = field.asPrimitiveType();
    boolean plain =
        type.getLogicalTypeAnnotation() == null
            || (type.getLogicalTypeAnnotation() instanceof IntLogicalTypeAnnotation integer
                && integer.isSigned()
                && integer.getBitWidth() == Integer.SIZE);
    boolean int32 =
        plain
            && type.getPrimitiveTypeName() == PrimitiveTypeName.INT32
            && !type.isRepetition(Type.Repetition.REPEATED);
    return new MarkerColumn(int32, FileColumn.of(field).type());
  }

  private long checkedRows() throws IOException {
    long rows = 0;
    for (BlockMetaData group : reader.getRowGroups()) {
      if (group.getRowCount() < 0) {
        throw new IOException("a row group has " + group.getRowCount() + " rows");
      }
      rows = Math.addExact(rows, group.getRowCount());
    }
    long said = rowsOfFooter();
    if (said != rows) {
      throw new IOException("the footer counts " + said + " rows, its row groups " + rows);
    }
    return rows;
  }

  /** The reader itself never looks at the number of rows that the footer tells. */
  private long rowsOfFooter() throws IOException {
    try (SeekableInputStream in = input.newStream()) {
      in.seek(input.getLength() - TAIL_BYTES);
      int footer = BytesUtils.readIntLittleEndian(in);
      in.seek(input.getLength() - TAIL_BYTES - footer);
      return Util.readFileMetaData(in, true).getNum_rows();
    }
  }

  private Optional<String> foreignCodec() {
    return reader.getRowGroups().stream()
        .flatMap(group -> group.getColumns().stream())
        .map(ColumnChunkMetaData::getCodec)
        .filter(codec -> !Decompression.knows(codec))
        .map(Enum::name)
        .findFirst();
  }

  /** In the order of the file, so that no part of it is fetched twice. */
  private List<ColumnScan> scanAll() throws IOException {
    List<ColumnScan> scans = new ArrayList<>();
    for (ColumnDescriptor column : schema.getColumns()) {
      scans.add(new ColumnScan(column, projection(schema, column.getPath()), isMarker(column)));
    }
    String writer = reader.getFileMetaData().getCreatedBy();
    List<BlockMetaData> groups = reader.getRowGroups();
    for (int i = 0; i < groups.size(); i++) {
      if (groups.get(i).getRowCount() == 0) {
        continue;
      }
      for (ColumnScan scan : scans) {
        ColumnChunkMetaData chunk = chunk(groups.get(i), scan);
        decompression.limit(chunk.getTotalUncompressedSize());
        reader.setRequestedSchema(scan.projection());
        scan.scan(reader.readRowGroup(i), chunk.getValueCount(), writer);
      }
    }
    return scans;
  }

  private static boolean isMarker(ColumnDescriptor column) {
    return column.getPath().length == 1 && column.getPath()[0].equals(FileFacts.MARKER);
  }

  /** The column's chunk, after a look whether it can be read without harm. */
  private ColumnChunkMetaData chunk(BlockMetaData group, ColumnScan scan) throws IOException {
    String name = scan.name();
    for (ColumnChunkMetaData chunk : group.getColumns()) {
      if (chunk.getPath().toDotString().equals(name)) {
        long from = chunk.getStartingPos();
        if (from < MAGIC_BYTES
            || chunk.getTotalSize() < 0
            || chunk.getTotalSize() > input.getLength() - TAIL_BYTES - from) {
          throw new IOException("column '" + name + "' lies outside of the file");
        }
        if (scan.flat() && chunk.getValueCount() != group.getRowCount()) {
          throw new IOException(
              "column '"
                  + name
                  + "' has "
                  + chunk.getValueCount()
                  + " values in a row group of "
                  + group.getRowCount()
                  + " rows");
        }
        return chunk;
      }
    }
    throw new IOException("a row group lacks column '" + name + "'");
  }

  /** The schema with one leaf column only. */
  private static MessageType projection(MessageType schema, String[] path) {
    Type only = only(schema.getType(path[0]), path, 1);
    return new MessageType(schema.getName(), only);
  }

  private static Type only(Type type, String[] path, int depth) {
    if (type.isPrimitive()) {
      return type;
    }
    GroupType group = type.asGroupType();
    return group.withNewFields(only(group.getType(path[depth]), path, depth + 1));
  }
}
