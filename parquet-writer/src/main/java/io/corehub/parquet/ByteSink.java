package io.corehub.parquet;

import java.io.IOException;

/**
 * Where the bytes of one file go, in order. Called by one thread at a time.
 *
 * <ol>
 *   <li>{@link #write} any number of times;
 *   <li>then exactly one of {@link #complete} (the file is whole and valid) and {@link #discard}
 *       (there is no file).
 * </ol>
 *
 * When {@code write} or {@code complete} throws, the writer calls {@code discard}.
 */
public interface ByteSink {

  /**
   * Takes the next bytes of the file. May block, which holds the writer back. The array belongs to
   * the writer: a sink that keeps the bytes copies them before it returns.
   *
   * @param bytes array that holds the bytes
   * @param from first byte
   * @param length number of bytes, at least 1
   * @throws IOException if the bytes cannot be taken; an interruption of a blocked call is an
   *     {@link java.io.InterruptedIOException} with the thread's interrupt flag set
   */
  void write(byte[] bytes, int from, int length) throws IOException;

  /**
   * Says that all bytes of a valid file were written.
   *
   * @throws IOException if the file cannot be kept
   */
  void complete() throws IOException;

  /**
   * Says that what was written is not a file and must not become one. Called at most once, and
   * never after {@code complete} returned.
   */
  void discard();
}
