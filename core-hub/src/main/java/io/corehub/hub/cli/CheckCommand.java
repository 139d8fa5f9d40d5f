package io.corehub.hub.cli;

import io.corehub.agent.AgentAction;
import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentException;
import io.corehub.agent.Finding;
import io.corehub.agent.Finding.Severity;
import io.corehub.agent.Meters;
import io.corehub.agent.ProbeFinding;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.settings.Nearest;
import io.corehub.agent.table.TableId;
import io.corehub.hub.config.ConfigException;
import io.corehub.hub.config.ConfigProblem;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.config.TableSelection;
import io.corehub.hub.pipeline.ObserverChecks;
import io.corehub.hub.source.Shown;
import io.corehub.hub.source.Source;
import io.corehub.hub.source.SourceContext;
import io.corehub.hub.source.SourceException;
import io.corehub.hub.source.TableOutline;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    name = "check",
    description = {
      "Validates every setting, looks at the source, signs in and looks at the landing zone.",
      "Prints one line for each finding, and what to change; writes nothing.",
      "With --live it also puts to the test, in the target itself, what the protocol takes for"
          + " granted of it. That writes to folders called corehub_probe_<time>_<id> and deletes them"
          + " again, also when it is interrupted; what a killed check left behind is deleted by a"
          + " later one. No other table is touched."
    })
final class CheckCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "CONFIG", description = "Configuration file (YAML).")
  private @Nullable Path config;

  @Option(names = "--live", description = "Also run probes in the target; see above.")
  private boolean live;

  @Option(
      names = "--live-seconds",
      paramLabel = "N",
      defaultValue = "300",
      description =
          "Longest time to wait for what the target does by itself (default: ${DEFAULT-VALUE}).")
  private int liveSeconds = 300;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    if (liveSeconds < 1) {
      throw new ParameterException(
          command.commandLine(), "--live-seconds is " + liveSeconds + ", but must be at least 1");
    }
    HubConfig file;
    try {
      file = ConfigFile.read(Objects.requireNonNull(config), command);
    } catch (ConfigException e) {
      for (ConfigProblem problem : e.problems()) {
        out.println(
            problem.pipeline().orElse("hub")
                + ": error: "
                + oneLine(problem.message())
                + (problem.line() > 0 ? " (line " + problem.line() + ")" : ""));
      }
      return sum(e.problems().size(), err);
    }
    Logging.start();
    Lines lines = new Lines(out, err);
    for (PipelineConfig pipeline : file.pipelines()) {
      long before = lines.errors;
      for (Finding finding : check(file, pipeline)) {
        lines.tell(pipeline, finding.severity(), finding.message());
      }
      if (live && lines.errors == before) {
        probe(pipeline, lines);
      } else if (live) {
        err.println(Shown.of(pipeline.name()) + ": not probed, since it cannot be used yet");
      }
    }
    lines.sumOfProbes();
    return sum(lines.errors, err);
  }

  private void probe(PipelineConfig pipeline, Lines lines) throws InterruptedException {
    if (!pipeline.agent().descriptor().actions().contains(AgentAction.PROBE_TARGET)) {
      lines.tell(
          pipeline,
          Severity.WARNING,
          "agent '" + pipeline.agent().descriptor().id() + "' has no probes of its target");
      return;
    }
    try (TargetAgent agent = agent(pipeline)) {
      StopOnSignal.during(
          lines.err,
          "the folders of the probes are deleted",
          () ->
              agent.probe(
                  Duration.ofSeconds(liveSeconds), finding -> lines.tell(pipeline, finding)));
    } catch (AgentException e) {
      lines.tell(pipeline, Severity.ERROR, String.valueOf(e.getMessage()));
    }
  }

  /** Writes what is found, and counts it. */
  private static final class Lines {
    private final PrintWriter out;
    private final PrintWriter err;
    private int errors;
    private int held;
    private int refuted;
    private int undecided;

    Lines(PrintWriter out, PrintWriter err) {
      this.out = out;
      this.err = err;
    }

    void tell(PipelineConfig pipeline, Severity severity, String message) {
      errors += severity == Severity.ERROR ? 1 : 0;
      out.println(
          pipeline.name()
              + ": "
              + severity.name().toLowerCase(Locale.ROOT)
              + ": "
              + oneLine(message));
      out.flush();
    }

    void tell(PipelineConfig pipeline, ProbeFinding finding) {
      if (finding.probe().isEmpty()) {
        tell(pipeline, finding.severity(), finding.message());
        return;
      }
      switch (finding.severity()) {
        case OK -> held++;
        case WARNING -> undecided++;
        case ERROR -> refuted++;
      }
      tell(pipeline, finding.severity(), "probe " + finding.probe() + ": " + finding.message());
    }

    void sumOfProbes() {
      if (held + refuted + undecided > 0) {
        err.println(
            "Of "
                + (held + refuted + undecided)
                + " assumptions "
                + held
                + " held, "
                + refuted
                + " did not, and "
                + undecided
                + " cost nothing or were not decided.");
      }
    }
  }

  private static int sum(int errors, PrintWriter err) {
    err.println(
        errors == 0
            ? "Nothing needs to be changed."
            : errors + (errors == 1 ? " finding needs" : " findings need") + " a change.");
    return errors == 0 ? ExitCode.DONE : ExitCode.ACTION_REQUIRED;
  }

  private static List<Finding> check(HubConfig file, PipelineConfig pipeline)
      throws InterruptedException {
    List<Finding> findings = new ArrayList<>();
    Source source =
        pipeline
            .source()
            .create(
                pipeline.sourceSettings(),
                new SourceContext(
                    pipeline.id(),
                    file.stateDirectory(),
                    Optional.empty(),
                    pipeline.agent().descriptor().beforeImage(),
                    pipeline.tables()::selects,
                    1 << 20,
                    Clock.systemUTC(),
                    Meters.NONE));
    try (source) {
      findings.addAll(source.check());
      if (findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR)) {
        source.tables().ifPresent(known -> findings.addAll(selection(pipeline.tables(), known)));
      }
    } catch (SourceException e) {
      findings.add(new Finding(Severity.ERROR, String.valueOf(e.getMessage())));
    }
    try (TargetAgent agent = agent(pipeline)) {
      findings.addAll(agent.check());
    } catch (AgentException e) {
      findings.add(new Finding(Severity.ERROR, String.valueOf(e.getMessage())));
    }
    findings.addAll(ObserverChecks.of(file, pipeline));
    return findings;
  }

  private static TargetAgent agent(PipelineConfig pipeline) {
    return pipeline
        .agent()
        .create(
            pipeline.agentSettings(),
            new AgentContext(
                pipeline.id(),
                0,
                pipeline.source().type(),
                "",
                new DeafListener(),
                Clock.systemUTC(),
                Meters.NONE));
  }

  /** Entries of {@code tables} that concern none of the source's tables, or do not fit them. */
  private static List<Finding> selection(TableSelection selection, List<TableOutline> outlines) {
    List<TableId> known = outlines.stream().map(TableOutline::table).distinct().toList();
    List<String> names = known.stream().map(TableId::toString).sorted().toList();
    List<Finding> findings = new ArrayList<>();
    for (TableSelection.Rule rule : selection.concerningNothing(known)) {
      String name = rule.pattern().toString();
      boolean exact = rule.pattern().exact();
      findings.add(
          new Finding(
              exact && !rule.exclude() ? Severity.ERROR : Severity.WARNING,
              "'tables' "
                  + (rule.exclude() ? "excludes " : "names ")
                  + Shown.of(name)
                  + ", which "
                  + (exact ? "the source does not have." : "matches no table of the source.")
                  + Nearest.of(name, names)
                      .map(near -> " Did you mean '" + Shown.of(near) + "'?")
                      .orElse("")
                  + " It has: "
                  + Shown.of(String.join(", ", names))
                  + "."));
    }
    outlines.stream()
        .filter(outline -> selection.selects(outline.table()))
        .flatMap(
            outline -> selection.misfit(outline.table(), outline.columns(), outline.key()).stream())
        .distinct()
        .forEach(misfit -> findings.add(new Finding(Severity.ERROR, misfit)));
    return findings;
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ");
  }
}
