package io.corehub.emulator.internal.replica;

import java.util.Arrays;

/** A growing list of row addresses. Confined to one caller at a time. */
final class AddressList {
  private long[] values = new long[64];
  private int size;

  void add(long address) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = address;
  }

  long get(int index) {
    return values[index];
  }

  int size() {
    return size;
  }

  /** A copy of what is listed, in order of the addresses. */
  long[] sorted() {
    long[] copy = Arrays.copyOf(values, size);
    Arrays.sort(copy);
    return copy;
  }
}
