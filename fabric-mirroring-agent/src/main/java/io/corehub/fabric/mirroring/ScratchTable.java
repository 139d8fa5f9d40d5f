package io.corehub.fabric.mirroring;

import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.Column;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.ColumnType;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.Retries.FailureListener;
import io.corehub.onelake.RetryPolicy;
import io.corehub.parquet.ParquetColumn;
import io.corehub.parquet.ParquetSchema;
import io.corehub.parquet.ParquetType;
import io.corehub.parquet.ParquetWriter;
import io.corehub.storage.FileBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table that probes write to. Its name says when it was made, so that what a killed process
 * left behind is found, and is told from one that is in use. Requests are single attempts, but for
 * {@link #takeAway}. Confined to one caller at a time.
 */
final class ScratchTable {

  /** A table of probes that is older is in nobody's use. */
  static final Duration LONGEST_USE = Duration.ofHours(1);

  private static final Pattern NAME = Pattern.compile("corehub_probe_([0-9]{14})_[0-9a-f]{8}");
  private static final DateTimeFormatter MADE = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");
  private static final Duration TAKING_AWAY = Duration.ofSeconds(20);

  private static final List<String> COLUMNS = List.of("n");

  private final LandingZone zone;
  private final FileEncoder encoder;
  private final String pipeline;
  private final TableId table;
  private final UUID incarnation;
  private Optional<UUID> previous = Optional.empty();
  private List<String> keys = List.of();

  ScratchTable(LandingZone zone, FileEncoder encoder, String pipeline) {
    this.zone = zone;
    this.encoder = encoder;
    this.pipeline = pipeline;
    this.incarnation = zone.ids().get();
    this.table =
        TableId.of(
            "corehub_probe_"
                + LocalDateTime.ofInstant(zone.clock().instant(), ZoneOffset.UTC).format(MADE)
                + "_"
                + incarnation.toString().substring(0, 8));
  }

  TableId table() {
    return table;
  }

  String folder() {
    return zone.folder(table.name());
  }

  String pathOf(String name) {
    return folder() + "/" + name;
  }

  /** A path that nothing was written to, under a name that Fabric ignores. */
  String unused() {
    return pathOf(FileName.temporary(1, zone.ids().get()));
  }

  /** Writes a whole file. */
  void write(String path, byte[] content) throws InterruptedException {
    zone.client().create(path, true);
    zone.client().append(path, 0, ByteBuffer.wrap(content), AppendMode.APPEND_FLUSH_CLOSE);
  }

  /** Writes a whole file to an unused path. */
  String written(byte[] content) throws InterruptedException {
    String path = unused();
    write(path, content);
    return path;
  }

  /** What stands at a path; empty if there is nothing. */
  Optional<byte[]> content(String path) throws InterruptedException {
    try {
      return Optional.of(zone.client().read(path, 0, DfsClient.MAX_READ_BYTES));
    } catch (DfsException e) {
      if (e.kind() == Kind.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** What the list of the folder says of a path. */
  Optional<PathEntry> listed(String path) throws InterruptedException {
    List<PathEntry> found = new ArrayList<>();
    zone.client()
        .list(
            folder(),
            false,
            entry -> {
              if (entry.path().equals(path)) {
                found.add(entry);
              }
            });
    return found.stream().findFirst();
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

  /** Makes the folder, which does not come by itself everywhere. */
  void makeFolder() throws InterruptedException {
    zone.client().createDirectory(folder());
  }

  /** Says that rows are told apart by a column, as the agent does. Comes before the first file. */
  void declareKey(String column) throws InterruptedException {
    keys = List.of(column);
    byte[] metadata = Json.bytes(Json.object().set("keyColumns", Json.array(keys)));
    zone.client().renameIfAbsent(written(metadata), pathOf(FileName.METADATA));
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
    zone.client().renameIfAbsent(written(file), pathOf(FileName.numbered(seq)));
  }

  /**
   * Deletes the table with all its files.
   *
   * @throws DfsException if it is still there
   */
  void takeAway() throws InterruptedException {
    takeAway(zone, folder());
  }

  private static void takeAway(LandingZone zone, String folder) throws InterruptedException {
    zone.retries()
        .call(
            RetryPolicy.within(TAKING_AWAY),
            FailureListener.NONE,
            e -> e.transientFault() || e.kind() == Kind.CONFLICT || e.kind() == Kind.NOT_FOUND,
            () -> {
              boolean there = zone.client().head(folder).isPresent();
              if (there) {
                zone.client().delete(folder, true);
              }
              return there;
            });
  }

  /**
   * A table that an earlier process left behind.
   *
   * @param folder its folder
   * @param old whether nobody can be using it
   */
  record Leftover(LandingZone zone, String folder, boolean old) {

    void takeAway() throws InterruptedException {
      ScratchTable.takeAway(zone, folder);
    }
  }

  /** Tables of probes beside this one, oldest first. */
  static List<Leftover> leftovers(LandingZone zone) throws InterruptedException {
    String below = zone.folder("");
    String parent = below.substring(0, below.length() - 1);
    Instant oldest = zone.clock().instant().minus(LONGEST_USE);
    List<PathEntry> folders =
        zone.atSetUp(
            () -> {
              List<PathEntry> found = new ArrayList<>();
              if (zone.client().head(parent).isPresent()) {
                zone.client().list(parent, false, found::add);
              }
              return found;
            });
    return folders.stream()
        .filter(PathEntry::directory)
        .filter(entry -> made(entry.name()).isPresent())
        .map(
            entry ->
                new Leftover(zone, entry.path(), made(entry.name()).orElseThrow().isBefore(oldest)))
        .sorted((one, other) -> one.folder().compareTo(other.folder()))
        .toList();
  }

  private static Optional<Instant> made(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(LocalDateTime.parse(matcher.group(1), MADE).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException notOurs) {
      return Optional.empty();
    }
  }
}
