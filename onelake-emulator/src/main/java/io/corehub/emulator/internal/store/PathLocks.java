package io.corehub.emulator.internal.store;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Makes "look, then act" on paths one step: work on single files excludes work on the same file,
 * work on a tree excludes everything. Thread-safe; calls do not nest.
 */
public final class PathLocks {
  private static final int STRIPES = 512;

  /** Work that may fail. */
  public interface Work<T> {
    T run() throws IOException;
  }

  private final ReentrantReadWriteLock tree = new ReentrantReadWriteLock();
  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];

  public PathLocks() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new ReentrantLock();
    }
  }

  /** Runs work that touches these two files only; they may be the same. */
  public <T> T onFiles(String one, String other, Work<T> work) throws IOException {
    int first = Math.min(stripe(one), stripe(other));
    int second = Math.max(stripe(one), stripe(other));
    tree.readLock().lock();
    stripes[first].lock();
    stripes[second].lock();
    try {
      return work.run();
    } finally {
      stripes[second].unlock();
      stripes[first].unlock();
      tree.readLock().unlock();
    }
  }

  /** Runs work that touches this file only. */
  public <T> T onFile(String path, Work<T> work) throws IOException {
    return onFiles(path, path, work);
  }

  /** Runs work alone. */
  public <T> T onTree(Work<T> work) throws IOException {
    tree.writeLock().lock();
    try {
      return work.run();
    } finally {
      tree.writeLock().unlock();
    }
  }

  private static int stripe(String path) {
    return Math.floorMod(path.hashCode() * 0x9E3779B9, STRIPES);
  }
}
