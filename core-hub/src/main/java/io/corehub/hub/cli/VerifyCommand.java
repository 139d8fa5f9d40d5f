package io.corehub.hub.cli;

import io.corehub.agent.AgentException;
import io.corehub.agent.verify.FolderFiles;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.agent.verify.TargetVerifier;
import io.corehub.emulator.LandingZoneFolders;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.source.Shown;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "verify",
    description = {
      "Judges a landing zone by the rules of Open Mirroring, whoever wrote it: names and gaps,"
          + " metadata, row markers, types, columns against earlier files, keys, damaged files,"
          + " leftovers. Only reads.",
      "Prints one line for each violated rule, with its id, table and file. Errors (exit code 1) are"
          + " what Fabric would stop on, lose or misread; remarks (exit code 0) are leftovers and bad"
          + " style."
    })
final class VerifyCommand implements Callable<Integer> {

  /** Landing zones belong to this kind of target. */
  private static final String MIRRORING = "fabric-open-mirroring";

  @Parameters(
      index = "0",
      paramLabel = "LANDING-ZONE",
      description =
          "A folder that is a landing zone or holds one, or the URL of a live one with --config.")
  private String landingZone = "";

  @Option(
      names = "--config",
      paramLabel = "CONFIG",
      description =
          "For a URL: the configuration file (YAML) whose pipeline writes there and has the"
              + " credentials.")
  private @Nullable Path config;

  @Option(names = "--json", description = "Write one JSON object for each violated rule.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  /** What is judged, and by whom. */
  private record Target(TargetVerifier verifier, TargetFiles files) {}

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter err = command.commandLine().getErr();
    boolean live = config != null || landingZone.contains("://");
    Target target = live ? live(command) : local(command, err);
    ViolationLines lines = new ViolationLines(command.commandLine().getOut(), err, json, "table");
    try (TargetFiles files = target.files()) {
      target.verifier().verify(files, lines);
    } catch (IOException e) {
      throw new Failure("The landing zone cannot be read: " + e.getMessage(), e);
    }
    return lines.sum();
  }

  private Target local(CommandSpec command, PrintWriter err) {
    Path folder = path(command);
    if (!Files.isDirectory(folder)) {
      throw new ParameterException(
          command.commandLine(),
          "Folder " + folder + (Files.exists(folder) ? " is not one" : " does not exist"));
    }
    List<Path> zones;
    try {
      zones = LandingZoneFolders.below(folder);
    } catch (IOException e) {
      throw new Failure("Folder " + folder + " cannot be read: " + e.getMessage(), e);
    }
    if (zones.size() > 1) {
      throw new Failure("There are several landing zones below " + folder + ". Name one: " + zones);
    }
    Path zone = zones.get(0);
    if (!zone.equals(folder.toAbsolutePath().normalize())) {
      err.println("The landing zone is " + zone);
    }
    return new Target(verifier(MIRRORING), new FolderFiles(zone));
  }

  private Path path(CommandSpec command) {
    try {
      return Path.of(landingZone);
    } catch (InvalidPathException e) {
      throw new ParameterException(
          command.commandLine(), "Folder " + Shown.of(landingZone) + " does not exist", e);
    }
  }

  private Target live(CommandSpec command) {
    if (config == null) {
      throw new ParameterException(
          command.commandLine(),
          "A URL needs --config CONFIG: a file with a pipeline that writes there, for its"
              + " credentials");
    }
    HubConfig file;
    try {
      file = ConfigFile.read(config, command);
    } catch (ConfigException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
    Logging.start();
    for (PipelineConfig pipeline : file.pipelines()) {
      try {
        Optional<TargetFiles> files = pipeline.agent().files(pipeline.agentSettings(), landingZone);
        if (files.isPresent()) {
          return new Target(verifier(pipeline.agent().descriptor().id()), files.get());
        }
      } catch (AgentException e) {
        throw new Failure(pipeline.name() + ": " + e.getMessage(), e);
      }
    }
    throw new Failure(
        "No pipeline of "
            + config
            + " writes to "
            + Shown.of(landingZone)
            + ". Give the URL as the pipeline's settings have it, with GUIDs or names alike.");
  }

  private static TargetVerifier verifier(String agentId) {
    return ConfigFile.load(TargetVerifier.class).stream()
        .filter(verifier -> verifier.agentId().equals(agentId))
        .findFirst()
        .orElseThrow(
            () -> new Failure("No verifier for targets of agent " + agentId + " is installed."));
  }
}
