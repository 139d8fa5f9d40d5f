package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** Judges one completed cycle. Confined to one caller at a time. */
final class CycleJudgement {

  private final TargetFiles files;
  private final CycleDirectories directories;
  private final CycleIndex contentsIndex;
  private final JobCourse course;
  private final CycleFindings findings;
  private final LongConsumer judged;
  private final Set<String> seen = new HashSet<>();

  CycleJudgement(
      TargetFiles files,
      CycleDirectories directories,
      CycleIndex contentsIndex,
      JobCourse course,
      LongConsumer judged) {
    this.files = files;
    this.directories = directories;
    this.contentsIndex = contentsIndex;
    this.course = course;
    this.findings = course.findings();
    this.judged = judged;
  }

  /**
   * Judges a cycle.
   *
   * @param cycle its name
   * @param completedFiles its completed files, one of them if all is well
   */
  void judge(CycleId cycle, List<TargetFile> completedFiles) throws IOException {
    TargetFile file = completedFiles.get(0);
    List<TargetFile> contentsFiles = contentsIndex.files().getOrDefault(cycle, List.of());
    checkReuse(cycle, completedFiles, contentsFiles);
    Optional<CompletedCycle> completed = completed(file);
    completed.ifPresent(c -> checkCompleted(cycle, file, c));
    if (contentsFiles.isEmpty()) {
      add(
          CycleRule.CONTENTS_MISSING,
          file.path(),
          "There is no contents file of cycle "
              + cycle
              + " below "
              + directories.contents()
              + ". Restore it, or load the tables anew.");
      String folder = Folder.parent(file.path()).substring(directories.completed().length());
      course.cannotJudge(cycle);
      course.ended(
          cycle,
          completed.map(CompletedCycle::current),
          manifest(cycle, directories.contents() + folder, completed));
      return;
    }
    TargetFile contentsFile = contentsFiles.get(0);
    CyclePaths paths =
        completed
            .flatMap(c -> CyclePaths.of(c.contentsPath(), contentsFile.path()))
            .orElse(new CyclePaths(""));
    if (completed.isPresent()
        && CyclePaths.of(completed.get().contentsPath(), contentsFile.path()).isEmpty()) {
      add(
          CycleRule.CONTENTS_PATH,
          file.path(),
          "contents_path is '"
              + completed.get().contentsPath()
              + "', and the cycle's contents file is "
              + contentsFile.path()
              + ".");
    }
    Optional<CycleManifest> manifest =
        manifest(cycle, Folder.parent(contentsFile.path()), completed);
    Optional<CycleContents> contents = contents(contentsFile);
    if (contents.isPresent()) {
      judge(cycle, contents.get(), paths, completed, manifest);
      manifest.ifPresent(this::checkManifestFiles);
    } else {
      course.cannotJudge(cycle);
    }
    course.ended(cycle, completed.map(CompletedCycle::current), manifest);
  }

  private void add(CycleRule rule, String file, String message) {
    findings.add(rule, "", file, message);
  }

  private void checkReuse(CycleId cycle, List<TargetFile> completed, List<TargetFile> contents) {
    List<TargetFile> twice = completed.size() > 1 ? completed : contents;
    if (twice.size() > 1) {
      add(
          CycleRule.NAME_REUSED,
          twice.get(1).path(),
          "Cycle " + cycle + " also has " + twice.get(0).path() + ".");
    }
  }

  private Optional<CompletedCycle> completed(TargetFile file) throws IOException {
    try {
      return Optional.of(CompletedCycle.read(files, file.path()));
    } catch (CycleFormatException e) {
      add(CycleRule.COMPLETED_MALFORMED, file.path(), sentence(e.reason()));
      return Optional.empty();
    }
  }

  private void checkCompleted(CycleId cycle, TargetFile file, CompletedCycle completed) {
    String folder = Folder.parent(file.path());
    Optional<CycleId> ofFolder =
        folder.equals(directories.completed())
            ? Optional.of(cycle)
            : CycleId.ofFolder(Folder.name(folder));
    if (!completed.cycle().equals(cycle) || !ofFolder.equals(Optional.of(cycle))) {
      add(
          CycleRule.COMPLETED_NAME,
          file.path(),
          "It tells cycle "
              + completed.cycle()
              + ", its name "
              + cycle
              + " and its folder "
              + Folder.name(folder)
              + ".");
    }
    if (completed.end().isBefore(completed.start())) {
      add(
          CycleRule.TIMES,
          file.path(),
          "It ended at " + completed.end() + " and began at " + completed.start() + ".");
    }
    course
        .current()
        .filter(before -> before.compareTo(completed.current()) > 0)
        .ifPresent(
            before ->
                add(
                    CycleRule.CURRENT_GOES_BACK,
                    file.path(),
                    "The current sequence is "
                        + completed.current()
                        + ", and an earlier cycle's "
                        + before
                        + "."));
  }

  private Optional<CycleContents> contents(TargetFile file) throws IOException {
    try {
      return Optional.of(CycleContents.read(files, file.path()));
    } catch (CycleFormatException e) {
      add(CycleRule.CONTENTS_MALFORMED, file.path(), sentence(e.reason()));
      return Optional.empty();
    }
  }

  private Optional<CycleManifest> manifest(
      CycleId cycle, String folder, Optional<CompletedCycle> completed) throws IOException {
    String path = folder + "/_manifest-" + cycle.digits() + ".json";
    if (Folder.file(files, path).isEmpty()) {
      if (course.manifests()) {
        add(
            CycleRule.MANIFEST_MISSING,
            path,
            "Cycle " + cycle + " has no manifest: its files' hashes cannot be judged.");
      }
      return Optional.empty();
    }
    try {
      CycleManifest manifest = CycleManifest.read(files, path);
      completed.ifPresent(c -> checkAgreement(manifest, cycle, c));
      checkCourse(manifest);
      return Optional.of(manifest);
    } catch (CycleFormatException e) {
      add(CycleRule.MANIFEST_MALFORMED, path, sentence(e.reason()));
      return Optional.empty();
    }
  }

  private void checkAgreement(CycleManifest manifest, CycleId cycle, CompletedCycle completed) {
    List<String> differences = new ArrayList<>();
    differ(differences, "cycle", manifest.cycle(), cycle.name());
    differ(differences, "order", manifest.order(), completed.current().order());
    differ(differences, "reason", manifest.reason(), completed.reason());
    if (!same(manifest.startTime(), completed.start())) {
      differ(differences, "startTime", manifest.startTime(), completed.start().toString());
    }
    if (!same(manifest.endTime(), completed.end())) {
      differ(differences, "endTime", manifest.endTime(), completed.end().toString());
    }
    if (!differences.isEmpty()) {
      add(
          CycleRule.MANIFEST_DISAGREES,
          manifest.path(),
          "Against the completed file: " + String.join("; ", differences) + ".");
    }
  }

  private static void differ(List<String> to, String what, String is, String should) {
    if (!is.equals(should)) {
      to.add(what + " is '" + is + "' and not '" + should + "'");
    }
  }

  private static boolean same(String text, Instant time) {
    try {
      return Instant.parse(text).equals(time);
    } catch (DateTimeException e) {
      return false;
    }
  }

  private void checkCourse(CycleManifest manifest) {
    Optional<String> there = course.cycle().map(CycleId::name);
    if (!manifest.previous().equals(there)) {
      boolean remark = there.isEmpty() || manifest.rollback();
      add(
          remark ? CycleRule.EARLIER_REMOVED : CycleRule.GAP,
          manifest.path(),
          "The cycle before is "
              + manifest.previous().map(p -> "said to be " + p).orElse("said to be none")
              + ", and "
              + there.map(t -> "the completed one before is " + t).orElse("none is there")
              + ".");
    }
    course.manifest().ifPresent(before -> checkAfter(manifest, before));
  }

  private void checkAfter(CycleManifest manifest, CycleManifest before) {
    if (!manifest.job().equals(before.job()) || !manifest.timeline().equals(before.timeline())) {
      add(
          CycleRule.IDENTITY,
          manifest.path(),
          "Job and timeline are '"
              + manifest.job()
              + "' and '"
              + manifest.timeline()
              + "', in the manifest before '"
              + before.job()
              + "' and '"
              + before.timeline()
              + "'.");
    }
    before
        .tables()
        .forEach(
            (table, was) -> {
              CycleManifest.State is = manifest.tables().get(table);
              if (is != null
                  && !manifest.rollback()
                  && (is.incarnation() < was.incarnation()
                      || is.schemaVersion() < was.schemaVersion()
                      || is.appliedOrder().compareTo(was.appliedOrder()) < 0)) {
                findings.add(
                    CycleRule.STATE,
                    table,
                    manifest.path(),
                    "The table stands at " + is + " and stood at " + was + ".");
              }
            });
  }

  private void judge(
      CycleId cycle,
      CycleContents contents,
      CyclePaths paths,
      Optional<CompletedCycle> completed,
      Optional<CycleManifest> manifest)
      throws IOException {
    RowsJudgement rows =
        new RowsJudgement(
            files, course, contents.combined(), completed.map(CompletedCycle::current), manifest);
    Set<String> paired = new HashSet<>();
    String last = "";
    boolean ordered = true;
    for (CycleContents.Line line : contents.lines()) {
      ordered &= last.compareTo(line.table()) <= 0;
      last = line.table();
      if (checkLine(cycle, contents, line, paired)) {
        judgeLine(cycle, contents, line, paths, manifest, rows);
      }
    }
    if (!ordered) {
      add(
          CycleRule.LINE_ORDER,
          contents.path(),
          "Its lines do not stand in the order of the tables' names.");
    }
    completed.ifPresent(c -> checkCurrent(c, contents.combined(), rows));
  }

  /** Whether the line's files are to be judged: not if an earlier line named them. */
  private boolean checkLine(
      CycleId cycle, CycleContents contents, CycleContents.Line line, Set<String> paired) {
    if (!line.cycleName().equals(cycle.name())) {
      findings.add(
          CycleRule.LINE_CYCLE,
          line.table(),
          contents.path(),
          "Its line tells cycle '" + line.cycleName() + "' instead of " + cycle + ".");
    }
    boolean first = paired.add(line.table() + "\n" + line.cyclePath());
    if (!first) {
      findings.add(
          CycleRule.LINE_TWICE,
          line.table(),
          contents.path(),
          "Two lines name " + line.cyclePath() + ".");
    }
    boolean prefixed = line.start().prefixed();
    if (prefixed != contents.combined() || line.end().prefixed() != prefixed) {
      findings.add(
          CycleRule.KIND_OF_JOB,
          line.table(),
          contents.path(),
          "Its sequences have "
              + line.start().text().length()
              + " and "
              + line.end().text().length()
              + " digits in a contents file of "
              + (contents.combined() ? "a combined" : "an incremental")
              + " job.");
    }
    return first;
  }

  private void judgeLine(
      CycleId cycle,
      CycleContents contents,
      CycleContents.Line line,
      CyclePaths paths,
      Optional<CycleManifest> manifest,
      RowsJudgement rows)
      throws IOException {
    Optional<String> path = paths.real(line.cyclePath());
    LineFiles data =
        path.isPresent()
            ? LineFiles.of(files, cycle, line.table(), path.get())
            : new LineFiles(List.of(), List.of());
    for (TargetFile other : data.others()) {
      if (isExtra(cycle, other) && course.name(other.path())) {
        findings.add(
            CycleRule.DATA_EXTRA,
            line.table(),
            other.path(),
            "It lies in a folder of data of completed cycle " + cycle + " and is no file of it.");
      }
    }
    List<TargetFile> named = new ArrayList<>();
    for (TargetFile file : data.files()) {
      seen.add(file.path());
      course.name(file.path());
      if (manifest.isPresent() && !manifest.get().files().containsKey(file.path())) {
        findings.add(
            CycleRule.DATA_EXTRA,
            line.table(),
            file.path(),
            "The manifest of cycle " + cycle + " does not name it.");
      } else {
        named.add(file);
      }
    }
    boolean missing = checkMissing(line, path.orElse(""), manifest);
    if (named.isEmpty() && !missing) {
      missing = true;
      findings.add(
          CycleRule.DATA_MISSING,
          line.table(),
          contents.path(),
          "No data file lies at '" + line.cyclePath() + "', which its line names.");
    }
    Optional<SchemaDoc> schema =
        named.isEmpty() ? Optional.empty() : schema(contents, line, paths, named);
    rows.line(line, contents.path(), named, schema, missing, judged);
  }

  /** A data file of this cycle may be one of another table's line. */
  private static boolean isExtra(CycleId cycle, TargetFile other) {
    return other.directory()
        || CycleId.ofDataFile(other.name()).filter(n -> n.cycle().equals(cycle)).isEmpty();
  }

  /** Files of the manifest in the line's folder that are not there. */
  private boolean checkMissing(
      CycleContents.Line line, String path, Optional<CycleManifest> manifest) throws IOException {
    boolean missing = false;
    for (String wanted : manifest.map(m -> m.files().keySet()).orElse(Set.of())) {
      boolean ofLine = wanted.equals(path) || Folder.parent(wanted).equals(path);
      if (ofLine && Folder.file(files, wanted).isEmpty() && seen.add(wanted)) {
        missing = true;
        findings.add(
            CycleRule.DATA_MISSING,
            line.table(),
            wanted,
            "It is gone, and the manifest names it. Restore it, or load the table anew.");
      }
    }
    return missing;
  }

  private Optional<SchemaDoc> schema(
      CycleContents contents, CycleContents.Line line, CyclePaths paths, List<TargetFile> data)
      throws IOException {
    String written = line.schemaPath();
    String path = paths.real(written).orElse("");
    Optional<SchemaDoc> known = course.schemas().get(path);
    if (known != null) {
      return known;
    }
    Optional<SchemaDoc> schema = Optional.empty();
    if (path.isEmpty() || Folder.file(files, path).isEmpty()) {
      // A Parquet job names a schema file that need not be there.
      if (!data.get(0).name().endsWith(".parquet")) {
        findings.add(
            CycleRule.SCHEMA_MISSING,
            line.table(),
            contents.path(),
            "There is no schema file '" + written + "', which its line names.");
      }
    } else {
      try {
        SchemaDoc doc = SchemaDoc.read(files, path);
        schema = Optional.of(doc);
        if (doc.version().filter(v -> v != line.schemaVersion()).isPresent()) {
          findings.add(
              CycleRule.SCHEMA_VERSION,
              line.table(),
              path,
              "It is the schema of version "
                  + doc.version().get()
                  + ", and a line of "
                  + contents.path()
                  + " names it for version "
                  + line.schemaVersion()
                  + ".");
        }
      } catch (CycleFormatException e) {
        findings.add(CycleRule.SCHEMA_MALFORMED, line.table(), path, sentence(e.reason()));
      }
    }
    course.schemas().put(path, schema);
    return schema;
  }

  private void checkCurrent(CompletedCycle completed, boolean combined, RowsJudgement rows) {
    Optional<RowSequence> last = rows.lastOfCommit(completed.current().order());
    long expected = last.map(RowSequence::row).orElse(0L);
    long is = completed.current().row();
    boolean asBefore =
        last.isEmpty() && course.current().filter(completed.current()::equals).isPresent();
    // In a combined job the last rows of a commit may be withheld with their table.
    boolean wrong = (combined && rows.any()) ? is < expected : is != expected;
    if (wrong && !asBefore && rows.whole()) {
      add(
          CycleRule.CURRENT_ROW,
          completed.path(),
          "The current sequence is "
              + completed.current()
              + ", and the last row of that commit has the number "
              + expected
              + ".");
    }
  }

  /** Files of the manifest that no line leads to, or whose table has no state. */
  private void checkManifestFiles(CycleManifest manifest) {
    for (Map.Entry<String, CycleManifest.Entry> entry : manifest.files().entrySet()) {
      course.name(entry.getKey());
      if (!manifest.tables().containsKey(entry.getValue().table())) {
        findings.add(
            CycleRule.STATE,
            entry.getValue().table(),
            manifest.path(),
            "It names a file of the table and has no state of it.");
      }
      if (seen.add(entry.getKey())) {
        findings.add(
            CycleRule.DATA_MISSING,
            entry.getValue().table(),
            entry.getKey(),
            "The manifest names it, and no line of the contents file leads to it.");
      }
    }
  }

  private static String sentence(String reason) {
    return reason.endsWith(".")
        ? reason
        : Character.toUpperCase(reason.charAt(0)) + reason.substring(1) + ".";
  }
}
