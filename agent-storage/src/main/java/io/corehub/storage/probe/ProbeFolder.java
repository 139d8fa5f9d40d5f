package io.corehub.storage.probe;

import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A folder that probes write to, and nobody else. Requests are single attempts. Confined to one
 * caller at a time.
 */
public final class ProbeFolder {

  private final DfsClient client;
  private final String path;
  private final Supplier<String> names;

  /**
   * A folder, which comes with its first file.
   *
   * @param client sends the requests
   * @param path its path
   * @param names a new name at each call, of the form that uploads of the agent have
   */
  ProbeFolder(DfsClient client, String path, Supplier<String> names) {
    this.client = client;
    this.path = path;
    this.names = names;
  }

  /**
   * Its path.
   *
   * @return path as the client takes it
   */
  public String path() {
    return path;
  }

  /**
   * The last segment of its path.
   *
   * @return a name
   */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * The path of something in it.
   *
   * @param name its name
   * @return path as the client takes it
   */
  public String pathOf(String name) {
    return path + "/" + name;
  }

  /** A name that nothing has. */
  String unusedName() {
    return names.get();
  }

  /** A path that nothing was written to. */
  String unused() {
    return pathOf(unusedName());
  }

  /**
   * Makes it, where it does not come by itself.
   *
   * @throws DfsException if it cannot be made
   * @throws InterruptedException if interrupted
   */
  public void make() throws InterruptedException {
    client.createDirectory(path);
  }

  /** Writes a whole file. */
  void write(String file, byte[] content) throws InterruptedException {
    client.create(file, true);
    client.append(file, 0, ByteBuffer.wrap(content), AppendMode.APPEND_FLUSH_CLOSE);
  }

  /**
   * Writes a whole file to an unused path, as the agent uploads one.
   *
   * @param content its bytes
   * @return its path
   * @throws DfsException if it cannot be written
   * @throws InterruptedException if interrupted
   */
  public String written(byte[] content) throws InterruptedException {
    String file = unused();
    write(file, content);
    return file;
  }

  /** What stands at a path; empty if there is nothing. */
  Optional<byte[]> content(String file) throws InterruptedException {
    try {
      return Optional.of(client.read(file, 0, DfsClient.MAX_READ_BYTES));
    } catch (DfsException e) {
      if (e.kind() == Kind.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** What the list of the folder says of a path. */
  Optional<PathEntry> listed(String file) throws InterruptedException {
    List<PathEntry> found = new ArrayList<>();
    client.list(
        path,
        false,
        entry -> {
          if (entry.path().equals(file)) {
            found.add(entry);
          }
        });
    return found.stream().findFirst();
  }
}
