package io.corehub.hub.compare;

import java.util.Arrays;

/**
 * The number of each row by the number of its key, in 16 bytes a place. Both are 64-bit numbers
 * that spread evenly: of ten million keys two share a number with a chance of 1 in 300,000.
 * Confined to one caller at a time.
 */
final class RowSums {

  private static final int FIRST = 1 << 10;

  /** A key number of 0 marks a free place; the key whose number is 0 takes another. */
  private static final long ZERO = 0x9E3779B97F4A7C15L;

  private long[] keys = new long[FIRST];
  private long[] rows = new long[FIRST];
  private int size;
  private long sum;

  int size() {
    return size;
  }

  /** The sum of all rows modulo 2^64. */
  long sum() {
    return sum;
  }

  /** Sets the row of a key. */
  void put(long key, long row) {
    int at = place(own(key));
    if (keys[at] == 0) {
      keys[at] = own(key);
      size++;
    } else {
      sum -= rows[at];
    }
    rows[at] = row;
    sum += row;
    if (size > keys.length / 4 * 3) {
      grow();
    }
  }

  /** Removes the row of a key, if there is one. */
  void remove(long key) {
    int at = place(own(key));
    if (keys[at] == 0) {
      return;
    }
    sum -= rows[at];
    size--;
    keys[at] = 0;
    closeGap(at);
  }

  void clear() {
    Arrays.fill(keys, 0);
    size = 0;
    sum = 0;
  }

  private static long own(long key) {
    return key == 0 ? ZERO : key;
  }

  private int home(long key) {
    return (int) (key >>> 33) & (keys.length - 1);
  }

  private int place(long key) {
    int at = home(key);
    while (keys[at] != 0 && keys[at] != key) {
      at = (at + 1) & (keys.length - 1);
    }
    return at;
  }

  /** Moves those up that stand behind the gap because their place was taken. */
  private void closeGap(int free) {
    int gap = free;
    int mask = keys.length - 1;
    for (int at = (gap + 1) & mask; keys[at] != 0; at = (at + 1) & mask) {
      int home = home(keys[at]);
      if (((at - home) & mask) >= ((at - gap) & mask)) {
        keys[gap] = keys[at];
        rows[gap] = rows[at];
        keys[at] = 0;
        gap = at;
      }
    }
  }

  private void grow() {
    long[] oldKeys = keys;
    long[] oldRows = rows;
    keys = new long[oldKeys.length * 2];
    rows = new long[oldKeys.length * 2];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int at = place(oldKeys[i]);
        keys[at] = oldKeys[i];
        rows[at] = oldRows[i];
      }
    }
  }
}
