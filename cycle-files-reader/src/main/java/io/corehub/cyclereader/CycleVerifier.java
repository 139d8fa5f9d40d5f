package io.corehub.cyclereader;

import io.corehub.agent.verify.TargetFile;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.agent.verify.TargetVerifier;
import io.corehub.agent.verify.VerificationListener;
import io.corehub.agent.verify.VerificationListener.Progress;
import io.corehub.agent.verify.Violation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Judges the cycles of a job by {@link CycleRule}s, whoever wrote them, and only reads. Knows
 * nothing of the agent whose files it judges. Thread-safe.
 *
 * <p>Cycles are judged in order, every data file is read from end to end; one cycle's summary files
 * and manifest and one row are held at a time, and a number for each data file.
 */
public final class CycleVerifier implements TargetVerifier {

  private final Optional<CycleDirectories> directories;

  /**
   * A verifier of the one job with the default directories below a connection folder; used by
   * {@link java.util.ServiceLoader}.
   */
  public CycleVerifier() {
    this.directories = Optional.empty();
  }

  /**
   * A verifier of one job.
   *
   * @param directories where its files lie below the connection folder
   */
  public CycleVerifier(CycleDirectories directories) {
    this.directories = Optional.of(directories);
  }

  @Override
  public String agentId() {
    return "cycle-files";
  }

  /**
   * Judges a job and returns what it finds.
   *
   * @param files the connection folder
   * @return every violation
   * @throws IOException if the files cannot be read
   * @throws InterruptedException if interrupted
   */
  public List<Violation> verify(TargetFiles files) throws IOException, InterruptedException {
    List<Violation> violations = new ArrayList<>();
    verify(files, violations::add);
    return violations;
  }

  @Override
  public void verify(TargetFiles files, VerificationListener listener)
      throws IOException, InterruptedException {
    try {
      judge(files, directories.isPresent() ? directories.get() : only(files), listener);
    } catch (InterruptedIOException e) {
      if (Thread.interrupted()) {
        throw (InterruptedException)
            new InterruptedException(String.valueOf(e.getMessage())).initCause(e);
      }
      throw e;
    }
  }

  private static CycleDirectories only(TargetFiles files) throws IOException {
    List<String> jobs = new ArrayList<>();
    for (TargetFile entry : Folder.list(files, "")) {
      CycleDirectories usual = CycleDirectories.usual(entry.path());
      boolean job =
          entry.directory()
              && (!Folder.list(files, usual.completed()).isEmpty()
                  || !Folder.list(files, usual.contents()).isEmpty());
      if (job) {
        jobs.add(entry.path());
      }
    }
    if (jobs.size() != 1) {
      throw new NoSuchFileException(
          "", null, "the folder holds " + jobs.size() + " jobs instead of one");
    }
    return CycleDirectories.usual(jobs.get(0));
  }

  private static void judge(
      TargetFiles files, CycleDirectories directories, VerificationListener listener)
      throws IOException {
    CycleIndex completed = CycleIndex.of(files, directories.completed(), "Cycle-");
    CycleIndex contents = CycleIndex.of(files, directories.contents(), "Cycle-contents-");
    CycleFindings findings = new CycleFindings();
    JobCourse course = new JobCourse(findings, anyManifest(contents));
    Tally tally = new Tally(completed.files().size(), listener);
    for (Map.Entry<CycleId, List<TargetFile>> entry : completed.files().entrySet()) {
      new CycleJudgement(files, directories, contents, course, tally::judged)
          .judge(entry.getKey(), entry.getValue());
      findings.handOver(listener);
      tally.cycleDone();
    }
    new LeftoverLook(files, directories, completed, contents, course).look();
    findings.handOver(listener);
  }

  private static boolean anyManifest(CycleIndex contents) {
    return contents.others().stream()
        .anyMatch(file -> CycleId.between("_manifest-", file.name(), ".json").isPresent());
  }

  /** Counts; what counts as a table to a listener is a cycle here. */
  private static final class Tally {
    private final int cycles;
    private final VerificationListener listener;
    private int done;
    private long files;
    private long bytes;

    Tally(int cycles, VerificationListener listener) {
      this.cycles = cycles;
      this.listener = listener;
      tell();
    }

    void judged(long length) {
      files++;
      bytes += length;
      tell();
    }

    void cycleDone() {
      done++;
      tell();
    }

    private void tell() {
      listener.progress(new Progress(cycles, done, files, bytes));
    }
  }
}
