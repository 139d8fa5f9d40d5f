package io.corehub.emulator.internal.replica;

import io.corehub.emulator.internal.store.ReadableFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One table of the mirrored database. A file is applied as a whole or not at all.
 *
 * <p>Thread-safe: every method holds the table's own lock.
 */
public final class ReplicaTable {
  private static final int INSERT = 0;
  private static final int UPDATE = 1;
  private static final int DELETE = 2;
  private static final int UPSERT = 4;
  private static final int NO_MARKER = -1;

  /** Why the table stands still. */
  public record Problem(String code, String message) {}

  /** Takes the rows of a table. */
  public interface RowVisitor {
    /** The values in the order of {@link ReplicaTable#columns}; the array is reused. */
    void row(@Nullable Object[] values) throws IOException;
  }

  private final TableName name;
  private TableMetadata metadata = TableMetadata.NONE;
  private ReplicaSchema schema = ReplicaSchema.EMPTY;
  private final ReplicaRows rows = new ReplicaRows();
  private Optional<Problem> problem = Optional.empty();
  private long files;
  private long operations;
  private long bytes;

  ReplicaTable(TableName name) {
    this.name = name;
  }

  public TableName name() {
    return name;
  }

  /** The columns in order of their first appearance. */
  public synchronized List<String> columns() {
    return schema.columns().stream().map(ReplicaColumn::name).toList();
  }

  /** The key, empty when none is declared. */
  public synchronized List<String> keyColumns() {
    return metadata.keyColumns();
  }

  public synchronized long rowCount() {
    return rows.size();
  }

  public synchronized Optional<Problem> problem() {
    return problem;
  }

  /** Files applied so far. */
  public synchronized long files() {
    return files;
  }

  /** Rows of all applied files, whatever they did. */
  synchronized long operations() {
    return operations;
  }

  /** Bytes of all applied files. */
  synchronized long bytes() {
    return bytes;
  }

  synchronized void problem(Optional<Problem> value) {
    problem = value;
  }

  synchronized boolean byLastUpdate() {
    return metadata.byLastUpdate();
  }

  /** Visits every row in the order in which they were last written. */
  public synchronized void forEachRow(RowVisitor visitor) throws IOException {
    RowCursor cursor = new RowCursor(schema);
    int columns = schema.columns().size();
    @Nullable Object[] values = new @Nullable Object[columns];
    for (long address : rows.addresses()) {
      cursor.moveTo(rows.arena(), address, columns - 1);
      for (int i = 0; i < columns; i++) {
        values[i] = cursor.value(i);
      }
      visitor.row(values);
    }
  }

  /**
   * Takes the folder's metadata.
   *
   * @throws TableFailedException when it names another key than before
   */
  synchronized void declare(TableMetadata declared) throws TableFailedException {
    if (!metadata.keyColumns().isEmpty() && !metadata.keyColumns().equals(declared.keyColumns())) {
      throw new TableFailedException(
          "KeyColumnsChanged",
          "keyColumns were "
              + metadata.keyColumns()
              + " and are now "
              + declared.keyColumns()
              + ". The key of a table cannot change; delete the table's folder and load it again.");
    }
    if (!schema.columns().isEmpty() && !rows.keyed() && !declared.keyColumns().isEmpty()) {
      rows.key(keyIndexes(schema, declared.keyColumns()));
    }
    metadata = declared;
  }

  /**
   * Applies a file.
   *
   * @throws TableFailedException when the table cannot take it; nothing of it was applied
   */
  synchronized void apply(ReadableFile content) throws IOException {
    try (LandedFile file = LandedFile.open(content)) {
      ReplicaSchema merged = schema.merge(file.columns());
      int[] keys = keyIndexes(merged, metadata.keyColumns());
      for (String key : metadata.keyColumns()) {
        if (file.columns().stream().noneMatch(column -> column.name().equals(key))) {
          throw missingKey(key);
        }
      }
      RowArena.Mark mark = rows.arena().mark();
      AddressList addresses = new AddressList();
      AddressList markers = new AddressList();
      int unmarked = metadata.upsertByDefault() ? UPSERT : INSERT;
      try {
        file.readRows(
            merged,
            (encoder, marker) -> {
              int effective = marker == NO_MARKER ? unmarked : marker;
              requireApplicable(effective, keys.length > 0);
              addresses.add(encoder.addTo(rows.arena()));
              markers.add(effective);
            });
      } catch (IOException | RuntimeException e) {
        rows.arena().rollBack(mark);
        throw e;
      }
      schema = merged;
      rows.schema(merged);
      if (keys.length > 0 && !rows.keyed()) {
        rows.key(keys);
      }
      for (int i = 0; i < addresses.size(); i++) {
        applyRow((int) markers.get(i), addresses.get(i));
      }
      rows.compact();
      files++;
      operations += addresses.size();
      bytes += content.length();
    }
  }

  private void applyRow(int marker, long address) {
    switch (marker) {
      case UPDATE, UPSERT -> rows.replace(address);
      case DELETE -> rows.delete(address);
      default -> rows.insert(address);
    }
  }

  private static void requireApplicable(int marker, boolean keyed) throws TableFailedException {
    if (marker != INSERT && marker != UPDATE && marker != DELETE && marker != UPSERT) {
      throw new TableFailedException(
          "InvalidRowMarker", LandedFile.MARKER + " is " + marker + ", must be 0, 1, 2 or 4.");
    }
    if (marker != INSERT && !keyed) {
      throw new TableFailedException(
          "KeyColumnsMissing",
          LandedFile.MARKER
              + " "
              + marker
              + " needs keyColumns in _metadata.json; without them only inserts are possible.");
    }
  }

  private static int[] keyIndexes(ReplicaSchema schema, List<String> keys)
      throws TableFailedException {
    int[] indexes = new int[keys.size()];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = schema.indexOf(keys.get(i));
      if (indexes[i] < 0) {
        throw missingKey(keys.get(i));
      }
    }
    return indexes;
  }

  private static TableFailedException missingKey(String key) {
    return new TableFailedException(
        "KeyColumnsMissing",
        "Key column '" + key + "' of _metadata.json is not a column of the file.");
  }
}
