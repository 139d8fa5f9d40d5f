package io.corehub.emulator.internal.server;

import io.corehub.emulator.internal.store.FileStore;
import io.corehub.emulator.internal.store.StagedFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The bytes appended to one file since its last flush. Blocks may come in any order and at the same
 * time; a block counts once all of it arrived.
 *
 * <p>Thread-safe. After {@link #commit} or {@link #close} every write is refused.
 */
final class UncommittedFile implements Closeable {
  private final StagedFile staged;
  private final long committedLength;
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
  private final TreeMap<Long, Long> endsByStart = new TreeMap<>();
  private boolean open = true;

  /** Over the first {@code committedLength} bytes, which {@code staged} holds already. */
  UncommittedFile(StagedFile staged, long committedLength) {
    this.staged = staged;
    this.committedLength = committedLength;
    if (committedLength > 0) {
      endsByStart.put(0L, committedLength);
    }
  }

  long committedLength() {
    return committedLength;
  }

  /** Stores a part of a block, without counting it yet; false when the file was closed. */
  boolean write(long position, byte[] bytes, int length) throws IOException {
    use.readLock().lock();
    try {
      if (open) {
        staged.write(position, bytes, 0, length);
      }
      return open;
    } finally {
      use.readLock().unlock();
    }
  }

  /** Counts the bytes from {@code start} to before {@code end} as arrived. */
  synchronized void arrived(long start, long end) {
    if (start == end) {
      return;
    }
    long from = start;
    long to = end;
    Map.Entry<Long, Long> before = endsByStart.floorEntry(from);
    if (before != null && before.getValue() >= from) {
      from = before.getKey();
      to = Math.max(to, before.getValue());
    }
    Map.Entry<Long, Long> inside = endsByStart.ceilingEntry(from);
    while (inside != null && inside.getKey() <= to) {
      to = Math.max(to, inside.getValue());
      endsByStart.remove(inside.getKey());
      inside = endsByStart.ceilingEntry(from);
    }
    endsByStart.put(from, to);
  }

  /** The length up to which nothing is missing. */
  synchronized long contiguousLength() {
    return endsByStart.getOrDefault(0L, 0L);
  }

  /** Whether blocks lie behind a hole. */
  synchronized boolean hasGap() {
    return endsByStart.size() > 1 || (!endsByStart.isEmpty() && endsByStart.firstKey() > 0);
  }

  /** Makes the first {@code length} bytes the file's content; waits for writes under way. */
  void commit(FileStore store, String path, long length) throws IOException {
    use.writeLock().lock();
    try {
      open = false;
      store.commit(path, staged, length);
    } finally {
      use.writeLock().unlock();
    }
  }

  @Override
  public void close() throws IOException {
    use.writeLock().lock();
    try {
      open = false;
      staged.close();
    } finally {
      use.writeLock().unlock();
    }
  }
}
