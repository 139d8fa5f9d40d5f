package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which cycles have a file of a kind, and where. Immutable.
 *
 * @param files by cycle, in the order of cycles; more than one where a name was used twice
 * @param folders folders of cycles without such a file
 * @param others whatever else lies there
 */
record CycleIndex(
    Map<CycleId, List<TargetFile>> files, Map<String, CycleId> folders, List<TargetFile> others) {

  /**
   * Looks into the directory of completed files, or of contents files.
   *
   * @param start what names of the files begin with
   */
  static CycleIndex of(TargetFiles files, String directory, String start) throws IOException {
    Map<CycleId, List<TargetFile>> found = new TreeMap<>();
    Map<String, CycleId> folders = new TreeMap<>();
    List<TargetFile> others = new ArrayList<>();
    for (TargetFile entry : Folder.list(files, directory)) {
      Optional<CycleId> folder =
          entry.directory() ? CycleId.ofFolder(entry.name()) : Optional.empty();
      if (folder.isPresent()) {
        if (!inFolder(files, entry, start, found, others)) {
          folders.put(entry.path(), folder.get());
        }
      } else {
        add(entry, start, found, others);
      }
    }
    return new CycleIndex(found, folders, others);
  }

  private static boolean inFolder(
      TargetFiles files,
      TargetFile folder,
      String start,
      Map<CycleId, List<TargetFile>> found,
      List<TargetFile> others)
      throws IOException {
    boolean any = false;
    for (TargetFile entry : Folder.list(files, folder.path())) {
      any |= add(entry, start, found, others);
    }
    return any;
  }

  private static boolean add(
      TargetFile entry,
      String start,
      Map<CycleId, List<TargetFile>> found,
      List<TargetFile> others) {
    Optional<CycleId> cycle =
        entry.directory() ? Optional.empty() : CycleId.between(start, entry.name(), ".csv");
    if (cycle.isPresent()) {
      found.computeIfAbsent(cycle.get(), c -> new ArrayList<>()).add(entry);
      return true;
    }
    others.add(entry);
    return false;
  }
}
