package io.corehub.agent.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A folder of this machine, read only. Thread-safe. */
public final class FolderFiles implements TargetFiles {
  private final Path root;

  /**
   * The files below a folder.
   *
   * @param root the folder
   */
  public FolderFiles(Path root) {
    this.root = root;
  }

  @Override
  public List<TargetFile> list(String directory) throws IOException {
    List<TargetFile> entries = new ArrayList<>();
    try (Stream<Path> paths = Files.list(root.resolve(directory))) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        entry(directory, path, entries);
      }
    }
    return entries;
  }

  private static void entry(String directory, Path path, List<TargetFile> entries)
      throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes = Files.readAttributes(path, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      return; // Deleted since it was listed.
    }
    String name = path.getFileName().toString();
    entries.add(
        new TargetFile(
            directory.isEmpty() ? name : directory + "/" + name,
            attributes.isDirectory(),
            attributes.isDirectory() ? 0 : attributes.size(),
            attributes.lastModifiedTime().toInstant(),
            ""));
  }

  @Override
  public byte[] read(String path, long offset, int length) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(root.resolve(path))) {
      long there = Math.max(0, channel.size() - offset);
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(length, there));
      channel.position(offset);
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // Until it is full or the file ends.
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }

  @Override
  public void close() {}
}
