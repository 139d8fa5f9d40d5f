package io.corehub.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keeps the bytes and how the file ended. */
class MemorySink implements ByteSink {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  int completed;
  int discarded;

  @Override
  public void write(byte[] source, int from, int length) {
    bytes.write(source, from, length);
  }

  @Override
  public void complete() throws IOException {
    completed++;
  }

  @Override
  public void discard() {
    discarded++;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  Path save(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "sample", ".parquet");
    return Files.write(file, bytes());
  }
}
