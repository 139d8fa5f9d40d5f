package io.corehub.emulator.internal.replica;

import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The rows of one mirrored table, with or without a key. A key does not keep two rows from having
 * it: whoever inserts twice has two rows.
 *
 * <p>A row costs its encoded bytes, and with a key some 20 bytes more, without one 8. Confined to
 * one caller at a time.
 */
final class ReplicaRows {
  private static final long MIN_BYTES_TO_COMPACT = 8L << 20;

  private ReplicaSchema schema = ReplicaSchema.EMPTY;
  private RowArena arena = new RowArena();
  private AddressList unkeyed = new AddressList();
  private Optional<KeyIndex> index = Optional.empty();
  private int[] keyColumns = new int[0];
  private int lastKeyColumn = -1;
  private long liveBytes;
  private RowCursor left = new RowCursor(schema);
  private RowCursor right = new RowCursor(schema);

  RowArena arena() {
    return arena;
  }

  boolean keyed() {
    return index.isPresent();
  }

  int size() {
    return index.map(KeyIndex::size).orElse(unkeyed.size());
  }

  /** Takes a schema that has this one's columns in front. */
  void schema(ReplicaSchema wider) {
    schema = wider;
    left = new RowCursor(wider);
    right = new RowCursor(wider);
  }

  /** Declares the key, once; rows that are there already become findable. */
  void key(int[] columns) {
    keyColumns = columns.clone();
    lastKeyColumn = IntStream.of(columns).max().orElse(-1);
    KeyIndex fresh = new KeyIndex();
    for (int i = 0; i < unkeyed.size(); i++) {
      fresh.add(hashOf(unkeyed.get(i)), unkeyed.get(i));
    }
    unkeyed = new AddressList();
    index = Optional.of(fresh);
  }

  /** Adds a row without looking for another one of its key. */
  void insert(long address) {
    liveBytes += arena.lengthOf(address);
    if (index.isPresent()) {
      index.get().add(hashOf(address), address);
    } else {
      unkeyed.add(address);
    }
  }

  /** Puts a row in the place of every row that has its key, or adds it when there is none. */
  void replace(long address) {
    int found = Math.max(1, removeKeyOf(address));
    for (int i = 0; i < found; i++) {
      insert(address);
    }
  }

  /** Removes every row that has the key of this one. */
  void delete(long address) {
    removeKeyOf(address);
  }

  /** Gives back the space of dead rows once they are the larger part. */
  void compact() {
    if (arena.totalBytes() < MIN_BYTES_TO_COMPACT || liveBytes * 2 > arena.totalBytes()) {
      return;
    }
    long[] addresses = addresses();
    RowArena old = arena;
    arena = new RowArena();
    unkeyed = new AddressList();
    index = index.map(any -> new KeyIndex());
    liveBytes = 0;
    for (long address : addresses) {
      insert(arena.add(old.chunkOf(address), old.startOf(address), old.lengthOf(address)));
    }
  }

  /** The addresses of all rows, in the order in which they were last written. */
  long[] addresses() {
    return index.map(KeyIndex::sorted).orElseGet(() -> unkeyed.sorted());
  }

  private int removeKeyOf(long address) {
    int hash = hashOf(address);
    return index
        .orElseThrow(() -> new IllegalStateException("the table has no key"))
        .remove(
            hash,
            candidate -> {
              right.moveTo(arena, candidate, lastKeyColumn);
              boolean same = left.equalIn(keyColumns, right);
              if (same) {
                liveBytes -= arena.lengthOf(candidate);
              }
              return same;
            });
  }

  private int hashOf(long address) {
    left.moveTo(arena, address, lastKeyColumn);
    return left.hash(keyColumns);
  }
}
