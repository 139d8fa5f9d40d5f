package io.corehub.hub.source;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

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
   * Creates a directory of mode 0700 and those above it, if missing.
   *
   * @param directory the directory
   * @throws IOException if it cannot be created
   */
  public static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, attributes("rwx------"));
  }

  private static FileAttribute<?>[] attributes(String permissions) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
