package io.corehub.parquet.internal;

import java.util.Arrays;

/** Distinct byte strings in order of appearance, held as a dictionary page holds them. */
final class BytesDictionary {

  private static final int FIRST_SLOTS = 128;
  private static final int FIRST_BYTES = 1024;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final int prefixBytes;
  private byte[] pool = new byte[FIRST_BYTES];
  private int poolBytes;
  private int[] ends = new int[FIRST_SLOTS / 2];

  /** Hash of an entry in the upper half, its index plus one in the lower; 0 where there is none. */
  private long[] slots = new long[FIRST_SLOTS];

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
    int mask = slots.length - 1;
    int hash = hash(data, from, length);
    int slot = hash & mask;
    long entry;
    while ((entry = slots[slot]) != 0) {
      int index = (int) entry - 1;
      if ((int) (entry >>> 32) == hash
          && ends[index] - start(index) == length
          && Bytes.equal(data, from, pool, start(index), length)) {
        return index;
      }
      slot = (slot + 1) & mask;
    }
    add(data, from, length, hash, slot);
    return size - 1;
  }

  private void add(byte[] data, int from, int length, int hash, int slot) {
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
  }

  private void grow() {
    ends = Arrays.copyOf(ends, 2 * ends.length);
    long[] old = slots;
    slots = new long[2 * ends.length];
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
    long hash = length * MULTIPLIER;
    int at = from;
    int last = from + length - 8;
    if (last >= from) {
      for (; at < last; at += 8) {
        hash = (hash ^ Bytes.longLittle(data, at)) * MULTIPLIER;
        hash ^= hash >>> 29;
      }
      hash ^= Bytes.longLittle(data, last);
    } else {
      hash ^= Bytes.prefix(data, from, length);
    }
    return (int) Bytes.mix(hash);
  }
}
