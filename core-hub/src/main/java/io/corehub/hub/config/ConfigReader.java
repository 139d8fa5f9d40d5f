package io.corehub.hub.config;

import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.observe.ObserverProvider;
import io.corehub.agent.settings.Nearest;
import io.corehub.hub.source.SourceProvider;
import io.corehub.hub.state.StateDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads a configuration file and finds everything wrong with it at once. Confined to one caller;
 * one reader reads one file.
 *
 * <p>Nothing in the file is turned into an object by its YAML tag: values are taken as the text
 * they are written as.
 */
public final class ConfigReader {

  private static final Set<String> ROOT_KEYS = YamlMap.keys("hub", "pipelines");
  private static final Set<String> HUB_KEYS = YamlMap.keys("stateDirectory", "name", "web");
  private static final Set<String> PIPELINE_KEYS =
      YamlMap.keys("name", "id", "source", "target", "tables");
  private static final Set<String> TARGET_KEYS = YamlMap.keys("agent", "settings");

  private final Path file;
  private final Path directory;
  private final Map<String, SourceProvider> sources;
  private final Map<String, TargetAgentProvider> agents;
  private final ConfigProblems problems;
  private final SettingValues values;
  private final ObserverKeys observers;
  private final TablesReader tables;

  /**
   * A reader of one file.
   *
   * @param file the file
   * @param environment environment variables
   * @param sources the kinds of sources there are
   * @param agents the kinds of agents there are
   * @param observers what may watch a pipeline
   */
  public ConfigReader(
      Path file,
      Map<String, String> environment,
      Collection<SourceProvider> sources,
      Collection<TargetAgentProvider> agents,
      Collection<ObserverProvider> observers) {
    this.file = file;
    this.directory = Objects.requireNonNull(file.toAbsolutePath().normalize().getParent());
    this.problems = new ConfigProblems(new Placeholders(environment, directory));
    this.values = new SettingValues(directory, problems);
    this.tables = new TablesReader(values, problems);
    this.sources = byName(sources, SourceProvider::type);
    this.agents = byName(agents, agent -> agent.descriptor().id());
    this.observers = new ObserverKeys(byName(observers, ObserverProvider::key), values, problems);
  }

  /**
   * Reads the file.
   *
   * @return what it says
   * @throws ConfigException with everything that is wrong with it
   */
  public HubConfig read() throws ConfigException {
    Optional<HubConfig> config = YamlFile.root(file, problems).map(this::hub);
    if (config.isEmpty() || !problems.none()) {
      throw new ConfigException(file, problems.all());
    }
    return config.get();
  }

  private HubConfig hub(Node root) {
    YamlMap map = YamlMap.of(root, "", problems);
    map.allowOnly(ROOT_KEYS);
    YamlMap hub = map.map("hub");
    hub.allowOnly(observers.with(HUB_KEYS));
    observers.ofHub(hub);
    List<PipelineConfig> pipelines = new ArrayList<>();
    List<Node> nodes = map.items("pipelines");
    if (nodes.isEmpty() && problems.none()) {
      problems.problem(map.line(), "the file has no pipeline; add one below 'pipelines'");
    }
    Set<String> names = new LinkedHashSet<>();
    Set<String> ids = new LinkedHashSet<>();
    for (Node node : nodes) {
      pipeline(node, names, ids).ifPresent(pipelines::add);
    }
    problems.of(Optional.empty());
    return new HubConfig(
        file,
        hub.text("name").orElse("core-hub"),
        values.path(hub, "stateDirectory").orElse(directory.resolve("state")),
        hub.keys().contains("web")
            ? Optional.of(WebKeys.read(hub.map("web"), problems))
            : Optional.empty(),
        pipelines);
  }

  private Optional<PipelineConfig> pipeline(Node node, Set<String> names, Set<String> ids) {
    problems.of(Optional.empty());
    YamlMap map = YamlMap.of(node, "", problems);
    Optional<String> name = map.text("name").filter(text -> !text.isBlank());
    if (name.isEmpty()) {
      problems.problem(map.line(), "a pipeline has no 'name'; give it one");
    }
    problems.of(name);
    map.allowOnly(observers.with(PIPELINE_KEYS));
    String id = map.text("id").or(() -> name).orElse("");
    if (name.isPresent() && !names.add(name.get())) {
      problems.problem(map.line(), "there is another pipeline of this name; names must differ");
    }
    int length = StateDirectory.fileName(id).length();
    if (length > StateDirectory.LONGEST_FILE_NAME) {
      problems.problem(
          map.line(),
          "the id (the name, unless 'id' is given) takes "
              + length
              + " characters in the name of a file, and may take "
              + StateDirectory.LONGEST_FILE_NAME
              + " (letters, digits, '-' and '_' take one, others three for each byte); give a"
              + " shorter 'id'");
    }
    if (!id.isEmpty() && !ids.add(id)) {
      problems.problem(
          map.line(), "there is another pipeline with id '" + id + "'; ids must differ");
    }
    List<ObserverConfig> watching = observers.ofPipeline(map);
    Optional<SourceProvider> source = source(map);
    Map<String, String> sourceValues = sourceValues(map, source);
    YamlMap target = map.map("target");
    target.allowOnly(TARGET_KEYS);
    Optional<TargetAgentProvider> agent = agent(map, target);
    Map<String, String> agentValues = agentValues(target, agent);
    Optional<TableSelection> selected = tables.of(map, agent);
    if (source.isEmpty() || agent.isEmpty() || selected.isEmpty() || !problems.none()) {
      return Optional.empty();
    }
    return Optional.of(
        new PipelineConfig(
            name.orElse(""),
            id,
            source.get(),
            source.get().settings().parse(sourceValues),
            agent.get(),
            agent.get().descriptor().settings().parse(agentValues),
            selected.get(),
            watching));
  }

  private Optional<SourceProvider> source(YamlMap pipelineMap) {
    if (!pipelineMap.has("source")) {
      problems.problem(pipelineMap.line(), "'source' is missing; name its 'type' and settings");
      return Optional.empty();
    }
    YamlMap map = pipelineMap.map("source");
    return choose(map, "source.type", map.text("type"), sources, "type of source");
  }

  private Map<String, String> sourceValues(YamlMap pipelineMap, Optional<SourceProvider> source) {
    if (source.isEmpty()) {
      return Map.of();
    }
    YamlMap map = pipelineMap.map("source");
    Map<String, String> given = values.of(map, source.get().settings(), Set.of("type"));
    problems.settings(map, source.get().validate(given));
    return given;
  }

  private Optional<TargetAgentProvider> agent(YamlMap pipelineMap, YamlMap target) {
    if (!pipelineMap.has("target")) {
      problems.problem(pipelineMap.line(), "'target' is missing; name its 'agent' and 'settings'");
      return Optional.empty();
    }
    return choose(target, "target.agent", target.text("agent"), agents, "agent");
  }

  private Map<String, String> agentValues(YamlMap target, Optional<TargetAgentProvider> agent) {
    if (agent.isEmpty()) {
      return Map.of();
    }
    YamlMap map = target.map("settings");
    AgentDescriptor descriptor = agent.get().descriptor();
    Map<String, String> given = values.of(map, descriptor.settings(), Set.of());
    problems.settings(
        map,
        TablesReader.misplaced(
            agent.get().validate(given),
            descriptor.settings(),
            descriptor.tableSettings(),
            "is a setting of tables: put it under 'settings' of an entry of 'tables' (name: \"*\" names"
                + " them all)"));
    return given;
  }

  private <T> Optional<T> choose(
      YamlMap map, String at, Optional<String> name, Map<String, T> known, String what) {
    if (name.isEmpty()) {
      problems.problem(
          map.line(), "'" + at + "' is missing; it is one of " + String.join(", ", known.keySet()));
      return Optional.empty();
    }
    T found = known.get(name.get());
    if (found == null) {
      problems.problem(
          map.line(),
          String.format(
              Locale.ROOT,
              "unknown %s '%s'. %sThere are: %s.",
              what,
              name.get(),
              Nearest.of(name.get(), known.keySet())
                  .map(n -> "Did you mean '" + n + "'? ")
                  .orElse(""),
              String.join(", ", known.keySet())));
    }
    return Optional.ofNullable(found);
  }

  private static <T> Map<String, T> byName(Collection<T> things, Function<T, String> name) {
    Map<String, T> map = new LinkedHashMap<>();
    things.stream()
        .sorted(java.util.Comparator.comparing(name))
        .forEach(thing -> map.put(name.apply(thing), thing));
    return map;
  }
}
