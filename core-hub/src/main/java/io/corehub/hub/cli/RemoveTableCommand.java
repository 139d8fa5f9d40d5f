package io.corehub.hub.cli;

import io.corehub.agent.AgentAction;
import io.corehub.agent.AgentException;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.settings.Nearest;
import io.corehub.agent.table.TableId;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.pipeline.AgentVisit;
import io.corehub.hub.source.Shown;
import io.corehub.hub.state.PipelineState;
import io.corehub.hub.state.StateDirectory;
import io.corehub.hub.state.StateException;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "remove-table",
    description = {
      "Takes a stopped table out of its pipeline, so that the confirmed position no longer waits for"
          + " it: the next run goes on without it.",
      "What stands in the target stays as it is. Rows of the table may be missing from then on, so it"
          + " is shown as stopped until 'recreate-table' has it loaded anew, or the configuration"
          + " leaves it out. Works while the pipeline does not run; twice is the same as once."
    })
final class RemoveTableCommand implements Callable<Integer> {

  @Mixin private OneTable one = new OneTable();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    TableId id = one.id();
    try {
      HubConfig file = one.readConfig();
      PipelineConfig pipeline = one.pipeline(file);
      Logging.start();
      try (StateDirectory state = OneTable.lock(file)) {
        Set<String> stopped = state.notesOf(pipeline.id()).read().stopped().keySet();
        PipelineState known = state.stateOf(pipeline.id()).read();
        AgentVisit.run(
            pipeline,
            state,
            Clock.systemUTC(),
            agent -> {
              if (!stopped.contains(id.toString())) {
                requireSeen(pipeline, id, agent, known, stopped);
              }
              agent.removeTable(id);
              return id;
            });
        tell(pipeline, id, known);
      }
      return ExitCode.DONE;
    } catch (ConfigException | AgentException | StateException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
  }

  /** A table that did not stop must stand in the target: otherwise the name is mistyped. */
  private static void requireSeen(
      PipelineConfig pipeline,
      TableId id,
      TargetAgent agent,
      PipelineState known,
      Set<String> stopped)
      throws InterruptedException {
    Set<String> seen = new TreeSet<>(stopped);
    for (TableStatus status : agent.look(known.resumePoint(false))) {
      seen.add(status.table().toString());
    }
    if (seen.contains(id.toString())) {
      return;
    }
    String name = Shown.of(pipeline.name());
    throw new Failure(
        "Pipeline "
            + name
            + " has never seen table "
            + Shown.of(id.toString())
            + ": it did not stop in the last run, and nothing of it stands in the target. "
            + Nearest.of(id.toString(), seen)
                .map(near -> "Did you mean '" + Shown.of(near) + "'? ")
                .orElse("")
            + (seen.isEmpty()
                ? "The pipeline has seen no table yet."
                : "It has seen "
                    + seen.stream().limit(20).map(Shown::of).toList()
                    + (seen.size() > 20 ? " and " + (seen.size() - 20) + " more" : "")
                    + "; upper and lower case count.")
            + " A table that is not to be mirrored is left out by "
            + excluded(id)
            + ".");
  }

  private static String excluded(TableId id) {
    return "'tables: [{ name: " + Shown.of(id.toString()) + ", exclude: true }]'";
  }

  private void tell(PipelineConfig pipeline, TableId id, PipelineState known) {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    String table = Shown.of(id.toString());
    out.println(
        Shown.of(pipeline.name())
            + ": table "
            + table
            + " is removed: the next run goes on without it"
            + known.confirmed().map(at -> ", from position " + at).orElse("")
            + ".");
    out.println("What stands in the target stays as it is. The table is shown as stopped");
    if (pipeline.agent().descriptor().actions().contains(AgentAction.RECREATE_TABLE)) {
      out.println(
          "- until 'hub recreate-table' takes it out of the target, so that it is loaded anew, or");
    }
    out.println("- until the configuration leaves it out: " + excluded(id) + ".");
  }
}
