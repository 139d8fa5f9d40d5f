package io.corehub.emulator.internal.store;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Directories and files by name, for stores whose bytes lie somewhere without directories.
 *
 * <p>Thread-safe: every method holds the tree's own lock.
 *
 * @param <C> what a file's content is held by
 */
final class Tree<C> {
  /** A file's content with its length. */
  record Leaf<C>(C content, long length) {}

  private static final class Node<C> {
    final String etag;
    final Instant lastModified;
    final @Nullable Leaf<C> leaf;
    final TreeMap<String, Node<C>> children = new TreeMap<>();

    Node(String etag, Instant lastModified, @Nullable Leaf<C> leaf) {
      this.etag = etag;
      this.lastModified = lastModified;
      this.leaf = leaf;
    }

    Entry entry(String path) {
      return new Entry(path, leaf == null, leaf == null ? 0 : leaf.length, lastModified, etag);
    }
  }

  private final Clock clock;
  private final Node<C> root;
  private long lastTag;

  Tree(Clock clock) {
    this.clock = clock;
    this.lastTag = clock.millis() << 16;
    this.root = newNode(null);
  }

  synchronized Optional<Entry> find(String path) {
    Node<C> node = nodeAt(path);
    return node == null ? Optional.empty() : Optional.of(node.entry(path));
  }

  synchronized List<Entry> children(String directory) {
    Node<C> node = nodeAt(directory);
    List<Entry> entries = new ArrayList<>();
    if (node != null) {
      String prefix = directory.isEmpty() ? "" : directory + "/";
      node.children.forEach((name, child) -> entries.add(child.entry(prefix + name)));
    }
    return entries;
  }

  synchronized void createDirectories(String path) throws FileAlreadyExistsException {
    Node<C> node = root;
    for (String name : names(path)) {
      node = node.children.computeIfAbsent(name, any -> newNode(null));
      if (node.leaf != null) {
        throw new FileAlreadyExistsException(path, null, "a part of the path is a file");
      }
    }
  }

  /** Puts a file, with the directories above it. */
  synchronized void put(String path, Leaf<C> leaf) throws FileAlreadyExistsException {
    createDirectories(parent(path));
    Node<C> node = nodeAt(parent(path));
    if (node != null) {
      node.children.put(name(path), newNode(leaf));
    }
  }

  synchronized Leaf<C> leaf(String path) throws NoSuchFileException {
    Node<C> node = nodeAt(path);
    if (node == null || node.leaf == null) {
      throw new NoSuchFileException(path);
    }
    return node.leaf;
  }

  synchronized void move(String source, String destination) throws NoSuchFileException {
    Node<C> from = nodeAt(parent(source));
    Node<C> to = nodeAt(parent(destination));
    if (from == null || to == null || !from.children.containsKey(name(source))) {
      throw new NoSuchFileException(source, destination, "source or the new parent is missing");
    }
    Node<C> node = from.children.remove(name(source));
    if (node != null) {
      to.children.put(name(destination), node);
    }
  }

  synchronized void delete(String path) {
    Node<C> node = nodeAt(parent(path));
    if (node != null) {
      node.children.remove(name(path));
    }
  }

  private @Nullable Node<C> nodeAt(String path) {
    Node<C> node = root;
    for (String name : names(path)) {
      node = node.children.get(name);
      if (node == null) {
        return null;
      }
    }
    return node;
  }

  private Node<C> newNode(@Nullable Leaf<C> leaf) {
    lastTag++;
    return new Node<>(String.format("0x%016X", lastTag), clock.instant(), leaf);
  }

  private static String[] names(String path) {
    return path.isEmpty() ? new String[0] : path.split("/", -1);
  }

  private static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
