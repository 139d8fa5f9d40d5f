package io.corehub.emulator.internal.store;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Plain files below a root. Nothing is cached: the disk is the truth, and changes by hand count at
 * once. ETags come from the file's identity, change time and length, so they survive renames and
 * restarts. Staged bytes lie in a directory of their own; nothing is forced to the disk.
 *
 * <p>Thread-safe.
 */
public final class DirectoryStore implements FileStore {
  private final Path root;
  private final Path staging;
  private final AtomicLong stagedFiles = new AtomicLong();

  /**
   * @param staging for bytes that are not committed yet, on the file system of {@code root};
   *     emptied here, because an interrupted upload cannot be continued by another process
   */
  public DirectoryStore(Path root, Path staging) throws IOException {
    this.root = root;
    this.staging = staging;
    deleteTree(staging);
    Files.createDirectories(staging);
  }

  private DirectoryStore(Path root) {
    this.root = root;
    this.staging = root;
  }

  /** A store over somebody else's files that is only read. */
  public static DirectoryStore readOnly(Path root) {
    return new DirectoryStore(root);
  }

  @Override
  public Optional<Entry> find(String path) throws IOException {
    try {
      return Optional.of(
          entry(path, Files.readAttributes(resolve(path), BasicFileAttributes.class)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (java.nio.file.FileSystemException e) {
      if (e.getReason() != null && e.getReason().contains("Not a directory")) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public List<Entry> children(String directory) throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(resolve(directory))) {
      for (Path child : stream) {
        String path =
            directory.isEmpty()
                ? child.getFileName().toString()
                : directory + "/" + child.getFileName();
        find(path).ifPresent(entries::add);
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    entries.sort(Comparator.comparing(Entry::name));
    return entries;
  }

  @Override
  public void createDirectories(String path) throws IOException {
    Files.createDirectories(resolve(path));
  }

  @Override
  public void createFile(String path) throws IOException {
    commit(path, stage(), 0);
  }

  @Override
  public StagedFile stage() throws IOException {
    return ChannelFile.staged(staging.resolve(Long.toString(stagedFiles.incrementAndGet())));
  }

  @Override
  public void commit(String path, StagedFile staged, long length) throws IOException {
    Path target = resolve(path);
    try (staged) {
      Path finished = ((ChannelFile) staged).finish(length);
      try {
        replace(finished, target);
      } catch (NoSuchFileException e) {
        Files.createDirectories(parentOf(target));
        replace(finished, target);
      }
    }
  }

  @Override
  public void move(String source, String destination) throws IOException {
    replace(resolve(source), resolve(destination));
  }

  @Override
  public void delete(String path) throws IOException {
    deleteTree(resolve(path));
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    return ChannelFile.open(resolve(path));
  }

  @Override
  public void close() throws IOException {
    deleteTree(staging);
  }

  private Path resolve(String path) {
    return root.resolve(path);
  }

  private static Path parentOf(Path path) {
    return Objects.requireNonNull(path.getParent(), "a path below the root has a parent");
  }

  private static void replace(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Entry entry(String path, BasicFileAttributes attributes) {
    long tag = 17L * Objects.hashCode(attributes.fileKey()) + 0x8D0L;
    if (attributes.isDirectory()) {
      // A directory's change time moves with its children; only its birth tells it apart.
      tag = tag * 1_000_003 + attributes.creationTime().hashCode();
      return new Entry(path, true, 0, attributes.lastModifiedTime().toInstant(), hex(tag));
    }
    tag = tag * 1_000_003 + attributes.lastModifiedTime().toInstant().hashCode();
    tag = tag * 1_000_003 + attributes.size();
    return new Entry(
        path, false, attributes.size(), attributes.lastModifiedTime().toInstant(), hex(tag));
  }

  private static String hex(long tag) {
    return String.format("0x%016X", tag);
  }

  static void deleteTree(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
              throws IOException {
            if (e != null) {
              throw e;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
