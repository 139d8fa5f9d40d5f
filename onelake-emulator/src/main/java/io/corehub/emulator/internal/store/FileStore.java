package io.corehub.emulator.internal.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Committed files and directories of all file systems, addressed by canonical paths: {@code <file
 * system>/<segment>/...}, no leading slash, no empty segment.
 *
 * <p>Thread-safe for single calls; whoever needs to look and act in one step holds {@link
 * PathLocks}.
 */
public interface FileStore extends AutoCloseable {

  /** What stands at the path, if anything. */
  Optional<Entry> find(String path) throws IOException;

  /** What stands directly below a directory, ordered by name; empty when it is missing. */
  List<Entry> children(String directory) throws IOException;

  /** Makes the directory and those above it; existing ones stay. */
  void createDirectories(String path) throws IOException;

  /** Makes an empty file and the directories above it; replaces a file that is there. */
  void createFile(String path) throws IOException;

  /** An empty buffer for bytes that are not committed yet. */
  StagedFile stage() throws IOException;

  /**
   * Makes the first {@code length} staged bytes the whole content of a file, in one step for
   * readers. Uses up the staged file, also when it fails.
   */
  void commit(String path, StagedFile staged, long length) throws IOException;

  /** Moves a file, or a directory with all below it; replaces a file that is at the destination. */
  void move(String source, String destination) throws IOException;

  /** Removes a file, or a directory with all below it; nothing happens when it is missing. */
  void delete(String path) throws IOException;

  /**
   * Opens a committed file for reading; later changes of the path do not change what is read.
   *
   * @throws java.nio.file.NoSuchFileException when there is no such file
   */
  ReadableFile open(String path) throws IOException;

  /** Writes a whole file in one step. */
  default void write(String path, byte[] content) throws IOException {
    StagedFile staged = stage();
    staged.write(0, content, 0, content.length);
    commit(path, staged, content.length);
  }

  /** Reads a whole file. */
  default byte[] read(String path) throws IOException {
    try (ReadableFile file = open(path)) {
      byte[] content = new byte[Math.toIntExact(file.length())];
      file.readFully(0, content, 0, content.length);
      return content;
    }
  }

  @Override
  void close() throws IOException;
}
