package io.corehub.verify;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

/** Judges what Fabric ignores for its leading underscore. Stateless. */
final class Leftovers {
  private static final int DEEPEST = 3;

  private Leftovers() {}

  static void file(TargetFile file, Findings findings) {
    String name = file.name();
    if (name.equals(FileNames.CLEAN_UP_INFO)) {
      return;
    }
    if (FileNames.parquet(name)) {
      findings.add(
          Rule.LEFT_UPLOAD,
          file.path(),
          "An upload that is under way, or was given up. Remove it if nobody writes here.");
    } else if (FileNames.snapshotManifest(name)) {
      findings.add(
          Rule.LEFT_SNAPSHOT,
          file.path(),
          "A staged snapshot that is under way, or was given up. Remove it if nobody writes here.");
    } else {
      findings.add(
          Rule.LEFT_OTHER, file.path(), "Fabric ignores it. Remove it if nobody needs it.");
    }
  }

  static void folder(TargetFile folder, Findings findings) {
    if (!folder.name().equals(FileNames.SCRATCH)) {
      findings.add(
          Rule.LEFT_OTHER, folder.path(), "Fabric ignores it. Remove it if nobody needs it.");
    }
  }

  /** Whether a Parquet file lies in a folder, a few levels deep. */
  static boolean holdsData(TargetFiles files, TargetFile folder)
      throws IOException, InterruptedException {
    return holdsData(files, folder.path(), 1);
  }

  private static boolean holdsData(TargetFiles files, String path, int depth)
      throws IOException, InterruptedException {
    try {
      for (TargetFile entry : files.list(path)) {
        boolean data =
            entry.directory()
                ? depth < DEEPEST && holdsData(files, entry.path(), depth + 1)
                : FileNames.parquet(entry.name());
        if (data) {
          return true;
        }
      }
      return false;
    } catch (NoSuchFileException e) {
      return false; // Deleted since it was listed.
    }
  }
}
