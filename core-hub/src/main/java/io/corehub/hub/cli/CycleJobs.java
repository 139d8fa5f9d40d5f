package io.corehub.hub.cli;

import io.corehub.agent.AgentException;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.verify.FolderFiles;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.cyclereader.CycleDirectories;
import io.corehub.cyclereader.JobFolder;
import io.corehub.cyclereader.SegmentText;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.source.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
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

  /** An address with a scheme; one letter and a colon are a drive. */
  private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

  private CycleJobs() {}

  /**
   * A job that was found.
   *
   * @param directories where its files lie
   * @param files what lies in its connection folder; belongs to the command
   * @param described the job in words
   */
  record Found(CycleDirectories directories, TargetFiles files, String described) {}

  /**
   * The job that a folder is or holds, or that a pipeline writes.
   *
   * @param location what the command was given: a folder or a URL; null for the job of the one
   *     pipeline of the file
   * @param config the configuration file that tells custom directories or has the credentials, if
   *     one was given
   * @throws ParameterException if there is no such folder or file
   * @throws Failure if the folder holds no job, or several
   */
  static Found find(@Nullable String location, @Nullable Path config, CommandSpec command) {
    if (location == null || URL.matcher(location).matches()) {
      return written(location, config, command);
    }
    Path directory = directory(location, command);
    try {
      List<JobFolder> jobs =
          config == null
              ? JobFolder.in(directory)
              : configured(directory.toAbsolutePath().normalize(), config, command);
      if (jobs.size() == 1) {
        JobFolder job = jobs.get(0);
        return new Found(
            job.directories(),
            new FolderFiles(job.connectionFolder()),
            job.directories().job() + " below " + job.connectionFolder());
      }
      throw new Failure(
          jobs.isEmpty() ? none(directory, config) : several(directory, config, jobs));
    } catch (IOException e) {
      throw new Failure("Directory " + directory + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static Path directory(String location, CommandSpec command) {
    try {
      Path directory = Path.of(location);
      if (Files.isDirectory(directory)) {
        return directory;
      }
      throw new ParameterException(
          command.commandLine(),
          "Directory " + directory + (Files.exists(directory) ? " is not one" : " does not exist"));
    } catch (InvalidPathException e) {
      throw new ParameterException(
          command.commandLine(), "Directory " + Shown.of(location) + " does not exist", e);
    }
  }

  /** The job of a pipeline, in its storage. */
  private static Found written(
      @Nullable String location, @Nullable Path config, CommandSpec command) {
    if (config == null) {
      throw new ParameterException(
          command.commandLine(),
          location == null
              ? "Give the folder of a job, or --config CONFIG with the pipeline that writes it"
              : "A URL needs --config CONFIG: a file with a pipeline that writes there, for its"
                  + " credentials");
    }
    Logging.start();
    List<PipelineConfig> pipelines = pipelines(config, command);
    List<PipelineConfig> near =
        pipelines.stream().filter(pipeline -> reaches(pipeline, location)).toList();
    List<PipelineConfig> named =
        near.stream().filter(pipeline -> names(location, directories(pipeline).job())).toList();
    List<PipelineConfig> chosen = near.size() > 1 && !named.isEmpty() ? named : near;
    if (chosen.size() == 1) {
      PipelineConfig pipeline = chosen.get(0);
      CycleDirectories directories = directories(pipeline);
      return new Found(
          directories,
          files(pipeline, location).orElseThrow(),
          directories.job() + " of pipeline " + Shown.of(pipeline.name()));
    }
    String of = " of " + config + " with the agent " + AGENT;
    String target = location == null ? "" : " to " + Shown.of(location);
    throw new Failure(
        chosen.isEmpty()
            ? "No pipeline"
                + of
                + " writes"
                + target
                + (location == null
                    ? "."
                    : ". Give the URL as the pipeline's settings have it, with GUIDs or names alike.")
            : "Several pipelines"
                + of
                + " write"
                + target
                + ": "
                + chosen.stream().map(pipeline -> Shown.of(pipeline.name())).toList()
                + ". Give the URL of a job's folder, which is one of "
                + chosen.stream().map(pipeline -> directories(pipeline).job()).toList()
                + ".");
  }

  private static boolean names(@Nullable String location, String job) {
    return location != null && folder(location).endsWith("/" + job);
  }

  /** The URL without slashes at its end. */
  private static String folder(String location) {
    return location.replaceFirst("/+$", "");
  }

  private static boolean reaches(PipelineConfig pipeline, @Nullable String location) {
    Optional<TargetFiles> files = files(pipeline, location);
    files.ifPresent(TargetFiles::close);
    return files.isPresent();
  }

  /** The files of a pipeline's connection folder, if that, its job's or one above it is meant. */
  private static Optional<TargetFiles> files(PipelineConfig pipeline, @Nullable String location) {
    String job = directories(pipeline).job();
    String above =
        location == null
            ? text(pipeline, "storageUrl")
            : names(location, job)
                ? folder(location).substring(0, folder(location).length() - job.length())
                : location;
    try {
      return pipeline.agent().files(pipeline.agentSettings(), above);
    } catch (AgentException e) {
      throw new Failure(Shown.of(pipeline.name()) + ": " + e.getMessage(), e);
    }
  }

  private static List<PipelineConfig> pipelines(Path config, CommandSpec command) {
    try {
      return ConfigFile.read(config, command).pipelines().stream()
          .filter(pipeline -> pipeline.agent().descriptor().id().equals(AGENT))
          .toList();
    } catch (ConfigException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
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
    List<JobFolder> jobs = new ArrayList<>();
    for (PipelineConfig pipeline : pipelines(config, command)) {
      CycleDirectories directories = directories(pipeline);
      connectionFolder(directory, directories)
          .ifPresent(folder -> jobs.add(new JobFolder(folder, directories)));
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
