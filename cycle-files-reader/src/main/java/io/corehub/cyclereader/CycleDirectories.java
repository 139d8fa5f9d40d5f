package io.corehub.cyclereader;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * Where the files of a job lie, as paths below the connection folder. Immutable.
 *
 * @param job the job's folder
 * @param completed the directory of completed files
 * @param contents the directory of contents files
 * @param tables directories below which nothing but files of the job's tables lies, searched for
 *     what no completed cycle names; none is named twice
 */
public record CycleDirectories(String job, String completed, String contents, List<String> tables) {

  private static final String JOB = "{tasktargetdirectory}";

  /** Takes a copy. */
  public CycleDirectories {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(completed, "completed");
    Objects.requireNonNull(contents, "contents");
    tables = List.copyOf(new LinkedHashSet<>(tables));
  }

  /**
   * The default directories.
   *
   * @param job the job's folder
   * @return the directories
   */
  public static CycleDirectories usual(String job) {
    return new CycleDirectories(
        job, job + "/cycle/completed", job + "/cycle/contents", List.of(job + "/data"));
  }

  /**
   * The directories of settings.
   *
   * @param job the job's folder
   * @param completed pattern of the directory of completed files
   * @param contents pattern of the directory of contents files
   * @param tables patterns of the directories of data and schema files
   * @return the directories
   */
  public static CycleDirectories custom(
      String job, String completed, String contents, List<String> tables) {
    Set<String> roots = new LinkedHashSet<>();
    for (String pattern : tables) {
      String root = fixed(job, pattern);
      if (!root.isEmpty()) {
        roots.add(root);
      }
    }
    roots.removeIf(root -> roots.stream().anyMatch(other -> root.startsWith(other + "/")));
    return new CycleDirectories(
        job, fixed(job, completed), fixed(job, contents), List.copyOf(roots));
  }

  /** What stands before the first segment with a placeholder of its own. */
  private static String fixed(String job, String pattern) {
    List<String> segments = new ArrayList<>();
    for (String segment : pattern.split("/", -1)) {
      if (segment.toLowerCase(Locale.ROOT).equals(JOB)) {
        segments.add(job);
      } else if (segment.indexOf('{') >= 0) {
        break;
      } else {
        segments.add(segment);
      }
    }
    return String.join("/", segments);
  }
}
