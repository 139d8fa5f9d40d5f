package io.corehub.onelake.memory;

import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.PathProperties;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Files and directories in memory, with the meaning that OneLake gives to requests: appended bytes
 * are invisible until a flush whose length adds up, a rename never replaces, parents appear with
 * their first file. Thread-safe; each request is atomic.
 */
public final class InMemoryFileSystem {
  private final Clock clock;
  private final NavigableMap<String, Node> nodes = new TreeMap<>();
  private long etags;

  /**
   * An empty file system.
   *
   * @param clock for the times of last modification
   */
  public InMemoryFileSystem(Clock clock) {
    this.clock = clock;
  }

  /** A client of this file system, to which nothing bad happens. */
  public InMemoryDfsClient client() {
    return new InMemoryDfsClient(this, Faults.NONE);
  }

  /** A client of this file system with faults. */
  public InMemoryDfsClient client(Faults faults) {
    return new InMemoryDfsClient(this, faults);
  }

  /**
   * What stands below a directory, for comparing two moments.
   *
   * @param directory the directory, which must be there
   * @return path and etag of each file and directory, in the order of the paths
   */
  public List<String> listing(String directory) {
    return list(directory, true).stream().map(entry -> entry.path() + " " + entry.etag()).toList();
  }

  synchronized Optional<PathProperties> head(String path) {
    Node node = nodes.get(path);
    return Optional.ofNullable(node)
        .map(n -> new PathProperties(n.directory(), n.length(), n.modified, n.etag));
  }

  synchronized List<PathEntry> list(String directory, boolean recursive) {
    if (!directory.isEmpty()) {
      Node node = nodes.get(directory);
      if (node == null || !node.directory()) {
        throw failure(Kind.NOT_FOUND, "list", 404, "PathNotFound", directory);
      }
    }
    List<PathEntry> entries = new ArrayList<>();
    below(directory)
        .forEach(
            (path, node) -> {
              if (recursive || parent(path).equals(directory)) {
                entries.add(
                    new PathEntry(path, node.directory(), node.length(), node.modified, node.etag));
              }
            });
    return entries;
  }

  synchronized void create(String path, boolean ifAbsent) {
    Node existing = nodes.get(path);
    if (existing != null && (ifAbsent || existing.directory())) {
      throw failure(Kind.ALREADY_EXISTS, "create", 409, "PathAlreadyExists", path);
    }
    makeDirectories("create", parent(path));
    nodes.put(path, new Node(new TreeMap<>(), nextEtag(), clock.instant()));
  }

  synchronized void createDirectory(String path) {
    makeDirectories("create", path);
  }

  synchronized void append(String path, long position, byte[] bytes) {
    Node file = file("append", path);
    if (position < file.length()) {
      throw failure(Kind.INVALID_FLUSH_POSITION, "append", 400, "InvalidFlushPosition", path);
    }
    file.pending().put(position, bytes);
  }

  synchronized void flush(String path, long length) {
    Node file = file("flush", path);
    long end = file.length();
    List<byte[]> blocks = new ArrayList<>();
    for (Map.Entry<Long, byte[]> block : file.pending().entrySet()) {
      if (block.getKey() != end) {
        throw failure(Kind.INVALID_FLUSH_POSITION, "flush", 400, "InvalidFlushPosition", path);
      }
      blocks.add(block.getValue());
      end += block.getValue().length;
    }
    if (end != length) {
      throw failure(Kind.INVALID_FLUSH_POSITION, "flush", 400, "InvalidFlushPosition", path);
    }
    file.commit(blocks, Math.toIntExact(length), nextEtag(), clock.instant());
  }

  synchronized String renameIfAbsent(String from, String to) {
    if (!nodes.containsKey(from)) {
      throw failure(Kind.SOURCE_NOT_FOUND, "rename", 404, "SourcePathNotFound", from);
    }
    if (nodes.containsKey(to)) {
      throw failure(Kind.ALREADY_EXISTS, "rename", 409, "PathAlreadyExists", to);
    }
    Node parent = nodes.get(parent(to));
    if (!parent(to).isEmpty() && (parent == null || !parent.directory())) {
      throw failure(
          Kind.PARENT_NOT_FOUND, "rename", 404, "RenameDestinationParentPathNotFound", to);
    }
    if (to.startsWith(from + "/")) {
      throw failure(Kind.CONFLICT, "rename", 409, "InvalidRenameSourcePath", to);
    }
    Map<String, Node> moved = new TreeMap<>(below(from));
    moved.keySet().forEach(nodes::remove);
    Node node = take(from);
    nodes.put(to, node);
    moved.forEach((path, below) -> nodes.put(to + path.substring(from.length()), below));
    return node.etag;
  }

  synchronized byte[] read(String path, long offset, int length) {
    Node node = nodes.get(path);
    if (node == null) {
      throw failure(Kind.NOT_FOUND, "read", 404, "PathNotFound", path);
    }
    if (node.directory()) {
      throw failure(Kind.CONFLICT, "read", 409, "ResourceTypeMismatch", path);
    }
    return node.read(offset, length);
  }

  synchronized void delete(String path, boolean recursive) {
    if (!nodes.containsKey(path)) {
      throw failure(Kind.NOT_FOUND, "delete", 404, "PathNotFound", path);
    }
    NavigableMap<String, Node> below = below(path);
    if (!recursive && !below.isEmpty()) {
      throw failure(Kind.CONFLICT, "delete", 409, "DirectoryNotEmpty", path);
    }
    below.clear();
    nodes.remove(path);
  }

  synchronized void deleteTree(String path, String etag) {
    Node node = nodes.get(path);
    if (node != null && !etag.isEmpty() && !node.etag.equals(etag)) {
      throw failure(Kind.CONDITION_NOT_MET, "delete", 412, "ConditionNotMet", path);
    }
    delete(path, true);
  }

  private Node take(String path) {
    Node node = nodes.remove(path);
    if (node == null) {
      throw new IllegalStateException("No node at " + path);
    }
    return node;
  }

  /** The live view of everything below a directory. */
  private NavigableMap<String, Node> below(String directory) {
    return directory.isEmpty()
        ? nodes
        : nodes.subMap(directory + "/", true, directory + (char) ('/' + 1), false);
  }

  private void makeDirectories(String operation, String path) {
    for (String at = path; !at.isEmpty(); at = parent(at)) {
      Node node = nodes.get(at);
      if (node == null) {
        nodes.put(at, new Node(null, nextEtag(), clock.instant()));
      } else if (!node.directory()) {
        throw failure(Kind.CONFLICT, operation, 409, "ResourceTypeMismatch", at);
      }
    }
  }

  private Node file(String operation, String path) {
    Node node = nodes.get(path);
    if (node == null) {
      throw failure(Kind.NOT_FOUND, operation, 404, "PathNotFound", path);
    }
    if (node.directory()) {
      throw failure(Kind.CONFLICT, operation, 409, "ResourceTypeMismatch", path);
    }
    return node;
  }

  private String nextEtag() {
    return String.format("\"0x%016X\"", ++etags);
  }

  private static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  private static DfsException failure(
      Kind kind, String operation, int status, String code, String path) {
    return DfsException.of(kind, operation)
        .status(status)
        .errorCode(code)
        .outcomeUnknown(operation.equals("rename"))
        .build(operation + " of " + path + " in memory: HTTP " + status + " " + code);
  }

  /**
   * A file, or a directory when it has no pending blocks map. Guarded by the file system's lock.
   */
  private static final class Node {
    private final @Nullable NavigableMap<Long, byte[]> pending;
    private byte[] content = new byte[0];
    private String etag;
    private Instant modified;

    Node(@Nullable NavigableMap<Long, byte[]> pending, String etag, Instant modified) {
      this.pending = pending;
      this.etag = etag;
      this.modified = modified;
    }

    boolean directory() {
      return pending == null;
    }

    long length() {
      return content.length;
    }

    NavigableMap<Long, byte[]> pending() {
      if (pending == null) {
        throw new IllegalStateException("A directory holds no bytes");
      }
      return pending;
    }

    void commit(List<byte[]> blocks, int length, String newEtag, Instant now) {
      byte[] grown = Arrays.copyOf(content, length);
      int at = content.length;
      for (byte[] block : blocks) {
        System.arraycopy(block, 0, grown, at, block.length);
        at += block.length;
      }
      content = grown;
      pending().clear();
      etag = newEtag;
      modified = now;
    }

    byte[] read(long offset, int length) {
      if (offset >= content.length) {
        return new byte[0];
      }
      int from = Math.toIntExact(offset);
      return Arrays.copyOfRange(
          content, from, Math.toIntExact(Math.min(content.length, offset + length)));
    }
  }
}
