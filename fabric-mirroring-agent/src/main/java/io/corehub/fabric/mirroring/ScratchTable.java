package io.corehub.fabric.mirroring;

import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.parquet.ParquetColumn;
import io.corehub.parquet.ParquetSchema;
import io.corehub.parquet.ParquetType;
import io.corehub.parquet.ParquetWriter;
import io.corehub.storage.FileBytes;
import io.corehub.storage.probe.ProbeFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A table that probes write to. Requests are single attempts. Confined to one caller at a time. */
final class ScratchTable {

  private static final List<String> COLUMNS = List.of("n");

  private final LandingZone zone;
  private final FileEncoder encoder;
  private final String pipeline;
  private final ProbeFolder folder;
  private final TableId table;
  private final UUID incarnation;
  private Optional<UUID> previous = Optional.empty();
  private List<String> keys = List.of();

  ScratchTable(LandingZone zone, FileEncoder encoder, String pipeline, ProbeFolder folder) {
    this.zone = zone;
    this.encoder = encoder;
    this.pipeline = pipeline;
    this.folder = folder;
    this.incarnation = zone.ids().get();
    this.table = TableId.of(folder.name());
  }

  TableId table() {
    return table;
  }

  ProbeFolder folder() {
    return folder;
  }

  /** Collects rows of columns that hold numbers; the row marker is one of them if it is named. */
  static ColumnBatchBuilder rows(List<String> columns) {
    return new ColumnBatchBuilder(
        new TableSchema(
            TableId.of("corehub_probe"),
            columns.stream()
                .map(
                    name ->
                        Column.of(
                            name,
                            ColumnType.of(
                                name.equals(FileSchema.MARKER)
                                    ? ColumnType.Kind.INT
                                    : ColumnType.Kind.LONG)))
                .toList(),
            List.of(),
            1));
  }

  /** A file as the agent writes them, with a row for each number below a bound. */
  byte[] parquet(long seq, int rows) {
    ColumnBatchBuilder numbers = rows(COLUMNS);
    for (int n = 0; n < rows; n++) {
      numbers.setLong(0, n);
      numbers.endRow();
    }
    return parquet(seq, numbers.build());
  }

  private byte[] parquet(long seq, ColumnBatch rows) {
    UUID fileId = zone.ids().get();
    ChainEntry chain =
        new ChainEntry(
            pipeline,
            Optional.empty(),
            table.toString(),
            incarnation,
            seq,
            fileId,
            previous,
            1,
            incarnation,
            new ChainEntry.Snapshot("probe", (int) seq, false, new SourcePosition("", 0, "")),
            rows.rowCount(),
            "probe",
            keys);
    previous = Optional.of(fileId);
    ParquetSchema columns =
        new ParquetSchema(
            rows.schema().columns().stream()
                .map(
                    column ->
                        new ParquetColumn(
                            column.name(),
                            column.type().kind() == ColumnType.Kind.INT
                                ? ParquetType.INT32
                                : ParquetType.INT64))
                .toList());
    FileBytes bytes = new FileBytes(1 << 20);
    try (ParquetWriter writer = encoder.open(columns, bytes)) {
      if (rows.rowCount() > 0) {
        writer.append(rows);
      }
      writer.keyValue(ChainEntry.KEY, chain.toJson());
      writer.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    bytes.blocks().forEach(block -> whole.write(block.bytes(), 0, block.length()));
    return whole.toByteArray();
  }

  /** Says that rows are told apart by a column, as the agent does. Comes before the first file. */
  void declareKey(String column) throws InterruptedException {
    keys = List.of(column);
    byte[] metadata = Json.bytes(Json.object().set("keyColumns", Json.array(keys)));
    zone.client().renameIfAbsent(folder.written(metadata), folder.pathOf(FileName.METADATA));
  }

  /** Publishes the only file of a table, with rows of its own. */
  void publishFirst(ColumnBatch rows) throws InterruptedException {
    publish(1, parquet(1, rows));
  }

  /** Publishes a file as the agent does. */
  void publish(long seq, int rows) throws InterruptedException {
    publish(seq, parquet(seq, rows));
  }

  private void publish(long seq, byte[] file) throws InterruptedException {
    zone.client().renameIfAbsent(folder.written(file), folder.pathOf(FileName.numbered(seq)));
  }
}
