package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Looks into folders that may not be there. Pure. */
final class Folder {

  private Folder() {}

  /** What lies directly in a folder, by name; empty if there is no such folder. */
  static List<TargetFile> list(TargetFiles files, String path) throws IOException {
    try {
      return files.list(path).stream().sorted(Comparator.comparing(TargetFile::name)).toList();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("Interrupted while listing " + path).initCause(e);
    }
  }

  /** A file by its path, if it is there. */
  static Optional<TargetFile> file(TargetFiles files, String path) throws IOException {
    return list(files, parent(path)).stream()
        .filter(entry -> !entry.directory() && entry.path().equals(path))
        .findFirst();
  }

  static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
