package io.corehub.hub.cli;

import io.corehub.agent.AgentAction;
import io.corehub.agent.AgentException;
import io.corehub.agent.HandedOver;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.Successor;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.control.ControlClient;
import io.corehub.hub.control.ControlException;
import io.corehub.hub.pipeline.AgentVisit;
import io.corehub.hub.source.Shown;
import io.corehub.hub.state.StateDirectory;
import io.corehub.hub.state.StateException;
import io.corehub.hub.state.StateLook;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "handover",
    description = {
      "Hands every table of a pipeline over to another pipeline, which alone may go on with it,"
          + " behind what is published: no new snapshot, no row lost or twice.",
      "A hub that runs stops the pipeline first, and goes on with its others. Every table must be"
          + " whole up to a commit; otherwise none is handed over. Killed in between, it is called"
          + " again."
    })
final class HandoverCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "CONFIG", description = "Configuration file (YAML).")
  private @Nullable Path config;

  @Option(
      names = "--to",
      paramLabel = "PIPELINE-ID",
      required = true,
      description = "The id of the pipeline that goes on: its 'id', or its 'name' without one.")
  private @Nullable String to;

  @Option(
      names = "--pipeline",
      paramLabel = "NAME",
      description = "The pipeline that gives its tables away, if CONFIG has several.")
  private @Nullable String pipelineName;

  @ArgGroup(exclusive = false)
  private @Nullable Begin begin;

  @Spec private @Nullable CommandSpec spec;

  /** Where a pipeline begins whose source counts positions otherwise. */
  static final class Begin {
    @Option(
        names = "--timeline",
        paramLabel = "TIMELINE",
        required = true,
        description =
            "Only if the other pipeline's source counts positions otherwise: the timeline of its"
                + " positions.")
    private @Nullable String timeline;

    @Option(
        names = "--from",
        paramLabel = "POSITION",
        required = true,
        description = "The first commit on that timeline that is not in the tables yet.")
    private @Nullable String from;
  }

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    Successor successor = successor(command);
    try {
      HubConfig file = ConfigFile.read(Objects.requireNonNull(config), command);
      PipelineConfig pipeline = pipeline(file);
      Logging.start();
      List<HandedOver> tables = handOver(file, pipeline, successor, command.commandLine().getErr());
      print(pipeline, successor, tables, command.commandLine().getOut());
      return ExitCode.DONE;
    } catch (ConfigException | AgentException | StateException | ControlException e) {
      throw new Failure(String.valueOf(e.getMessage()), e);
    }
  }

  private static List<HandedOver> handOver(
      HubConfig file, PipelineConfig pipeline, Successor successor, PrintWriter err)
      throws InterruptedException {
    if (new StateLook(file.stateDirectory()).inUse()
        && ControlClient.reaches(file.stateDirectory())) {
      err.println(
          "The hub is running: pipeline " + Shown.of(pipeline.name()) + " is stopped first.");
      return ControlClient.handOver(file.stateDirectory(), pipeline.id(), successor);
    }
    try (StateDirectory state = OneTable.lock(file)) {
      return AgentVisit.run(pipeline, state, Clock.systemUTC(), agent -> agent.handOver(successor));
    }
  }

  private Successor successor(CommandSpec command) {
    try {
      return new Successor(
          Objects.requireNonNull(to), Optional.ofNullable(begin).map(HandoverCommand::position));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage() + ".", e);
    }
  }

  private static SourcePosition position(Begin begin) {
    String from = Objects.requireNonNull(begin.from);
    try {
      return new SourcePosition(
          Objects.requireNonNull(begin.timeline), Long.parseUnsignedLong(from), "");
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("--from '" + Shown.of(from) + "' is no position", e);
    }
  }

  private PipelineConfig pipeline(HubConfig file) {
    List<PipelineConfig> named =
        file.pipelines().stream()
            .filter(p -> pipelineName == null || p.name().equals(pipelineName))
            .toList();
    List<String> names = file.pipelines().stream().map(p -> Shown.of(p.name())).toList();
    if (named.isEmpty()) {
      throw new Failure(
          "No pipeline is called '"
              + Shown.of(String.valueOf(pipelineName))
              + "'. Pipelines are "
              + names
              + "; upper and lower case count.");
    }
    if (named.size() > 1) {
      throw new Failure("Say with --pipeline which of " + names + " gives its tables away.");
    }
    PipelineConfig pipeline = named.get(0);
    if (!pipeline.agent().descriptor().actions().contains(AgentAction.HAND_OVER)) {
      throw new Failure(
          "Agent '"
              + pipeline.agent().descriptor().id()
              + "' of pipeline "
              + Shown.of(pipeline.name())
              + " cannot hand tables over.");
    }
    return pipeline;
  }

  private static void print(
      PipelineConfig pipeline, Successor successor, List<HandedOver> tables, PrintWriter out) {
    String name = Shown.of(pipeline.name());
    if (tables.isEmpty()) {
      out.println(name + ": no table stands in the target, so none is handed over");
    }
    for (HandedOver one : tables) {
      out.println(
          name
              + ": table "
              + Shown.of(one.table().toString())
              + (one.earlier() ? " was handed over before" : " is handed over")
              + " to '"
              + Shown.of(successor.pipeline())
              + "' from position "
              + one.begin()
              + " of timeline '"
              + Shown.of(one.begin().timeline())
              + "'");
    }
  }
}
