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
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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

  @Mixin private OneTable one = new OneTable();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    TableId id = one.id();
    try {
      HubConfig file = one.readConfig();
      PipelineConfig pipeline = offering(one.pipeline(file));
      Logging.start();
      try (StateDirectory state = OneTable.lock(file)) {
        recreate(
            pipeline, state, id, command.commandLine().getOut(), command.commandLine().getErr());
      }
      return ExitCode.DONE;
    } catch (ConfigException | AgentException | StateException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
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
