package io.corehub.lineage;

import io.corehub.agent.Finding;
import io.corehub.agent.Finding.Severity;
import io.corehub.agent.observe.ObservedPipeline;
import io.corehub.agent.observe.ObserverProvider;
import io.corehub.agent.observe.PipelineObserver;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.settings.SettingsSchema;
import io.openlineage.client.utils.UUIDUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Describes lineage and creates it for a pipeline. Thread-safe. */
public final class LineageProvider implements ObserverProvider {

  private final ClientSinks sinks = new ClientSinks();

  /** Creates the provider; used by {@link java.util.ServiceLoader}. */
  public LineageProvider() {}

  @Override
  public String key() {
    return "lineage";
  }

  @Override
  public String description() {
    return "Tells a lineage catalogue, by OpenLineage events, what is moved from where to where.";
  }

  @Override
  public SettingsSchema settings() {
    return LineageSettings.ALL;
  }

  @Override
  public List<SettingProblem> validate(Map<String, String> values) {
    List<SettingProblem> problems = new ArrayList<>(LineageSettings.ALL.validate(values));
    list(problems, values, LineageSettings.JOB_TAGS.name(), true);
    list(problems, values, LineageSettings.JOB_OWNERS.name(), false);
    return problems;
  }

  private static void list(
      List<SettingProblem> problems, Map<String, String> values, String name, boolean valueNeeded) {
    NamedValues.problem(name, values.getOrDefault(name, ""), valueNeeded)
        .ifPresent(message -> problems.add(new SettingProblem(name, message)));
  }

  @Override
  public List<Finding> check(Settings settings, ObservedPipeline pipeline) {
    if (!settings.get(LineageSettings.ENABLED)) {
      return List.of();
    }
    LineageConfig config = LineageConfig.of(settings, pipeline);
    return config.target().map(place -> List.of(named(config, place))).orElse(List.of());
  }

  private static Finding named(LineageConfig config, String place) {
    return config
        .naming()
        .obstacle(place)
        .map(
            why ->
                new Finding(
                    Severity.WARNING,
                    "lineage has no names for the tables of the target, and its events no output: "
                        + why))
        .orElseGet(
            () ->
                new Finding(
                    Severity.OK,
                    "lineage names the target's tables in "
                        + config
                            .naming()
                            .table(place + "/t", Optional.empty(), "t")
                            .map(table -> table.name().namespace())
                            .orElse("no namespace")));
  }

  @Override
  public Optional<PipelineObserver> observe(Settings settings, ObservedPipeline pipeline) {
    if (!settings.get(LineageSettings.ENABLED)) {
      return Optional.empty();
    }
    LineageConfig config = LineageConfig.of(settings, pipeline);
    Scrubber scrubber = new Scrubber(pipeline.secrets());
    return Optional.of(
        new PipelineLineage(
            config,
            scrubber,
            pipeline.clock(),
            UUIDUtils::generateNewUUID,
            (run, outbox, windows) ->
                new LineageEmitter(
                    config,
                    outbox,
                    windows,
                    () -> sinks.open(config.configFile()),
                    new EventFactory(config, pipeline.source(), run, Versions.ofJars()),
                    () -> OpenRuns.read(pipeline.memory()),
                    pipeline.clock(),
                    scrubber)));
  }
}
