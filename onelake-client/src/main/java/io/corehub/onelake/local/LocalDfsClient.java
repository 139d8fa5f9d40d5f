package io.corehub.onelake.local;

import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsClient;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathEntry;
import io.corehub.onelake.PathProperties;
import io.corehub.onelake.internal.PathRules;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client of one folder of this machine. A flush forces the bytes to the disk; a rename is a hard
 * link, which never replaces a file, and the deletion of the old name. Thread-safe.
 *
 * <p>Failures that a full or hung disk may be cured of are transient, as those of a server are.
 */
public final class LocalDfsClient implements DfsClient {

  /** What no file system in common use goes beyond: bytes of a name, and of a path. */
  private static final int LONGEST_NAME = 255;

  private static final int LONGEST_PATH = 4096;

  private final Path root;
  private volatile boolean closed;

  /**
   * A client.
   *
   * @param root the folder; made with the first file if it does not exist
   */
  public LocalDfsClient(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  /**
   * A step on the disk.
   *
   * @param <T> its result
   */
  private interface Step<T> {
    T run() throws IOException;
  }

  @Override
  public Optional<PathProperties> head(String path) throws InterruptedException {
    PathRules.requireDirectory(path);
    return call(
        "head",
        path,
        () -> {
          try {
            BasicFileAttributes found = attributes(resolve(path));
            return Optional.of(
                new PathProperties(
                    found.isDirectory(), length(found), found.lastModifiedTime().toInstant(), ""));
          } catch (NoSuchFileException e) {
            return Optional.empty();
          }
        });
  }

  private static BasicFileAttributes attributes(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private static long length(BasicFileAttributes file) {
    return file.isDirectory() ? 0 : file.size();
  }

  @Override
  public void list(String directory, boolean recursive, Consumer<? super PathEntry> entries)
      throws InterruptedException {
    PathRules.requireDirectory(directory);
    step("list", directory, () -> tell(resolve(directory), recursive, entries));
  }

  private void tell(Path directory, boolean recursive, Consumer<? super PathEntry> entries)
      throws IOException {
    List<Path> children;
    try (Stream<Path> list = Files.list(directory)) {
      children = list.sorted().toList();
    }
    for (Path child : children) {
      BasicFileAttributes attributes;
      try {
        attributes = attributes(child);
      } catch (NoSuchFileException e) {
        // It went while the folder was read, as it may on a server.
        continue;
      }
      entries.accept(
          new PathEntry(
              pathOf(child),
              attributes.isDirectory(),
              length(attributes),
              attributes.lastModifiedTime().toInstant(),
              ""));
      if (recursive && attributes.isDirectory()) {
        try {
          tell(child, true, entries);
        } catch (NoSuchFileException e) {
          // So may a folder.
        }
      }
    }
  }

  private String pathOf(Path file) {
    return root.relativize(file).toString().replace(file.getFileSystem().getSeparator(), "/");
  }

  @Override
  public void create(String path, boolean ifAbsent) throws InterruptedException {
    PathRules.requireFile(path);
    step(
        "create",
        path,
        () -> {
          Path file = resolve(path);
          Files.createDirectories(file.getParent());
          if (ifAbsent) {
            Files.createFile(file);
          } else {
            Files.write(file, new byte[0]);
          }
        });
  }

  @Override
  public void createDirectory(String path) throws InterruptedException {
    PathRules.requireFile(path);
    step("create", path, () -> Files.createDirectories(resolve(path)));
  }

  @Override
  public void append(String path, long position, ByteBuffer bytes, AppendMode mode)
      throws InterruptedException {
    PathRules.requireFile(path);
    if (position < 0 || !bytes.hasRemaining()) {
      throw new IllegalArgumentException(
          "An append needs bytes and a position of 0 or more, not " + position);
    }
    step(
        "append",
        path,
        () -> {
          try (FileChannel channel = FileChannel.open(resolve(path), StandardOpenOption.WRITE)) {
            ByteBuffer left = bytes.duplicate();
            long at = position;
            while (left.hasRemaining()) {
              at += channel.write(left, at);
            }
            if (mode != AppendMode.APPEND) {
              force(channel, path, at);
            }
          }
        });
  }

  @Override
  public void flush(String path, long length, boolean close) throws InterruptedException {
    PathRules.requireFile(path);
    step(
        "flush",
        path,
        () -> {
          try (FileChannel channel = FileChannel.open(resolve(path), StandardOpenOption.WRITE)) {
            force(channel, path, length);
          }
        });
  }

  private static void force(FileChannel channel, String path, long length) throws IOException {
    if (channel.size() != length) {
      throw DfsException.of(Kind.INVALID_FLUSH_POSITION, "flush")
          .build(path + " has " + channel.size() + " bytes where " + length + " were written");
    }
    channel.force(true);
  }

  @Override
  public String renameIfAbsent(String from, String to) throws InterruptedException {
    PathRules.requireFile(from);
    PathRules.requireFile(to);
    step(
        "rename",
        to,
        () -> {
          Path source = resolve(from);
          Path target = resolve(to);
          if (!Files.exists(source, LinkOption.NOFOLLOW_LINKS)) {
            throw DfsException.of(Kind.SOURCE_NOT_FOUND, "rename")
                .outcomeUnknown(true)
                .build(from + " is not there to be renamed");
          }
          try {
            Files.createLink(target, source);
          } catch (UnsupportedOperationException e) {
            throw DfsException.of(Kind.BAD_REQUEST, "rename")
                .build(
                    "The file system of "
                        + root
                        + " has no hard links, so that a file could be replaced unseen. Choose a"
                        + " folder on another one.",
                    e);
          }
          forceDirectory(target.getParent());
          Files.deleteIfExists(source);
        });
    return "";
  }

  /** A name counts once its folder is on the disk; some systems cannot open a folder. */
  private static void forceDirectory(@Nullable Path directory) throws IOException {
    if (directory != null && directory.getFileSystem().getSeparator().equals("/")) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  @Override
  public byte[] read(String path, long offset, int length) throws InterruptedException {
    PathRules.requireFile(path);
    if (offset < 0 || length < 1 || length > MAX_READ_BYTES) {
      throw new IllegalArgumentException("Cannot read " + length + " bytes from " + offset);
    }
    return call(
        "read",
        path,
        () -> {
          try (FileChannel channel = FileChannel.open(resolve(path), StandardOpenOption.READ)) {
            long there = Math.max(0, Math.min(length, channel.size() - offset));
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(there));
            while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) >= 0) {
              // Reads until the buffer is full or the file ends.
            }
            byte[] read = new byte[bytes.position()];
            bytes.flip().get(read);
            return read;
          }
        });
  }

  @Override
  public void delete(String path, boolean recursive) throws InterruptedException {
    PathRules.requireFile(path);
    step(
        "delete",
        path,
        () -> {
          Path file = resolve(path);
          if (recursive && Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            List<Path> all;
            try (Stream<Path> walk = Files.walk(file)) {
              all = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path one : all) {
              Files.deleteIfExists(one);
            }
          } else {
            Files.delete(file);
          }
        });
  }

  @Override
  public void deleteTree(String path, String etag) throws InterruptedException {
    delete(path, true);
  }

  /** Later calls fail. */
  @Override
  public void close() {
    closed = true;
  }

  private Path resolve(String path) {
    return path.isEmpty() ? root : root.resolve(path);
  }

  private interface Action {
    void run() throws IOException;
  }

  private void step(String operation, String path, Action action) throws InterruptedException {
    call(
        operation,
        path,
        () -> {
          action.run();
          return path;
        });
  }

  private <T> T call(String operation, String path, Step<T> step) throws InterruptedException {
    if (closed) {
      throw DfsException.of(Kind.CLOSED, operation).build("The client was closed");
    }
    try {
      return step.run();
    } catch (ClosedByInterruptException e) {
      // The channel was closed by the interruption, which is told in its own way from here on.
      Thread.interrupted();
      InterruptedException told = new InterruptedException("Interrupted at " + operation);
      told.initCause(e);
      throw told;
    } catch (IOException e) {
      throw failure(operation, path, e);
    }
  }

  private DfsException failure(String operation, String path, IOException e) {
    Kind kind = kind(operation, e);
    if (kind == Kind.TRANSIENT && tooLong(path)) {
      return DfsException.of(Kind.BAD_REQUEST, operation)
          .errorCode(DfsException.NAME_REFUSED)
          .build(
              operation
                  + " of "
                  + resolve(path)
                  + ": "
                  + reason(kind, e)
                  + ". A name is too long for the file system: rename the table in the source, or"
                  + " leave it out of the configuration.",
              e);
    }
    boolean unknown = operation.equals("rename") || operation.equals("append");
    return DfsException.of(kind, operation)
        .outcomeUnknown(unknown && kind != Kind.FORBIDDEN)
        .build(operation + " of " + resolve(path) + ": " + reason(kind, e), e);
  }

  private static Kind kind(String operation, IOException e) {
    if (e instanceof FileAlreadyExistsException) {
      return Kind.ALREADY_EXISTS;
    }
    if (e instanceof NoSuchFileException) {
      return operation.equals("rename") ? Kind.PARENT_NOT_FOUND : Kind.NOT_FOUND;
    }
    if (e instanceof NotDirectoryException) {
      return Kind.NOT_FOUND;
    }
    if (e instanceof DirectoryNotEmptyException) {
      return Kind.CONFLICT;
    }
    if (e instanceof AccessDeniedException) {
      return Kind.FORBIDDEN;
    }
    return Kind.TRANSIENT;
  }

  /**
   * Asked of failures alone: Java tells them by words in the machine's language, and a disk that is
   * full may be one of them.
   */
  private boolean tooLong(String path) {
    Path file = resolve(path);
    if (bytes(file) > LONGEST_PATH) {
      return true;
    }
    for (Path name : file) {
      if (bytes(name) > LONGEST_NAME) {
        return true;
      }
    }
    return false;
  }

  private static int bytes(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  private static String reason(Kind kind, IOException e) {
    return switch (kind) {
      case ALREADY_EXISTS -> "there is something already";
      case NOT_FOUND, PARENT_NOT_FOUND -> "it does not exist";
      case CONFLICT -> "the folder holds something";
      case FORBIDDEN -> "access is denied";
      default -> String.valueOf(e.getMessage());
    };
  }
}
