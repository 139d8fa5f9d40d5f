package io.corehub.hub.cli;

import io.corehub.agent.AgentException;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.verify.TargetFiles;
import io.corehub.hub.compare.Comparison;
import io.corehub.hub.compare.PipelineComparison;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.source.PrivateFiles;
import io.corehub.hub.source.Shown;
import io.corehub.hub.source.SourceException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "compare",
    description = {
      "Counts and sums up the rows of every table of the source and of its mirrored table. Writes"
          + " nothing on either side, and may be used while the pipeline runs; what has not landed"
          + " yet then shows as a difference.",
      "The mirrored tables are worked out from all files of the landing zone, which are copied to this"
          + " machine for the time being. Fabric deletes files some days after it has applied them;"
          + " for a table whose first files are gone the command says so.",
      "Exit code 0: all tables are equal. 1: they are not, or a pipeline could not be compared; the"
          + " others are all the same."
    })
final class CompareCommand implements Callable<Integer> {

  /** The setting of an agent that says where its files are. */
  private static final String LOCATION = "landingZoneUrl";

  @Parameters(index = "0", paramLabel = "CONFIG", description = "Configuration file (YAML).")
  private @Nullable Path config;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter out = command.commandLine().getOut();
    HubConfig file;
    try {
      file = ConfigFile.read(Objects.requireNonNull(config), command);
    } catch (ConfigException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
    Logging.start();
    boolean agree = true;
    for (PipelineConfig pipeline : file.pipelines()) {
      out.println("Pipeline " + Shown.of(pipeline.name()));
      try {
        Comparison comparison = compare(pipeline);
        comparison.print(out);
        agree &= comparison.agrees();
      } catch (Failure e) {
        out.flush();
        command.commandLine().getErr().println(e.getMessage());
        agree = false;
      }
    }
    return agree ? ExitCode.DONE : ExitCode.ACTION_REQUIRED;
  }

  private static Comparison compare(PipelineConfig pipeline) throws InterruptedException {
    String name = Shown.of(pipeline.name());
    Path scratch = null;
    try (TargetFiles landed = landed(pipeline)) {
      scratch = Files.createTempDirectory("hub-compare-");
      return PipelineComparison.of(pipeline, landed, scratch);
    } catch (SourceException | AgentException e) {
      throw new Failure(name + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new Failure(name + ": the landing zone cannot be read: " + e.getMessage(), e);
    } finally {
      delete(scratch);
    }
  }

  private static TargetFiles landed(PipelineConfig pipeline) {
    Optional<Setting<?>> setting = pipeline.agent().descriptor().settings().find(LOCATION);
    return setting
        .flatMap(known -> pipeline.agentSettings().find(known))
        .flatMap(at -> pipeline.agent().files(pipeline.agentSettings(), at.toString()))
        .orElseThrow(
            () ->
                new Failure(
                    Shown.of(pipeline.name())
                        + ": agent '"
                        + pipeline.agent().descriptor().id()
                        + "' has no mirrored tables that could be compared."));
  }

  private static void delete(@Nullable Path scratch) {
    try {
      if (scratch != null) {
        PrivateFiles.deleteDirectory(scratch);
      }
    } catch (IOException e) {
      throw new Failure("Delete " + scratch + " by hand: " + e.getMessage(), e);
    }
  }
}
