package io.corehub.cyclereader;

import io.corehub.agent.verify.FolderFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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

  /** Checks the parts. */
  public JobFolder {
    Objects.requireNonNull(connectionFolder, "connectionFolder");
    Objects.requireNonNull(directories, "directories");
  }

  /**
   * Finds the jobs with the default directories that a folder is or holds.
   *
   * @param folder a job's folder, or one that holds jobs
   * @return the jobs, in the order of their names; empty if there is none
   * @throws IOException if the folder cannot be read
   */
  public static List<JobFolder> in(Path folder) throws IOException {
    Path start = folder.toAbsolutePath().normalize();
    if (isJob(start)) {
      return List.of(ofJob(start));
    }
    TreeSet<Path> jobs = new TreeSet<>();
    try (Stream<Path> below = Files.walk(start, DEEPEST)) {
      below.filter(path -> Files.isDirectory(path) && isJob(path)).forEach(jobs::add);
    }
    return jobs.stream()
        .map(job -> new JobFolder(start, CycleDirectories.usual(text(start.relativize(job)))))
        .toList();
  }

  private static boolean isJob(Path path) {
    return Files.isDirectory(path.resolve("cycle/completed"))
        || Files.isDirectory(path.resolve("cycle/contents"));
  }

  /** How many segments a job's name has is told by its completed files. */
  private static JobFolder ofJob(Path job) throws IOException {
    int segments = 1;
    try (FolderFiles files = new FolderFiles(job)) {
      CycleIndex completed = CycleIndex.of(files, "cycle/completed", "Cycle-");
      Optional<String> path =
          completed.files().entrySet().stream()
              .findFirst()
              .map(Map.Entry::getValue)
              .map(found -> found.get(0).path());
      if (path.isPresent()) {
        segments = segments(files, path.get());
      }
    }
    Path connection = job;
    for (int i = 0; i < segments && connection.getParent() != null; i++) {
      connection = connection.getParent();
    }
    return new JobFolder(connection, CycleDirectories.usual(text(connection.relativize(job))));
  }

  private static int segments(FolderFiles files, String completed) throws IOException {
    try {
      String contents = CompletedCycle.read(files, completed).contentsPath();
      int at = contents.lastIndexOf("/cycle/contents/");
      return at <= 0 || contents.contains(":/")
          ? 1
          : (int) contents.substring(0, at).chars().filter(c -> c == '/').count() + 1;
    } catch (CycleFormatException e) {
      return 1;
    }
  }

  private static String text(Path path) {
    StringBuilder text = new StringBuilder();
    for (Path segment : path) {
      text.append(text.length() == 0 ? "" : "/").append(segment);
    }
    return text.toString();
  }
}
