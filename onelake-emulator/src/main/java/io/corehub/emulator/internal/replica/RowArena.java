package io.corehub.emulator.internal.replica;

import java.util.ArrayList;
import java.util.List;

/**
 * Encoded rows packed into large chunks, so that a row costs its bytes and no object. A row is
 * found again by its address; addresses grow with every row added.
 *
 * <p>Confined to one caller at a time.
 */
final class RowArena {
  private static final int CHUNK = 1 << 20;
  private static final int MAX_LENGTH_PREFIX = 5;

  private final List<byte[]> chunks = new ArrayList<>();
  private int used;
  private long totalBytes;

  /** The end of what is stored, to come back to by {@link #rollBack}. */
  record Mark(int chunks, int used, long totalBytes) {}

  Mark mark() {
    return new Mark(chunks.size(), used, totalBytes);
  }

  /** Forgets every row added since the mark. */
  void rollBack(Mark mark) {
    while (chunks.size() > mark.chunks) {
      chunks.remove(chunks.size() - 1);
    }
    used = mark.used;
    totalBytes = mark.totalBytes;
  }

  /** Bytes of all rows, dead ones included. */
  long totalBytes() {
    return totalBytes;
  }

  long add(byte[] bytes, int offset, int length) {
    int needed = length + MAX_LENGTH_PREFIX;
    if (chunks.isEmpty() || chunk(chunks.size() - 1).length - used < needed) {
      // The first chunk is small: most tables of a test hold a handful of rows.
      chunks.add(new byte[Math.max(chunks.isEmpty() ? CHUNK >> 6 : CHUNK, needed)]);
      used = 0;
    }
    int index = chunks.size() - 1;
    byte[] chunk = chunk(index);
    long address = ((long) index << 32) | used;
    int at = Varints.write(chunk, used, length);
    System.arraycopy(bytes, offset, chunk, at, length);
    totalBytes += at + length - used;
    used = at + length;
    return address;
  }

  /** The chunk that holds the row. */
  byte[] chunkOf(long address) {
    return chunk((int) (address >>> 32));
  }

  /** Where the row's bytes begin in its chunk. */
  int startOf(long address) {
    int offset = (int) address;
    return offset + Varints.size(lengthOf(address));
  }

  int lengthOf(long address) {
    return (int) Varints.read(chunkOf(address), (int) address);
  }

  private byte[] chunk(int index) {
    return chunks.get(index);
  }
}
