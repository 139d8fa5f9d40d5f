package io.corehub.fabric.mirroring;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ChangeKind;
import io.corehub.agent.table.ColumnVector;
import io.corehub.agent.table.TableSchema;
import io.corehub.runtime.rows.Cells;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rest of a commit from its first key change on. When its rows pass keys on to each other (one
 * gives a key up that another takes), neither event by event nor deletes first is right, because a
 * source may check uniqueness only at the end of the commit. Then the net effect is written: a
 * delete for each key whose row of before is gone, and an upsert for each row that is there at the
 * end. Needs whole old rows. Confined to one caller at a time.
 */
final class NetEffect {

  /**
   * Rows of one run of changes.
   *
   * @param reader the run
   * @param from first row
   * @param to row behind the last
   */
  record Part(ChangeReader reader, int from, int to) {}

  /** A row by its content: two rows of the commit may share a key for a moment. */
  private static final class Version {
    final ChangeReader reader;
    final int row;
    final int[] columns;
    private final int hash;

    Version(ChangeReader reader, int row, int[] columns) {
      this.reader = reader;
      this.row = row;
      this.columns = columns;
      RowHash sum = new RowHash();
      for (int column : columns) {
        sum.add(vector(column), reader.cellRow(column, row));
      }
      this.hash = sum.text().hashCode();
    }

    ColumnVector vector(int column) {
      return reader.changes().rows().columns().get(column);
    }

    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Version that) || that.columns.length != columns.length) {
        return false;
      }
      for (int column : columns) {
        if (!Cells.equal(
            vector(column),
            reader.cellRow(column, row),
            that.vector(column),
            that.reader.cellRow(column, that.row))) {
          return false;
        }
      }
      return true;
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  private final List<Part> parts = new ArrayList<>();
  private final int[] keys;
  private final int[] all;
  private final LongSet givenUp = new LongSet();
  private final LongSet taken = new LongSet();
  private boolean passedOn;
  private long rows;

  NetEffect(TableSchema schema) {
    this.keys = schema.keyIndexes();
    this.all = new int[schema.columns().size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
    }
  }

  /** Takes rows in. */
  void add(ChangeReader reader, int from, int to) {
    parts.add(new Part(reader, from, to));
    rows += to - from;
    for (int row = from; row < to; row++) {
      ChangeKind kind = reader.changes().kind(row);
      if (kind == ChangeKind.DELETE || reader.changesKey(row)) {
        long key = keyHash(reader, row);
        givenUp.add(key);
        passedOn |= taken.contains(key);
      } else if (kind == ChangeKind.INSERT
          || (kind == ChangeKind.UPDATE_AFTER && row > 0 && reader.changesKey(row - 1))) {
        long key = keyHash(reader, row);
        taken.add(key);
        passedOn |= givenUp.contains(key);
      }
    }
  }

  private long keyHash(ChangeReader reader, int row) {
    List<ColumnVector> columns = new ArrayList<>(keys.length);
    for (int key : keys) {
      columns.add(reader.changes().rows().columns().get(key));
    }
    return RowHash.of(columns, row);
  }

  /** Whether a key is both given up and taken. */
  boolean passesKeysOn() {
    return passedOn;
  }

  long rows() {
    return rows;
  }

  /** The rows as they came. */
  List<Part> parts() {
    return List.copyOf(parts);
  }

  /** Forgets the rows but not the keys: they were written event by event. */
  void written() {
    parts.clear();
  }

  /** The rows to write for the net effect, in order. */
  List<FileRows> netRows() {
    Set<Version> consumed = new LinkedHashSet<>();
    Alive alive = new Alive();
    for (Part part : parts) {
      for (int row = part.from; row < part.to; row++) {
        switch (part.reader.changes().kind(row)) {
          case UPDATE_BEFORE, DELETE -> consume(part.reader, row, alive, consumed);
          case UPDATE_AFTER -> {
            if (row == 0 || part.reader.changes().kind(row - 1) != ChangeKind.UPDATE_BEFORE) {
              // An update without old row kept the key: what was there of it ends.
              alive.remove(key(part.reader, row));
            }
            alive.add(part.reader, row);
          }
          case INSERT -> alive.add(part.reader, row);
        }
      }
    }
    return rows(alive, consumed);
  }

  private void consume(ChangeReader reader, int row, Alive alive, Set<Version> consumed) {
    Version key = key(reader, row);
    if (reader.changes().beforeImages() != BeforeImage.FULL) {
      // Whose row it was cannot be told: it is the one that is there, whichever that is.
      alive.remove(key);
      consumed.add(key);
    } else if (!alive.removeOne(key, new Version(reader, row, all))) {
      consumed.add(key);
    }
  }

  private Version key(ChangeReader reader, int row) {
    return new Version(reader, row, keys);
  }

  /** Rows the commit made that are still there, by their keys. */
  private final class Alive {
    private final Map<Version, Map<Version, Integer>> byKey = new LinkedHashMap<>();

    void add(ChangeReader reader, int row) {
      byKey
          .computeIfAbsent(key(reader, row), k -> new LinkedHashMap<>())
          .merge(new Version(reader, row, all), 1, Integer::sum);
    }

    /** All rows of a key end. */
    void remove(Version key) {
      byKey.remove(key);
    }

    /** One such row ends; false if there is none. */
    boolean removeOne(Version key, Version row) {
      Map<Version, Integer> rows = byKey.getOrDefault(key, Map.of());
      Integer count = rows.get(row);
      if (count == null) {
        return false;
      }
      if (count > 1) {
        rows.put(row, count - 1);
      } else {
        rows.remove(row);
        if (rows.isEmpty()) {
          byKey.remove(key);
        }
      }
      return true;
    }

    boolean has(Version key) {
      return byKey.containsKey(key);
    }

    List<Version> rows() {
      return byKey.values().stream().flatMap(rows -> rows.keySet().stream()).toList();
    }
  }

  private static List<FileRows> rows(Alive alive, Set<Version> consumed) {
    List<FileRows> out = new ArrayList<>();
    addRuns(consumed.stream().filter(key -> !alive.has(key)).toList(), ChangeReader.DELETE, out);
    addRuns(alive.rows(), ChangeReader.UPSERT, out);
    return out;
  }

  private static void addRuns(List<Version> versions, int marker, List<FileRows> out) {
    Map<ChangeReader, List<Integer>> byReader = new LinkedHashMap<>();
    versions.forEach(v -> byReader.computeIfAbsent(v.reader, r -> new ArrayList<>()).add(v.row));
    byReader.forEach(
        (reader, chosen) -> {
          int[] rows = chosen.stream().mapToInt(Integer::intValue).toArray();
          int[] markers = new int[rows.length];
          Arrays.fill(markers, marker);
          out.add(reader.chosen(rows, markers, rows.length));
        });
  }

  /** Checksums of keys, unboxed. */
  static final class LongSet {
    private long[] slots = new long[64];
    private int size;
    private boolean zero;

    void add(long value) {
      if (value == 0) {
        zero = true;
        return;
      }
      if (size * 2 >= slots.length) {
        grow();
      }
      if (place(slots, value)) {
        size++;
      }
    }

    boolean contains(long value) {
      if (value == 0) {
        return zero;
      }
      int at = start(value, slots.length);
      while (slots[at] != 0) {
        if (slots[at] == value) {
          return true;
        }
        at = at + 1 & slots.length - 1;
      }
      return false;
    }

    private void grow() {
      long[] wider = new long[Math.multiplyExact(slots.length, 2)];
      for (long value : slots) {
        if (value != 0) {
          place(wider, value);
        }
      }
      slots = wider;
    }

    private static boolean place(long[] slots, long value) {
      int at = start(value, slots.length);
      while (slots[at] != 0) {
        if (slots[at] == value) {
          return false;
        }
        at = at + 1 & slots.length - 1;
      }
      slots[at] = value;
      return true;
    }

    private static int start(long value, int length) {
      return (int) (value ^ value >>> 32) & length - 1;
    }
  }
}
