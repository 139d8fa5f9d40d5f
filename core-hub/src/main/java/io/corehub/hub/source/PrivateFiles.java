package io.corehub.hub.source;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** Files and directories only the hub's own user may read, where the file system knows users. */
public final class PrivateFiles {

  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private PrivateFiles() {}

  /**
   * Creates a new file of mode 0600 with a name of its own.
   *
   * @param directory existing directory
   * @param prefix beginning of the name
   * @return the file
   * @throws IOException if it cannot be created
   */
  public static Path newFile(Path directory, String prefix) throws IOException {
    return Files.createTempFile(directory, prefix, ".spool", attributes("rw-------"));
  }

  /**
   * A private file could not be written, usually because the disk is full.
   *
   * @param directory where it is or was to be
   * @param reason what went wrong
   * @return says where, and what to do
   */
  public static SourceException unwritten(Path directory, IOException reason) {
    return new SourceException(
        "A private file in "
            + directory
            + " cannot be written ("
            + reason.getMessage()
            + "). Make room below 'hub.stateDirectory' and start again; nothing is lost.",
        reason);
  }

  /**
   * Creates a directory of mode 0700 and those above it, if missing.
   *
   * @param directory the directory
   * @throws IOException if it cannot be created
   */
  public static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, attributes("rwx------"));
  }

  /**
   * Takes from all others the right to use a file that is there.
   *
   * @param file the file
   * @throws IOException if its rights cannot be changed
   */
  public static void makePrivate(Path file) throws IOException {
    if (POSIX) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
  }

  /**
   * Deletes what an earlier run left in a directory; creates the directory if it is missing.
   *
   * @param directory the directory
   * @throws IOException if it cannot be emptied or created
   */
  public static void emptyDirectory(Path directory) throws IOException {
    deleteDirectory(directory);
    createDirectories(directory);
  }

  /**
   * Deletes a directory with all that lies in it, if it is there.
   *
   * @param directory the directory
   * @throws IOException if something cannot be deleted
   */
  public static void deleteDirectory(Path directory) throws IOException {
    if (Files.exists(directory)) {
      deleteAll(directory);
    }
  }

  private static void deleteAll(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static FileAttribute<?>[] attributes(String permissions) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
