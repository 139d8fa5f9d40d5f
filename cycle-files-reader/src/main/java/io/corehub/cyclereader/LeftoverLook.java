package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.cyclereader.CycleId.DataFileName;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Looks for what no completed cycle names. Confined to one caller at a time. */
final class LeftoverLook {

  private static final String TEMPORARY = "_tmp_";

  private final TargetFiles files;
  private final CycleDirectories directories;
  private final CycleIndex completed;
  private final CycleIndex contents;
  private final JobCourse course;
  private final CycleFindings findings;
  private final Map<CycleId, String> left = new TreeMap<>();

  LeftoverLook(
      TargetFiles files,
      CycleDirectories directories,
      CycleIndex completed,
      CycleIndex contents,
      JobCourse course) {
    this.files = files;
    this.directories = directories;
    this.completed = completed;
    this.contents = contents;
    this.course = course;
    this.findings = course.findings();
  }

  void look() throws IOException {
    if (!course.manifests() && !completed.files().isEmpty()) {
      add(
          CycleRule.NO_MANIFESTS,
          directories.contents(),
          "No cycle has a manifest, so only what the files say of each other was judged.");
    }
    completed.others().forEach(this::summaryOther);
    contents.others().forEach(this::summaryOther);
    completed.folders().forEach((path, cycle) -> leave(cycle, path));
    contents.folders().forEach((path, cycle) -> leaveUnlessCompleted(cycle, path));
    contents.files().forEach((cycle, found) -> leaveUnlessCompleted(cycle, found.get(0).path()));
    Set<String> summaries = new TreeSet<>(Set.of(directories.completed(), directories.contents()));
    for (String root : directories.tables()) {
      table(root, summaries);
    }
    Optional<CycleId> newest = course.cycle();
    left.forEach(
        (cycle, path) -> {
          boolean old = newest.filter(n -> n.compareTo(cycle) >= 0).isPresent();
          add(
              old ? CycleRule.OLD_LEFTOVER : CycleRule.OPEN_CYCLE,
              path,
              "Cycle "
                  + cycle
                  + " has no completed file"
                  + newest.map(n -> "; the newest completed one is " + n).orElse("")
                  + ".");
        });
  }

  private void add(CycleRule rule, String file, String message) {
    findings.add(rule, "", file, message);
  }

  private void leaveUnlessCompleted(CycleId cycle, String path) {
    if (!completed.files().containsKey(cycle)) {
      leave(cycle, path);
    }
  }

  private void leave(CycleId cycle, String path) {
    left.putIfAbsent(cycle, path);
  }

  private void summaryOther(TargetFile file) {
    Optional<CycleId> manifest = CycleId.between("_manifest-", file.name(), ".json");
    if (!file.directory() && manifest.isPresent()) {
      leaveUnlessCompleted(manifest.get(), file.path());
    } else {
      other(file);
    }
  }

  private void other(TargetFile file) {
    if (!file.directory() && file.name().startsWith(TEMPORARY)) {
      add(CycleRule.TEMPORARY, file.path(), "It is a temporary file that nobody publishes.");
    } else {
      add(CycleRule.STRANGER, file.path(), "It is no file or folder of the layout.");
    }
  }

  /** Goes through the folders of tables. */
  private void table(String path, Set<String> leaveOut) throws IOException {
    for (TargetFile entry : Folder.list(files, path)) {
      if (leaveOut.contains(entry.path()) || entry.path().endsWith("/cycle/_writer")) {
        continue;
      }
      if (entry.directory()) {
        table(entry.path(), leaveOut);
      } else {
        file(entry);
      }
    }
  }

  private void file(TargetFile file) {
    Optional<DataFileName> data = CycleId.ofDataFile(file.name());
    if (course.isNamed(file.path()) || data.filter(d -> !course.isJudged(d.cycle())).isPresent()) {
      return;
    }
    if (data.isEmpty()) {
      if (!file.name().endsWith(".schema") && !file.name().equals("schema.ini")) {
        other(file);
      }
    } else if (!completed.files().containsKey(data.get().cycle())) {
      leave(data.get().cycle(), Folder.parent(file.path()));
    } else {
      add(
          CycleRule.DATA_EXTRA,
          file.path(),
          "Neither contents file nor manifest of completed cycle "
              + data.get().cycle()
              + " name it.");
    }
  }
}
