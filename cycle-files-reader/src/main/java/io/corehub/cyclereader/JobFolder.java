package io.corehub.cyclereader;

import io.corehub.agent.verify.FolderFiles;
import io.corehub.agent.verify.TargetFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A job on this machine: its connection folder, and where its files lie below. Immutable.
 *
 * @param connectionFolder the folder that paths in summary files are relative to
 * @param directories below it
 */
public record JobFolder(Path connectionFolder, CycleDirectories directories) {

  private static final int DEEPEST = 6;
  private static final String CONTENTS = "/cycle/contents/";

  /** Checks the parts. */
  public JobFolder {
    Objects.requireNonNull(connectionFolder, "connectionFolder");
    Objects.requireNonNull(directories, "directories");
  }

  /**
   * Finds the jobs with the default directories that a folder is or holds. How many segments a
   * job's name has, and so which folder above it is its connection folder, is told by the paths in
   * its files, wherever the search began; where they tell nothing, a job that was searched for from
   * above is taken to be named from there.
   *
   * @param folder a job's folder, or one that holds jobs at any depth up to six
   * @return the jobs, in the order of their folders; empty if there is none
   * @throws IOException if the folder cannot be read
   */
  public static List<JobFolder> in(Path folder) throws IOException {
    Path start = folder.toAbsolutePath().normalize();
    if (isJob(start)) {
      return List.of(of(start, 1));
    }
    TreeSet<Path> found = new TreeSet<>();
    try (Stream<Path> below = Files.walk(start, DEEPEST)) {
      below.filter(path -> Files.isDirectory(path) && isJob(path)).forEach(found::add);
    }
    List<JobFolder> jobs = new ArrayList<>();
    for (Path job : found) {
      jobs.add(of(job, start.relativize(job).getNameCount()));
    }
    return jobs;
  }

  private static boolean isJob(Path path) {
    return Files.isDirectory(path.resolve("cycle/completed"))
        || Files.isDirectory(path.resolve("cycle/contents"));
  }

  /**
   * A job.
   *
   * @param job its folder
   * @param otherwise how many segments its name has if its files do not tell
   */
  private static JobFolder of(Path job, int otherwise) throws IOException {
    Path connection = job;
    int segments = segments(job).orElse(otherwise);
    for (int i = 0; i < segments && connection.getParent() != null; i++) {
      connection = connection.getParent();
    }
    return new JobFolder(connection, CycleDirectories.usual(text(connection.relativize(job))));
  }

  private static OptionalInt segments(Path job) throws IOException {
    try (FolderFiles files = new FolderFiles(job)) {
      Iterator<List<TargetFile>> completed =
          CycleIndex.of(files, "cycle/completed", "Cycle-").files().values().iterator();
      if (!completed.hasNext()) {
        return OptionalInt.empty();
      }
      CompletedCycle cycle = CompletedCycle.read(files, completed.next().get(0).path());
      String contents = cycle.contentsPath();
      int at = contents.lastIndexOf(CONTENTS);
      if (at <= 0) {
        return OptionalInt.empty();
      }
      return contents.contains(":/")
          ? segments(job, files, contents.substring(at + 1), cycle.cycle())
          : OptionalInt.of(Path.of(contents.substring(0, at)).getNameCount());
    } catch (CycleFormatException e) {
      return OptionalInt.empty();
    }
  }

  /** Absolute paths begin with anything; those of a manifest never are. */
  private static OptionalInt segments(Path job, FolderFiles files, String contents, CycleId cycle)
      throws IOException {
    String manifest =
        contents.substring(0, contents.lastIndexOf('/') + 1)
            + "_manifest-"
            + cycle.digits()
            + ".json";
    for (String path : CycleManifest.read(files, manifest).files().keySet()) {
      for (int n = 1; n <= job.getNameCount(); n++) {
        String name = text(job.subpath(job.getNameCount() - n, job.getNameCount()));
        if (path.startsWith(name + "/")) {
          return OptionalInt.of(n);
        }
      }
    }
    return OptionalInt.empty();
  }

  private static String text(Path path) {
    StringBuilder text = new StringBuilder();
    for (Path segment : path) {
      text.append(text.length() == 0 ? "" : "/").append(segment);
    }
    return text.toString();
  }
}
