package io.corehub.hub.cli;

import io.corehub.agent.settings.Setting;
import io.corehub.cyclereader.CycleDirectories;
import io.corehub.cyclereader.JobFolder;
import io.corehub.cyclereader.SegmentText;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.source.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Finds the one job of cycle files that a command is about. */
final class CycleJobs {

  private static final String AGENT = "cycle-files";

  /** A URL as it looks as a path, which has no two slashes together. */
  private static final Pattern URL = Pattern.compile("[a-z]{2,}:/.*");

  private CycleJobs() {}

  /**
   * The job that a folder is or holds.
   *
   * @param directory what the command was given
   * @param config the configuration file that tells custom directories, if one was given
   * @throws ParameterException if there is no such folder or file
   * @throws Failure if the folder holds no job, or several
   */
  static JobFolder find(Path directory, @Nullable Path config, CommandSpec command) {
    if (URL.matcher(directory.toString()).matches()) {
      throw new ParameterException(
          command.commandLine(),
          directory
              + " is no folder of this machine. Copy the job's folder here first, or mount the"
              + " storage, and give that folder.");
    }
    if (!Files.isDirectory(directory)) {
      throw new ParameterException(
          command.commandLine(),
          "Directory " + directory + (Files.exists(directory) ? " is not one" : " does not exist"));
    }
    try {
      List<JobFolder> jobs =
          config == null
              ? JobFolder.in(directory)
              : configured(directory.toAbsolutePath().normalize(), config, command);
      if (jobs.size() == 1) {
        return jobs.get(0);
      }
      throw new Failure(
          jobs.isEmpty() ? none(directory, config) : several(directory, config, jobs));
    } catch (IOException e) {
      throw new Failure("Directory " + directory + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static String none(Path directory, @Nullable Path config) {
    return config == null
        ? "Below "
            + directory
            + " there is no job with a directory cycle/completed or cycle/contents. Give the job's"
            + " folder or its connection folder; with custom directories also --config CONFIG."
        : "No pipeline of "
            + config
            + " with the agent "
            + AGENT
            + " has its directories below "
            + directory
            + ". Give its connection folder.";
  }

  private static String several(Path directory, @Nullable Path config, List<JobFolder> jobs) {
    List<String> names =
        jobs.stream()
            .map(job -> job.connectionFolder().resolve(job.directories().job()).toString())
            .toList();
    return config == null
        ? "There are several jobs below " + directory + ". Give the folder of one: " + names
        : "Several pipelines of "
            + config
            + " have their directories below "
            + directory
            + ": "
            + names
            + ". Give a file with one of them.";
  }

  private static List<JobFolder> configured(Path directory, Path config, CommandSpec command) {
    List<PipelineConfig> pipelines;
    try {
      pipelines = ConfigFile.read(config, command).pipelines();
    } catch (ConfigException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
    List<JobFolder> jobs = new ArrayList<>();
    for (PipelineConfig pipeline : pipelines) {
      if (pipeline.agent().descriptor().id().equals(AGENT)) {
        CycleDirectories directories = directories(pipeline);
        connectionFolder(directory, directories)
            .ifPresent(folder -> jobs.add(new JobFolder(folder, directories)));
      }
    }
    return jobs;
  }

  private static CycleDirectories directories(PipelineConfig pipeline) {
    String job = text(pipeline, "taskTargetDirectory");
    return CycleDirectories.custom(
        job.isEmpty() ? SegmentText.of(pipeline.id()) : job,
        text(pipeline, "cycleCompletionDirectory"),
        text(pipeline, "cycleContentsDirectory"),
        List.of(text(pipeline, "dataDirectory"), text(pipeline, "schemaDirectory")));
  }

  private static String text(PipelineConfig pipeline, String name) {
    Optional<Setting<?>> setting = pipeline.agent().descriptor().settings().find(name);
    if (setting.isEmpty()) {
      throw new IllegalStateException("Agent " + AGENT + " has no setting " + Shown.of(name));
    }
    return pipeline.agentSettings().find(setting.get()).map(String::valueOf).orElse("");
  }

  /** The folder itself, or the one above the job's folder if it is that. */
  private static Optional<Path> connectionFolder(Path directory, CycleDirectories directories) {
    List<Path> candidates = new ArrayList<>(List.of(directory));
    if (directory.endsWith(Path.of(directories.job()))) {
      Path above = directory;
      for (int i = Path.of(directories.job()).getNameCount(); i > 0 && above != null; i--) {
        above = above.getParent();
      }
      if (above != null) {
        candidates.add(above);
      }
    }
    return candidates.stream()
        .filter(
            folder ->
                Files.isDirectory(folder.resolve(directories.completed()))
                    || Files.isDirectory(folder.resolve(directories.contents())))
        .findFirst();
  }
}
