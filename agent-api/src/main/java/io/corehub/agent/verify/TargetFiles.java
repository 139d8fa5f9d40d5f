package io.corehub.agent.verify;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * The files of a target, to be read only: nothing here changes anything. Paths are those of {@link
 * TargetFile}; the empty path is the root. Thread-safe.
 */
public interface TargetFiles extends AutoCloseable {

  /**
   * What lies directly in a directory, in no certain order.
   *
   * @param directory path of the directory
   * @return its entries
   * @throws NoSuchFileException when there is no such directory
   * @throws IOException when the target cannot be read; the message says what to change
   * @throws InterruptedException when the thread was interrupted
   */
  List<TargetFile> list(String directory) throws IOException, InterruptedException;

  /**
   * Reads a range of a file.
   *
   * @param path path of the file
   * @param offset first byte
   * @param length number of bytes wanted
   * @return the bytes from {@code offset} on, fewer than {@code length} only when the file ends
   *     before
   * @throws NoSuchFileException when there is no such file
   * @throws IOException when the target cannot be read; the message says what to change
   * @throws InterruptedException when the thread was interrupted
   */
  byte[] read(String path, long offset, int length) throws IOException, InterruptedException;

  /** Lets go of connections. Closing twice is harmless. */
  @Override
  void close();
}
