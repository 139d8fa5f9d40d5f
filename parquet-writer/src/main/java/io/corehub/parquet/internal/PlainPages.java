package io.corehub.parquet.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Values of one column in PLAIN form, cut into pages. Arrays are used again after a reset. */
final class PlainPages {

  private static final int FIRST_CAPACITY = 256;
  private static final int SMALL = 64 << 10;

  /** A block of numbers is written whole, and ends a page then. */
  private static final int OVERRUN = (Scratch.BLOCK_ROWS + 1) * Long.BYTES;

  /** A page that is full; {@code rowEnd} is the row of the group behind its last. */
  @SuppressWarnings("ArrayRecordComponent") // hands the array over without a copy
  record Page(byte[] values, int length, int rowEnd) {}

  private final int pageBytes;
  private final List<Page> full = new ArrayList<>();
  private final ArrayDeque<byte[]> spare = new ArrayDeque<>();
  private byte[] values = {};
  private int length;
  private long fullBytes;

  PlainPages(int pageBytes) {
    this.pageBytes = pageBytes;
  }

  /** Makes room for more bytes in the open page; they go to {@link #length()} onwards. */
  byte[] reserve(int bytes) {
    int needed = Math.addExact(length, bytes);
    if (needed > values.length) {
      values = Arrays.copyOf(values, capacity(needed));
    }
    return values;
  }

  /** A page that has become large will be full: growing to that in few steps copies little. */
  private int capacity(int needed) {
    int whole = pageBytes + OVERRUN;
    if (needed > whole) {
      return Bytes.grown(values.length, needed);
    }
    int factor = values.length < SMALL ? 4 : 2;
    return Math.max(needed, Math.min(whole, Math.max(FIRST_CAPACITY, factor * values.length)));
  }

  int length() {
    return length;
  }

  void advance(int bytes) {
    length += bytes;
  }

  boolean isFull() {
    return length >= pageBytes;
  }

  /** Whether a value that does not fit should begin a new page. */
  boolean wouldOverflow(int bytes) {
    return length > 0 && (long) length + bytes > pageBytes;
  }

  void cut(int rowEnd) {
    full.add(new Page(values, length, rowEnd));
    fullBytes += length;
    length = 0;
    byte[] next = spare.poll();
    values = next == null ? new byte[0] : next;
  }

  long bytes() {
    return fullBytes + length;
  }

  List<Page> pages() {
    return full;
  }

  void reset() {
    for (Page page : full) {
      // A page of one huge value is not worth keeping.
      if (page.values().length <= 2 * pageBytes) {
        spare.add(page.values());
      }
    }
    full.clear();
    fullBytes = 0;
    length = 0;
    if (values.length == 0 && !spare.isEmpty()) {
      values = spare.remove();
    }
  }
}
