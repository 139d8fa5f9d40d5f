package io.corehub.hub.cli;

import io.corehub.agent.table.TableId;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.source.Shown;
import io.corehub.hub.state.StateDirectory;
import io.corehub.hub.state.StateLook;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The arguments of a command for one table of a pipeline that does not run. */
final class OneTable {

  @Parameters(index = "0", paramLabel = "CONFIG", description = "Configuration file (YAML).")
  private @Nullable Path config;

  @Parameters(
      index = "1",
      paramLabel = "TABLE",
      description = "The table, as the pipeline knows it: 'schema.name', or 'name' without schema.")
  private @Nullable String table;

  @Option(
      names = "--pipeline",
      paramLabel = "NAME",
      description = "The pipeline, if several have a table of this name.")
  private @Nullable String pipelineName;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  HubConfig readConfig() throws ConfigException {
    return ConfigFile.read(Objects.requireNonNull(config), Objects.requireNonNull(spec));
  }

  TableId id() {
    try {
      return TableId.parse(Objects.requireNonNull(table));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** The one pipeline that has the table. */
  PipelineConfig pipeline(HubConfig file) {
    TableId id = id();
    List<PipelineConfig> with =
        file.pipelines().stream()
            .filter(p -> pipelineName == null || p.name().equals(pipelineName))
            .filter(p -> p.tables().selects(id))
            .toList();
    if (with.size() == 1) {
      return with.get(0);
    }
    String shown = Shown.of(id.toString());
    List<String> names = file.pipelines().stream().map(p -> Shown.of(p.name())).toList();
    if (with.isEmpty()) {
      throw new Failure(
          (pipelineName == null ? "No pipeline" : "No pipeline '" + Shown.of(pipelineName) + "'")
              + " selects table "
              + shown
              + ". Pipelines are "
              + names
              + "; upper and lower case count.");
    }
    throw new Failure(
        "Pipelines "
            + with.stream().map(p -> Shown.of(p.name())).toList()
            + " may have a table "
            + shown
            + ". Say which with --pipeline.");
  }

  /** The state directory, which no hub may use meanwhile. */
  static StateDirectory lock(HubConfig file) {
    if (new StateLook(file.stateDirectory()).inUse()) {
      throw new Failure(
          "Another hub uses the state directory "
              + file.stateDirectory()
              + ": its pipelines run. Stop it, and run this command again.");
    }
    return StateDirectory.lock(file.stateDirectory());
  }
}
