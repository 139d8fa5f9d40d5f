package io.corehub.fabric.mirroring;

import io.corehub.agent.AgentException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.Nulls;
import io.corehub.agent.table.TableId;
import io.corehub.parquet.ParquetWriter;
import io.corehub.runtime.MemoryBudget;
import io.corehub.runtime.SerialTasks;
import io.corehub.runtime.Signal;
import io.corehub.runtime.rows.RefusedValueException;
import io.corehub.runtime.rows.TypeRules;
import io.corehub.storage.BlockUpload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Streams one table's snapshot into files. Pages are encoded in the background, one at a time; the
 * blocks of a file leave while it is written; a file is published when it is full or, staged, when
 * the snapshot is complete. Its caller's side is confined to one thread at a time, as the SPI says.
 */
final class SnapshotLoad implements SnapshotWriter {

  /** Beside the row limit: no file grows beyond this. */
  private static final long MOST_FILE_BYTES = 1L << 30;

  private static final long PAGE_OVERHEAD = 4 << 10;

  private final MirrorShared shared;
  private final TableMirror mirror;
  private final TableId table;
  private final SnapshotStart start;
  private final SnapshotBegin.Begun begun;
  private final SerialTasks encoding;
  private final long maxRows;
  private final TypeRules types;
  private final @Nullable StagedSnapshot staging;

  /** Used by encoding tasks alone. */
  private FileSchema schema;

  private @Nullable OpenFile open;
  private int chunks;

  private final Object turn = new Object();
  private final Signal changed;
  private final Set<FileFacts> unpublished = new HashSet<>();
  private int uploading;
  private boolean encoded;
  private boolean submitted;
  private boolean ended;
  private @Nullable AgentException failure;

  /** The file being written; used by encoding tasks alone. */
  private final class OpenFile implements BlockUpload.StreamedBytes {
    final FileFacts facts;
    final BlockUpload upload;
    final ParquetWriter writer;
    final MemoryBudget.Reservation memory;

    OpenFile() {
      facts = mirror.nextFile(schema);
      memory = shared.memory().force(table, 0);
      upload =
          FileUpload.streamed(
              shared.zone(), begun.opened().folder(), facts, this, mirror.patience());
      writer = shared.encoder().open(schema, begun.upsert(), upload.bytes());
    }

    @Override
    public void sent(int length) {
      memory.grow(length);
    }

    @Override
    public void acknowledged(int length) {
      memory.grow(-length);
    }

    boolean full() {
      return writer.rowCount() >= maxRows || writer.bytesWritten() >= MOST_FILE_BYTES;
    }
  }

  SnapshotLoad(
      MirrorShared shared,
      TableMirror mirror,
      TableSpec spec,
      SnapshotStart start,
      SnapshotBegin.Begun begun,
      FileSchema schema,
      SerialTasks encoding) {
    this.shared = shared;
    this.mirror = mirror;
    this.table = spec.table();
    this.start = start;
    this.begun = begun;
    this.schema = schema;
    this.encoding = encoding;
    this.changed = shared.zone().workers().signal();
    this.types = shared.config().rules().typesFor(spec.settings());
    this.maxRows = spec.settings().get(MirroringSettings.PARQUET_MAX_ROW_COUNT);
    this.staging =
        shared.config().files().staged(spec.settings())
            ? new StagedSnapshot(
                shared.zone(),
                begun.opened().folder(),
                begun.opened().log().manifest(start.id()),
                mirror.patience(),
                mirror::visible)
            : null;
  }

  @Override
  public void write(ColumnBatch page) throws InterruptedException {
    checkUsable();
    MemoryBudget.Reservation memory = shared.memory().reserve(table, page.bytes() + PAGE_OVERHEAD);
    try {
      checkUsable();
    } catch (RuntimeException e) {
      memory.release();
      throw e;
    }
    encoding.execute(
        () -> {
          try {
            guarded(() -> encode(page));
          } finally {
            memory.release();
          }
        });
  }

  @Override
  public void finish() throws InterruptedException {
    checkUsable();
    encoding.execute(() -> guarded(this::closeLast));
    await(() -> encoded && uploading == 0);
    if (staging != null && failed() == null) {
      submit(staging);
    }
    await(() -> encoded && unpublished.isEmpty());
    AgentException failed = failed();
    if (failed != null) {
      abort();
      throw failed;
    }
    end(true);
    new Recreation(shared).awaitReturn(table);
  }

  /** Waits for a condition under the lock, or for a failure. */
  private void await(BooleanSupplier condition) throws InterruptedException {
    changed.await(
        () -> {
          synchronized (turn) {
            return failure != null || condition.getAsBoolean();
          }
        });
  }

  /** Everything is uploaded: from now on the lane says what becomes of it. */
  private void submit(StagedSnapshot complete) {
    synchronized (turn) {
      submitted = true;
    }
    complete
        .files()
        .forEach(
            file -> mirror.expect(file.facts(), start.consistentAt(), file.rows(), file.length()));
    mirror.submit(complete);
  }

  @Override
  public void abort() {
    end(false);
  }

  private void end(boolean finished) {
    synchronized (turn) {
      if (ended) {
        return;
      }
      ended = true;
      changed.raise();
    }
    mirror.snapshotEnded(
        this, start.id(), finished ? Optional.of(start.consistentAt()) : Optional.empty(), schema);
    if (!finished) {
      encoding.execute(this::discard);
    }
  }

  private void checkUsable() {
    AgentException failed = failed();
    if (failed != null) {
      throw failed;
    }
    synchronized (turn) {
      if (ended) {
        throw new IllegalStateException("The snapshot of " + table + " has ended");
      }
    }
  }

  private @Nullable AgentException failed() {
    synchronized (turn) {
      return failure;
    }
  }

  /** The table stopped. */
  void stop(TableStoppedException reason) {
    fail(reason);
  }

  /** The agent has ended before the snapshot. */
  void closed() {
    fail(
        new RetryLaterException(
            ErrorCode.NEEDS_SNAPSHOT,
            "Table "
                + table
                + ": the agent was closed before its snapshot was complete. The next start takes it"
                + " again."));
  }

  /** What was uploaded is gone; the snapshot can be taken again. */
  void lost(BlockUpload.StreamLostException reason) {
    fail(
        new RetryLaterException(
            ErrorCode.NEEDS_SNAPSHOT,
            "Table " + table + ": " + reason.getMessage() + ". Its snapshot starts over.",
            reason));
  }

  private void fail(AgentException reason) {
    synchronized (turn) {
      if (failure == null) {
        failure = reason;
      }
      changed.raise();
    }
    encoding.execute(this::discard);
  }

  /** A file of this snapshot is visible. */
  void published(FileFacts facts) {
    synchronized (turn) {
      unpublished.remove(facts);
      changed.raise();
    }
  }

  /** A file of this snapshot is uploaded. */
  private void staged(StagedSnapshot into, StagedFile file) {
    boolean given;
    synchronized (turn) {
      given = !ended && failure == null;
      if (given) {
        into.add(file);
        uploading--;
        changed.raise();
      }
    }
    if (!given) {
      file.discard();
    }
  }

  // --- encoding tasks --------------------------------------------------------------------------

  private interface Encoding {
    void run() throws IOException;
  }

  private void guarded(Encoding work) {
    if (over()) {
      return;
    }
    try {
      work.run();
    } catch (IOException | RuntimeException | Error e) {
      TableStoppedException stop = encodingStopped(e);
      mirror.stopNow(stop);
      fail(stop);
    }
  }

  private TableStoppedException encodingStopped(Throwable reason) {
    if (reason instanceof TableStoppedException known) {
      return known;
    }
    return reason instanceof OutOfMemoryError
        ? FilePublication.heapSpent(table, reason)
        : new TableStoppedException(
            table,
            ErrorCode.INTERNAL,
            "Table " + table + ": its snapshot cannot be encoded: " + reason,
            reason);
  }

  private boolean over() {
    synchronized (turn) {
      return ended || failure != null;
    }
  }

  private void encode(ColumnBatch page) throws IOException {
    if (!page.schema().equals(schema.table())) {
      follow(page);
    }
    List<ColumnVector> columns = converted(page);
    int row = 0;
    while (row < page.rowCount()) {
      OpenFile file = open;
      if (file != null && file.full()) {
        close(file, false);
        file = null;
      }
      if (file == null) {
        file = new OpenFile();
        open = file;
      }
      int to = (int) Math.min(page.rowCount(), row + maxRows - file.writer.rowCount());
      file.writer.append(columns, row, to);
      row = to;
    }
  }

  private List<ColumnVector> converted(ColumnBatch page) {
    try {
      List<ColumnVector> columns =
          new ArrayList<>(
              schema.vectors(
                  page.columns()::get,
                  page.rowCount(),
                  0,
                  page.rowCount(),
                  () -> shared.count("values.replaced", 1, table)));
      schema.checkKeys(columns, 0, page.rowCount());
      shared.rowLimit().check(columns, 0, page.rowCount());
      if (begun.upsert()) {
        int[] markers = new int[page.rowCount()];
        Arrays.fill(markers, ChangeReader.UPSERT);
        columns.add(new ColumnVector.OfInt(markers, page.rowCount(), Nulls.NONE));
      }
      return columns;
    } catch (RefusedValueException e) {
      throw e.stop(page);
    }
  }

  private void follow(ColumnBatch page) throws IOException {
    if (!new HashSet<>(page.schema().keyColumns())
        .equals(new HashSet<>(schema.table().keyColumns()))) {
      throw new TableStoppedException(
          table,
          ErrorCode.KEY_CHANGED,
          "Table " + table + " changed its primary key while its snapshot was taken. Start again.");
    }
    FileSchema next = FileSchema.of(page.schema(), schema.columns(), types);
    OpenFile file = open;
    if (file != null && !next.columns().equals(schema.columns())) {
      close(file, false);
    }
    schema = next;
    mirror.shaped(next);
  }

  private void closeLast() throws IOException {
    OpenFile file = open;
    close(file == null ? new OpenFile() : file, true);
    synchronized (turn) {
      encoded = true;
      changed.raise();
    }
  }

  private void close(OpenFile file, boolean last) throws IOException {
    open = null;
    StagedSnapshot into = staging;
    if (into != null && chunks == SnapshotManifest.MOST_FILES) {
      throw tooManyFiles();
    }
    synchronized (turn) {
      unpublished.add(file.facts);
      uploading += into == null ? 0 : 1;
    }
    ChainEntry chain =
        mirror.chainOf(
            file.facts,
            schema,
            new ChainEntry.Snapshot(start.id(), chunks++, last, start.consistentAt()),
            file.writer.rowCount());
    try (ParquetWriter writer = file.writer) {
      writer.keyValue(ChainEntry.KEY, chain.toJson());
      writer.finish();
    }
    file.memory.grow(file.upload.bytes().held());
    if (into == null) {
      mirror.expect(
          file.facts, start.consistentAt(), file.writer.rowCount(), file.upload.bytes().length());
      mirror.submit(
          new FilePublication(
              shared.zone(),
              begun.opened().folder(),
              file.facts,
              file.upload,
              mirror.patience(),
              file.memory::release));
    } else {
      mirror.submit(
          new StagedFile(
              file.facts,
              file.writer.rowCount(),
              file.upload,
              mirror.patience(),
              file.memory::release,
              done -> staged(into, done)));
    }
  }

  private TableStoppedException tooManyFiles() {
    return new TableStoppedException(
        table,
        ErrorCode.TOO_LARGE,
        "Table "
            + table
            + ": its snapshot has more than "
            + SnapshotManifest.MOST_FILES
            + " files, too many for snapshotPublishing = staged. Raise parquetMaxRowCount, or set"
            + " snapshotPublishing to streamed.");
  }

  private void discard() {
    OpenFile file = open;
    open = null;
    if (file != null) {
      file.writer.close();
      file.upload.abandon();
      file.memory.release();
    }
    boolean withLane;
    synchronized (turn) {
      withLane = submitted;
    }
    if (staging != null && !withLane) {
      staging.abandon();
    }
    mirror.snapshotDiscarded(this);
  }
}
