package io.corehub.emulator.internal.replica;

import java.util.Arrays;

/**
 * Row addresses by the hash of their key, in two flat arrays with linear probing. One key may stand
 * for several rows. Confined to one caller at a time.
 */
final class KeyIndex {
  private static final long FREE = 0;
  private static final long REMOVED = -1;

  private long[] slots = new long[64];
  private int[] hashes = new int[64];
  private int occupied;
  private int size;

  /** Tells whether the row at an address has the key that is looked for. */
  interface KeyTest {
    boolean matches(long address);
  }

  int size() {
    return size;
  }

  void add(int hash, long address) {
    if (occupied * 5L >= slots.length * 3L) {
      rehash();
    }
    int slot = freeSlot(hash);
    if (slots[slot] == FREE) {
      occupied++;
    }
    slots[slot] = address + 1;
    hashes[slot] = hash;
    size++;
  }

  /** Removes every row of a key and says how many there were. */
  int remove(int hash, KeyTest key) {
    int found = 0;
    int mask = slots.length - 1;
    for (int i = start(hash); slots[i] != FREE; i = (i + 1) & mask) {
      if (slots[i] != REMOVED && hashes[i] == hash && key.matches(slots[i] - 1)) {
        slots[i] = REMOVED;
        size--;
        found++;
      }
    }
    return found;
  }

  /** All addresses in ascending order. */
  long[] sorted() {
    long[] addresses = new long[size];
    int next = 0;
    for (long slot : slots) {
      if (slot > FREE) {
        addresses[next++] = slot - 1;
      }
    }
    Arrays.sort(addresses);
    return addresses;
  }

  private void rehash() {
    long[] oldSlots = slots;
    int[] oldHashes = hashes;
    int capacity = slots.length;
    while (size * 5L >= capacity * 2L) {
      capacity = Math.multiplyExact(capacity, 2);
    }
    slots = new long[capacity];
    hashes = new int[capacity];
    occupied = size;
    for (int i = 0; i < oldSlots.length; i++) {
      if (oldSlots[i] > FREE) {
        int slot = freeSlot(oldHashes[i]);
        slots[slot] = oldSlots[i];
        hashes[slot] = oldHashes[i];
      }
    }
  }

  private int freeSlot(int hash) {
    int mask = slots.length - 1;
    int i = start(hash);
    while (slots[i] > FREE) {
      i = (i + 1) & mask;
    }
    return i;
  }

  private int start(int hash) {
    return ((hash * 0x9E3779B9) >>> 7) & (slots.length - 1);
  }
}
