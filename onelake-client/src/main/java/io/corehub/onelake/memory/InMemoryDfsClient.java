package io.corehub.onelake.memory;

import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.PathProperties;
import io.corehub.onelake.internal.PathRules;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.onelake.memory.Faults.Request;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A client of an {@link InMemoryFileSystem}: for dry runs, and for tests that need no network.
 * Thread-safe.
 */
public final class InMemoryDfsClient implements DfsClient {
  private final InMemoryFileSystem fileSystem;
  private final Faults faults;
  private volatile boolean closed;

  InMemoryDfsClient(InMemoryFileSystem fileSystem, Faults faults) {
    this.fileSystem = fileSystem;
    this.faults = faults;
  }

  @Override
  public Optional<PathProperties> head(String path) throws InterruptedException {
    PathRules.requireFile(path);
    return request(Operation.HEAD, path, () -> fileSystem.head(path));
  }

  @Override
  public void list(String directory, boolean recursive, Consumer<? super PathEntry> entries)
      throws InterruptedException {
    PathRules.requireDirectory(directory);
    request(Operation.LIST, directory, () -> fileSystem.list(directory, recursive))
        .forEach(entries);
  }

  @Override
  public void create(String path, boolean ifAbsent) throws InterruptedException {
    PathRules.requireFile(path);
    step(Operation.CREATE, path, () -> fileSystem.create(path, ifAbsent));
  }

  @Override
  public void createDirectory(String path) throws InterruptedException {
    PathRules.requireFile(path);
    step(Operation.CREATE_DIRECTORY, path, () -> fileSystem.createDirectory(path));
  }

  @Override
  public void append(String path, long position, ByteBuffer bytes, AppendMode mode)
      throws InterruptedException {
    PathRules.requireFile(path);
    if (position < 0 || !bytes.hasRemaining()) {
      throw new IllegalArgumentException(
          "An append needs bytes and a position of 0 or more, not " + position);
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    step(
        Operation.APPEND,
        path,
        () -> {
          fileSystem.append(path, position, copy);
          if (mode != AppendMode.APPEND) {
            fileSystem.flush(path, position + copy.length);
          }
        });
  }

  @Override
  public void flush(String path, long length, boolean close) throws InterruptedException {
    PathRules.requireFile(path);
    step(Operation.FLUSH, path, () -> fileSystem.flush(path, length));
  }

  @Override
  public String renameIfAbsent(String from, String to) throws InterruptedException {
    PathRules.requireFile(from);
    PathRules.requireFile(to);
    Request request = new Request(Operation.RENAME, to, Optional.of(from));
    return send(request, () -> fileSystem.renameIfAbsent(from, to));
  }

  @Override
  public byte[] read(String path, long offset, int length) throws InterruptedException {
    PathRules.requireFile(path);
    if (offset < 0 || length < 1 || length > MAX_READ_BYTES) {
      throw new IllegalArgumentException("Cannot read " + length + " bytes from " + offset);
    }
    return request(Operation.READ, path, () -> fileSystem.read(path, offset, length));
  }

  @Override
  public void delete(String path, boolean recursive) throws InterruptedException {
    PathRules.requireFile(path);
    step(Operation.DELETE, path, () -> fileSystem.delete(path, recursive));
  }

  @Override
  public void deleteTree(String path, String etag) throws InterruptedException {
    PathRules.requireFile(path);
    step(Operation.DELETE, path, () -> fileSystem.deleteTree(path, etag));
  }

  @Override
  public void close() {
    closed = true;
  }

  private void step(Operation operation, String path, Runnable action) throws InterruptedException {
    request(
        operation,
        path,
        () -> {
          action.run();
          return path;
        });
  }

  private <T> T request(Operation operation, String path, Supplier<T> action)
      throws InterruptedException {
    return send(new Request(operation, path, Optional.empty()), action);
  }

  private <T> T send(Request request, Supplier<T> action) throws InterruptedException {
    if (closed) {
      throw DfsException.of(DfsException.Kind.CLOSED, request.operation().name())
          .build("The client was closed");
    }
    faults.before(request);
    T result = action.get();
    faults.after(request);
    return result;
  }
}
