package io.corehub.hub.source;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableEvent;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.TableTruncated;
import io.corehub.agent.TableUnreadable;
import io.corehub.agent.table.ColumnBatch;
import io.corehub.agent.table.ColumnBatchBuilder;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Writes commit batches to a private file and reads them back within one run: schemas are kept in
 * memory and stand in the file as numbers. Confined to one caller.
 */
final class BatchCodec {

  private static final int ROWS = 0;
  private static final int TRUNCATED = 1;
  private static final int UNREADABLE = 2;

  private static final int NULL = 0;
  private static final int VALUE = 1;
  private static final int NOT_DELIVERED = 2;

  private final List<TableSchema> schemas = new ArrayList<>();
  private final IdentityHashMap<TableSchema, Integer> numbers = new IdentityHashMap<>();

  void write(CommitBatch batch, DataOutputStream out) throws IOException {
    out.writeBoolean(batch.lastCommitComplete());
    out.writeInt(batch.commits().size());
    for (Commit commit : batch.commits()) {
      write(commit, out);
    }
    out.writeInt(batch.events().size());
    for (TableEvent event : batch.events()) {
      if (event instanceof RowChanges changes) {
        out.writeByte(ROWS);
        write(changes, out);
      } else if (event instanceof TableTruncated truncated) {
        out.writeByte(TRUNCATED);
        text(truncated.table().toString(), out);
        out.writeInt(truncated.commitIndex());
      } else if (event instanceof TableUnreadable unreadable) {
        out.writeByte(UNREADABLE);
        text(unreadable.table().toString(), out);
        out.writeInt(unreadable.commitIndex());
        text(unreadable.reason().code().name(), out);
        text(String.valueOf(unreadable.reason().getMessage()), out);
      }
    }
  }

  /**
   * The next batch.
   *
   * @throws IOException if it cannot be read, is cut short, or is not what {@link #write} wrote
   */
  CommitBatch read(DataInputStream in) throws IOException {
    try {
      return readBatch(in);
    } catch (EOFException e) {
      throw new IOException("it ends inside a batch", e);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException e) {
      throw new IOException("it does not hold what was written: " + e.getMessage(), e);
    }
  }

  private CommitBatch readBatch(DataInputStream in) throws IOException {
    boolean complete = in.readBoolean();
    List<Commit> commits = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      commits.add(readCommit(in));
    }
    List<TableEvent> events = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      events.add(readEvent(in));
    }
    return new CommitBatch(commits, events, complete);
  }

  private TableEvent readEvent(DataInputStream in) throws IOException {
    int tag = in.readByte();
    if (tag == ROWS) {
      return readRows(in);
    }
    TableId table = TableId.parse(text(in));
    int commit = in.readInt();
    if (tag == TRUNCATED) {
      return new TableTruncated(table, commit);
    }
    require(tag == UNREADABLE, "event", tag);
    ErrorCode code = ErrorCode.valueOf(text(in));
    return new TableUnreadable(table, commit, new TableStoppedException(table, code, text(in)));
  }

  private static void write(Commit commit, DataOutputStream out) throws IOException {
    text(commit.position().timeline(), out);
    out.writeLong(commit.position().order());
    text(commit.position().token(), out);
    optional(commit.committedAt().map(Instant::toString), out);
    optional(commit.transactionId(), out);
    optional(commit.user(), out);
  }

  private static Commit readCommit(DataInputStream in) throws IOException {
    SourcePosition position = new SourcePosition(text(in), in.readLong(), text(in));
    Optional<Instant> at = optional(in).map(Instant::parse);
    return new Commit(position, at, optional(in), optional(in));
  }

  private void write(RowChanges changes, DataOutputStream out) throws IOException {
    ColumnBatch rows = changes.rows();
    out.writeInt(
        numbers.computeIfAbsent(
            rows.schema(),
            schema -> {
              schemas.add(schema);
              return schemas.size() - 1;
            }));
    text(changes.beforeImages().name(), out);
    byte[] kinds = new byte[rows.rowCount()];
    for (int row = 0; row < kinds.length; row++) {
      kinds[row] = changes.kind(row).code();
    }
    bytes(kinds, out);
    for (int row = 0; row < rows.rowCount(); row++) {
      out.writeInt(changes.commitIndex(row));
      for (int column = 0; column < rows.columns().size(); column++) {
        if (changes.undelivered().is(column, row)) {
          out.writeByte(NOT_DELIVERED);
        } else {
          cell(rows.columns().get(column), row, out);
        }
      }
    }
  }

  private static void cell(ColumnVector vector, int row, DataOutputStream out) throws IOException {
    if (vector.nulls().isNull(row)) {
      out.writeByte(NULL);
      return;
    }
    out.writeByte(VALUE);
    if (vector instanceof ColumnVector.OfBoolean v) {
      out.writeBoolean(v.values()[row]);
    } else if (vector instanceof ColumnVector.OfInt v) {
      out.writeInt(v.values()[row]);
    } else if (vector instanceof ColumnVector.OfLong v) {
      out.writeLong(v.values()[row]);
    } else if (vector instanceof ColumnVector.OfFloat v) {
      out.writeFloat(v.values()[row]);
    } else if (vector instanceof ColumnVector.OfDouble v) {
      out.writeDouble(v.values()[row]);
    } else if (vector instanceof ColumnVector.OfBytes v) {
      int from = v.offsets()[row];
      int length = v.offsets()[row + 1] - from;
      out.writeInt(length);
      out.write(v.data(), from, length);
    }
  }

  private RowChanges readRows(DataInputStream in) throws IOException {
    TableSchema schema = schemas.get(in.readInt());
    BeforeImage images = BeforeImage.valueOf(text(in));
    byte[] kinds = bytes(in);
    int[] commits = new int[kinds.length];
    ColumnBatchBuilder rows = new ColumnBatchBuilder(schema);
    for (int row = 0; row < commits.length; row++) {
      commits[row] = in.readInt();
      for (int column = 0; column < schema.columns().size(); column++) {
        readCell(in, rows, column);
      }
      rows.endRow();
    }
    var undelivered = rows.undelivered();
    return new RowChanges(rows.build(), kinds, commits, undelivered, images);
  }

  private static void readCell(DataInputStream in, ColumnBatchBuilder rows, int column)
      throws IOException {
    int tag = in.readByte();
    if (tag == NOT_DELIVERED) {
      rows.setUndelivered(column);
    } else if (tag == VALUE) {
      switch (rows.schema().columns().get(column).type().storage()) {
        case BOOLEAN -> rows.setBoolean(column, in.readBoolean());
        case INT -> rows.setInt(column, in.readInt());
        case LONG -> rows.setLong(column, in.readLong());
        case FLOAT -> rows.setFloat(column, in.readFloat());
        case DOUBLE -> rows.setDouble(column, in.readDouble());
        case BYTES -> rows.setBytes(column, bytes(in));
      }
    } else {
      require(tag == NULL, "cell", tag);
    }
  }

  private static void require(boolean known, String what, int tag) throws IOException {
    if (!known) {
      throw new IOException("it does not hold what was written: " + what + " of kind " + tag);
    }
  }

  private static void text(String text, DataOutputStream out) throws IOException {
    bytes(text.getBytes(StandardCharsets.UTF_8), out);
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  private static void bytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** A length that is not true takes no more memory than there are bytes to come. */
  private static byte[] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }

  private static void optional(Optional<String> text, DataOutputStream out) throws IOException {
    out.writeBoolean(text.isPresent());
    if (text.isPresent()) {
      text(text.get(), out);
    }
  }

  private static Optional<String> optional(DataInputStream in) throws IOException {
    return in.readBoolean() ? Optional.of(text(in)) : Optional.empty();
  }
}
