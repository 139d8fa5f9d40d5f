package io.corehub.cycles;

import io.corehub.parquet.ByteSink;
import java.io.ByteArrayOutputStream;

/** Keeps the bytes and how the file ended. */
final class MemorySink implements ByteSink {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  int completed;
  int discarded;

  @Override
  public void write(byte[] source, int from, int length) {
    bytes.write(source, from, length);
  }

  @Override
  public void complete() {
    completed++;
  }

  @Override
  public void discard() {
    discarded++;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }
}
