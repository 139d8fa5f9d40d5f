package io.corehub.parquet.internal;

import java.util.Arrays;

/** Distinct byte strings in order of appearance, held as a dictionary page holds them. */
final class BytesDictionary {

  private static final int FIRST_ENTRIES = 64;
  private static final int FIRST_BYTES = 1024;

  private final int prefixBytes;
  private byte[] pool = new byte[FIRST_BYTES];
  private int poolBytes;
  private int[] ends = new int[FIRST_ENTRIES];

  /** Hash of an entry in the upper half, its index plus one in the lower; 0 where there is none. */
  private long[] slots = new long[Bytes.SLOTS_PER_ENTRY * FIRST_ENTRIES];

  private int size;

  /**
   * An empty dictionary.
   *
   * @param prefixBytes 4 if a length stands before each value, 0 if all have the same length
   */
  BytesDictionary(int prefixBytes) {
    this.prefixBytes = prefixBytes;
  }

  int size() {
    return size;
  }

  /** The dictionary page's bytes, in use up to {@link #bytes()}. */
  byte[] pool() {
    return pool;
  }

  int bytes() {
    return poolBytes;
  }

  int start(int index) {
    return (index == 0 ? 0 : ends[index - 1]) + prefixBytes;
  }

  int end(int index) {
    return ends[index];
  }

  void reset() {
    if (size > 0) {
      Arrays.fill(slots, 0);
      size = 0;
      poolBytes = 0;
    }
  }

  /** The index of a value, which is added when it was not seen before. */
  int index(byte[] data, int from, int length) {
    int hash = hash(data, from, length);
    int found = find(data, from, length, hash);
    return found >= 0 ? found : add(data, from, length, hash, ~found);
  }

  /** The index of a value, or the complement of the slot where it would stand. */
  private int find(byte[] data, int from, int length, int hash) {
    int mask = slots.length - 1;
    int slot = hash & mask;
    long entry;
    while ((entry = slots[slot]) != 0) {
      int index = (int) entry - 1;
      if ((int) (entry >>> 32) == hash) {
        int start = start(index);
        if (ends[index] - start == length && Bytes.equal(data, from, pool, start, length)) {
          return index;
        }
      }
      slot = (slot + 1) & mask;
    }
    return ~slot;
  }

  /**
   * Writes the indexes of values, adding those not seen before.
   *
   * @param data their bytes
   * @param offsets where each row begins, and where the last ends
   * @param from first row
   * @param rows the rows that hold a value, counted from {@code from}
   * @param count how many of them count
   * @param target where the indexes go
   * @param at where the first one goes
   */
  void indexes(byte[] data, int[] offsets, int from, int[] rows, int count, int[] target, int at) {
    int lastStart = 0;
    int lastLength = -1;
    int index = 0;
    for (int i = 0; i < count; i++) {
      int row = from + rows[i];
      int start = offsets[row];
      int length = offsets[row + 1] - start;
      // Rows of one commit, and sorted ones, repeat the value before them.
      if (length != lastLength || !Bytes.equal(data, start, data, lastStart, length)) {
        index = index(data, start, length);
      }
      target[at + i] = index;
      lastStart = start;
      lastLength = length;
    }
  }

  private int add(byte[] data, int from, int length, int hash, int slot) {
    int needed = Math.addExact(poolBytes, prefixBytes + length);
    if (needed > pool.length) {
      pool = Arrays.copyOf(pool, Bytes.grown(pool.length, needed));
    }
    if (prefixBytes == 4) {
      Bytes.putIntLittle(pool, poolBytes, length);
    }
    System.arraycopy(data, from, pool, poolBytes + prefixBytes, length);
    poolBytes = needed;
    ends[size] = needed;
    slots[slot] = (long) hash << 32 | ++size;
    if (size == ends.length) {
      grow();
    }
    return size - 1;
  }

  private void grow() {
    ends = Arrays.copyOf(ends, 2 * ends.length);
    long[] old = slots;
    slots = new long[Bytes.SLOTS_PER_ENTRY * ends.length];
    int mask = slots.length - 1;
    for (long entry : old) {
      if (entry != 0) {
        int slot = (int) (entry >>> 32) & mask;
        while (slots[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        slots[slot] = entry;
      }
    }
  }

  private static int hash(byte[] data, int from, int length) {
    long hash = length * Bytes.MULTIPLIER;
    int at = from;
    int last = from + length - 8;
    if (last >= from) {
      for (; at < last; at += 8) {
        hash = (hash ^ Bytes.longLittle(data, at)) * Bytes.MULTIPLIER;
        hash ^= hash >>> 29;
      }
      hash ^= Bytes.longLittle(data, last);
    } else {
      hash ^= Bytes.prefix(data, from, length);
    }
    return Bytes.hash(hash);
  }
}
