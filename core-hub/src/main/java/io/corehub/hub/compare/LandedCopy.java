package io.corehub.hub.compare;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Copies the files of a landing zone that make up its tables into a folder of this machine, those
 * that Fabric moved to its clean-up folders included. Confined to one caller at a time.
 */
final class LandedCopy {

  private static final Pattern NUMBERED = Pattern.compile("\\d{20}\\.parquet");
  private static final Set<String> CLEANED_UP = Set.of("_ProcessedFiles", "_FilesReadyToDelete");
  private static final String METADATA = "_metadata.json";
  private static final String FIRST = "0".repeat(19) + "1.parquet";
  private static final int PIECE = 4 << 20;
  private static final int PASSES = 10;

  private final TargetFiles files;
  private final Path into;

  /** First file of each table folder. */
  private final Map<String, String> first = new TreeMap<>();

  private boolean moved;

  LandedCopy(TargetFiles files, Path into) {
    this.files = files;
    this.into = into;
  }

  /**
   * Copies everything. A file that is moved meanwhile is found where it went.
   *
   * @throws IOException if the landing zone cannot be read
   */
  void run() throws IOException, InterruptedException {
    for (int pass = 0; pass < PASSES; pass++) {
      moved = false;
      directory("", "");
      if (!moved) {
        return;
      }
    }
    throw new IOException("Its files keep moving; try again when less is going on.");
  }

  /** Whether the first files of a table folder are no longer there. */
  boolean beginsLate(String folder) {
    String found = first.get(folder);
    return found != null && !found.equals(FIRST);
  }

  private void directory(String path, String folder) throws IOException, InterruptedException {
    for (TargetFile entry : files.list(path)) {
      String name = entry.path().substring(entry.path().lastIndexOf('/') + 1);
      if (entry.directory()) {
        if (CLEANED_UP.contains(name)) {
          moving(() -> directory(entry.path(), folder));
        } else if (!name.startsWith("_")) {
          directory(entry.path(), folder.isEmpty() ? name : folder + "/" + name);
        }
      } else if (NUMBERED.matcher(name).matches()) {
        first.merge(folder, name, (one, other) -> one.compareTo(other) < 0 ? one : other);
        moving(() -> file(entry, folder, name));
      } else if (name.equals(METADATA)) {
        file(entry, folder, name);
      }
    }
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  private void moving(Step step) throws IOException, InterruptedException {
    try {
      step.run();
    } catch (NoSuchFileException gone) {
      moved = true;
    }
  }

  private void file(TargetFile file, String folder, String name)
      throws IOException, InterruptedException {
    Path copy = Files.createDirectories(into.resolve(folder)).resolve(name);
    if (Files.exists(copy) && Files.size(copy) == file.length()) {
      return;
    }
    try (OutputStream out = Files.newOutputStream(copy)) {
      for (long at = 0; at < file.length(); ) {
        byte[] piece = files.read(file.path(), at, (int) Math.min(PIECE, file.length() - at));
        if (piece.length == 0) {
          throw new IOException(file.path() + " ends before its length");
        }
        out.write(piece);
        at += piece.length;
      }
    } catch (IOException | InterruptedException e) {
      Files.deleteIfExists(copy);
      throw e;
    }
  }
}
