package io.corehub.emulator.internal.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file on disk, staged or open for reading. Thread-safe. */
final class ChannelFile implements StagedFile, ReadableFile {
  private final Path path;
  private final FileChannel channel;
  private final boolean deleteOnClose;

  private ChannelFile(Path path, FileChannel channel, boolean deleteOnClose) {
    this.path = path;
    this.channel = channel;
    this.deleteOnClose = deleteOnClose;
  }

  static ChannelFile staged(Path path) throws IOException {
    return new ChannelFile(
        path,
        FileChannel.open(
            path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
        true);
  }

  static ChannelFile open(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      throw new NoSuchFileException(path.toString(), null, "is a directory");
    }
    return new ChannelFile(path, FileChannel.open(path, StandardOpenOption.READ), false);
  }

  /** Cuts the staged file and closes it, leaving it on disk for the caller to take. */
  Path finish(long length) throws IOException {
    try (channel) {
      if (channel.size() > length) {
        channel.truncate(length);
      }
    }
    return path;
  }

  Path path() {
    return path;
  }

  void truncate(long length) throws IOException {
    channel.truncate(length);
  }

  @Override
  public void write(long position, byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
    long at = position;
    while (buffer.hasRemaining()) {
      at += channel.write(buffer, at);
    }
  }

  @Override
  public long length() {
    try {
      return channel.size();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException("Cannot tell the length of " + path, e);
    }
  }

  @Override
  public int read(long position, byte[] into, int offset, int length) throws IOException {
    return channel.read(ByteBuffer.wrap(into, offset, length), position);
  }

  @Override
  public void close() throws IOException {
    channel.close();
    if (deleteOnClose) {
      Files.deleteIfExists(path);
    }
  }
}
