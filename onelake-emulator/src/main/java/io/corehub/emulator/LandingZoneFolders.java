package io.corehub.emulator;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds landing zones on disk. Stateless. */
public final class LandingZoneFolders {
  static final Path PATH = Path.of("Files", "LandingZone");

  private LandingZoneFolders() {}

  /**
   * The landing zones below a directory, such as an emulator's: each {@code Files/LandingZone}
   * however deep, in order; the directory itself when there is none.
   *
   * @param directory an existing directory
   * @return absolute paths, at least one
   */
  public static List<Path> below(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    Path start = directory.toAbsolutePath().normalize();
    Files.walkFileTree(
        start,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            if (path.endsWith(PATH)) {
              found.add(path);
              return FileVisitResult.SKIP_SUBTREE;
            }
            boolean hidden = !path.equals(start) && path.getFileName().toString().startsWith(".");
            return hidden ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
    found.sort(Comparator.naturalOrder());
    return found.isEmpty() ? List.of(start) : List.copyOf(found);
  }
}
