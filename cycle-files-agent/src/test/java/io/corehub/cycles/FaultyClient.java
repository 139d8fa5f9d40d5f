package io.corehub.cycles;

import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.PathProperties;
import io.corehub.onelake.memory.Faults;
import io.corehub.onelake.memory.Faults.Operation;
import io.corehub.onelake.memory.Faults.Request;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Any client, with what may go wrong before and after its requests. As thread-safe as both. */
final class FaultyClient implements DfsClient {

  private final DfsClient client;
  private final Faults faults;

  FaultyClient(DfsClient client, Faults faults) {
    this.client = client;
    this.faults = faults;
  }

  private interface Call<T> {
    T run() throws InterruptedException;
  }

  private <T> T call(Operation operation, String path, Optional<String> source, Call<T> call)
      throws InterruptedException {
    Request request = new Request(operation, path, source);
    faults.before(request);
    T result = call.run();
    faults.after(request);
    return result;
  }

  private interface Step {
    void run() throws InterruptedException;
  }

  private void step(Operation operation, String path, Step step) throws InterruptedException {
    call(
        operation,
        path,
        Optional.empty(),
        () -> {
          step.run();
          return path;
        });
  }

  @Override
  public Optional<PathProperties> head(String path) throws InterruptedException {
    return call(Operation.HEAD, path, Optional.empty(), () -> client.head(path));
  }

  @Override
  public void list(String directory, boolean recursive, Consumer<? super PathEntry> entries)
      throws InterruptedException {
    List<PathEntry> found = new ArrayList<>();
    step(Operation.LIST, directory, () -> client.list(directory, recursive, found::add));
    found.forEach(entries);
  }

  @Override
  public void create(String path, boolean ifAbsent) throws InterruptedException {
    step(Operation.CREATE, path, () -> client.create(path, ifAbsent));
  }

  @Override
  public void createDirectory(String path) throws InterruptedException {
    step(Operation.CREATE_DIRECTORY, path, () -> client.createDirectory(path));
  }

  @Override
  public void append(String path, long position, ByteBuffer bytes, AppendMode mode)
      throws InterruptedException {
    step(Operation.APPEND, path, () -> client.append(path, position, bytes, mode));
  }

  @Override
  public void flush(String path, long length, boolean close) throws InterruptedException {
    step(Operation.FLUSH, path, () -> client.flush(path, length, close));
  }

  @Override
  public String renameIfAbsent(String from, String to) throws InterruptedException {
    return call(Operation.RENAME, to, Optional.of(from), () -> client.renameIfAbsent(from, to));
  }

  @Override
  public byte[] read(String path, long offset, int length) throws InterruptedException {
    return call(Operation.READ, path, Optional.empty(), () -> client.read(path, offset, length));
  }

  @Override
  public void delete(String path, boolean recursive) throws InterruptedException {
    step(Operation.DELETE, path, () -> client.delete(path, recursive));
  }

  @Override
  public void deleteTree(String path, String etag) throws InterruptedException {
    step(Operation.DELETE, path, () -> client.deleteTree(path, etag));
  }

  @Override
  public void close() {
    client.close();
  }
}
