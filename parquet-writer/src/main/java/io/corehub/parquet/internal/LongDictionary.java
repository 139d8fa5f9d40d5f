package io.corehub.parquet.internal;

import java.util.Arrays;

/** Distinct numbers in order of appearance. */
final class LongDictionary {

  private static final int FIRST_ENTRIES = 64;

  private long[] values = new long[FIRST_ENTRIES];
  private int[] slots = new int[Bytes.SLOTS_PER_ENTRY * FIRST_ENTRIES];
  private int size;

  int size() {
    return size;
  }

  long value(int index) {
    return values[index];
  }

  void reset() {
    if (size > 0) {
      Arrays.fill(slots, 0);
      size = 0;
    }
  }

  /** Writes the indexes of values, adding those not seen before. */
  void indexes(long[] source, int count, int[] target, int at) {
    for (int i = 0; i < count; i++) {
      target[at + i] = index(source[i]);
    }
  }

  private int index(long value) {
    int mask = slots.length - 1;
    int slot = Bytes.hash(value) & mask;
    int entry;
    while ((entry = slots[slot]) != 0) {
      if (values[entry - 1] == value) {
        return entry - 1;
      }
      slot = (slot + 1) & mask;
    }
    slots[slot] = size + 1;
    values[size++] = value;
    if (size == values.length) {
      grow();
    }
    return size - 1;
  }

  private void grow() {
    values = Arrays.copyOf(values, 2 * values.length);
    slots = new int[Bytes.SLOTS_PER_ENTRY * values.length];
    int mask = slots.length - 1;
    for (int i = 0; i < size; i++) {
      int slot = Bytes.hash(values[i]) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = i + 1;
    }
  }
}
