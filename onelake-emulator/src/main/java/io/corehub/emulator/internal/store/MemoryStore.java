package io.corehub.emulator.internal.store;

import java.io.IOException;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Everything on the heap. Thread-safe. */
public final class MemoryStore implements FileStore {
  private final Tree<byte[]> tree;

  public MemoryStore(Clock clock) {
    this.tree = new Tree<>(clock);
  }

  @Override
  public Optional<Entry> find(String path) {
    return tree.find(path);
  }

  @Override
  public List<Entry> children(String directory) {
    return tree.children(directory);
  }

  @Override
  public void createDirectories(String path) throws IOException {
    tree.createDirectories(path);
  }

  @Override
  public void createFile(String path) throws IOException {
    tree.put(path, new Tree.Leaf<>(new byte[0], 0));
  }

  @Override
  public StagedFile stage() {
    return new StagedBytes();
  }

  @Override
  public void commit(String path, StagedFile staged, long length) throws IOException {
    tree.put(path, new Tree.Leaf<>(((StagedBytes) staged).first(length), length));
  }

  @Override
  public void move(String source, String destination) throws IOException {
    tree.move(source, destination);
  }

  @Override
  public void delete(String path) {
    tree.delete(path);
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    return new Bytes(tree.leaf(path).content());
  }

  @Override
  public void close() {}

  private static final class StagedBytes implements StagedFile {
    private byte[] bytes = new byte[1024];

    @Override
    public synchronized void write(long position, byte[] from, int offset, int length)
        throws IOException {
      if (position + length > Integer.MAX_VALUE - 8) {
        throw new IOException("the memory backend holds files of up to 2 GiB; use directory");
      }
      int end = (int) position + length;
      if (end > bytes.length) {
        bytes =
            Arrays.copyOf(
                bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(end, bytes.length * 2L)));
      }
      System.arraycopy(from, offset, bytes, (int) position, length);
    }

    synchronized byte[] first(long length) {
      return bytes.length == length ? bytes : Arrays.copyOf(bytes, Math.toIntExact(length));
    }

    @Override
    public synchronized void close() {
      bytes = new byte[0];
    }
  }

  private static final class Bytes implements ReadableFile {
    private final byte[] bytes;

    Bytes(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) {
      if (position >= bytes.length) {
        return -1;
      }
      int count = (int) Math.min(length, bytes.length - position);
      System.arraycopy(bytes, (int) position, into, offset, count);
      return count;
    }

    @Override
    public void close() {}
  }
}
