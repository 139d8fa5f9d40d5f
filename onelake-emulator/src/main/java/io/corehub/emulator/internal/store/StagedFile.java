package io.corehub.emulator.internal.store;

import java.io.Closeable;
import java.io.IOException;

/** Bytes on their way into a file, written at any position. Thread-safe. */
public interface StagedFile extends Closeable {

  /** Puts bytes at a position; later bytes at the same position win. */
  void write(long position, byte[] bytes, int offset, int length) throws IOException;

  /** Drops the bytes unless they were committed; idempotent. */
  @Override
  void close() throws IOException;
}
