package io.corehub.hub.cli;

import io.corehub.agent.AgentAction;
import io.corehub.agent.AgentException;
import io.corehub.agent.table.TableId;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.pipeline.AgentVisit;
import io.corehub.hub.source.Shown;
import io.corehub.hub.state.StateDirectory;
import io.corehub.hub.state.StateException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "recreate-table",
    description = {
      "Deletes a table in the target with all its rows, so that the next run loads it anew: the"
          + " remedy for a changed type or key, or for a table that differs from its source.",
      "Waits until the target has dropped the table. Works while the pipeline does not run; asks"
          + " nothing. Killed in between, it is carried to its end by the next run."
    })
final class RecreateTableCommand implements Callable<Integer> {

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

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    TableId id = table(command);
    try {
      HubConfig file = ConfigFile.read(Objects.requireNonNull(config), command);
      PipelineConfig pipeline = pipeline(file, id);
      Logging.start();
      try (StateDirectory state = StateDirectory.lock(file.stateDirectory())) {
        recreate(
            pipeline, state, id, command.commandLine().getOut(), command.commandLine().getErr());
      }
      return ExitCode.DONE;
    } catch (ConfigException | AgentException | StateException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
  }

  private TableId table(CommandSpec command) {
    try {
      return TableId.parse(Objects.requireNonNull(table));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private PipelineConfig pipeline(HubConfig file, TableId id) {
    List<PipelineConfig> with =
        file.pipelines().stream()
            .filter(p -> pipelineName == null || p.name().equals(pipelineName))
            .filter(p -> p.tables().selects(id))
            .toList();
    if (with.size() == 1) {
      return offering(with.get(0));
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

  private static PipelineConfig offering(PipelineConfig pipeline) {
    if (!pipeline.agent().descriptor().actions().contains(AgentAction.RECREATE_TABLE)) {
      throw new Failure(
          "Agent '"
              + pipeline.agent().descriptor().id()
              + "' of pipeline "
              + Shown.of(pipeline.name())
              + " cannot re-create tables.");
    }
    return pipeline;
  }

  private static void recreate(
      PipelineConfig pipeline, StateDirectory state, TableId id, PrintWriter out, PrintWriter err)
      throws InterruptedException {
    String shown = Shown.of(id.toString());
    String name = Shown.of(pipeline.name());
    err.println(name + ": table " + shown + " is taken out of the target");
    boolean held =
        AgentVisit.run(pipeline, state, Clock.systemUTC(), agent -> agent.recreateTable(id));
    out.println(
        name
            + ": "
            + (held
                ? "table " + shown + " is gone; the next run loads it anew"
                : "the target held nothing of table "
                    + shown
                    + ", so nothing was deleted; is that its name?"));
  }
}
