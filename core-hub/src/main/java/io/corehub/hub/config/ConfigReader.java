package io.corehub.hub.config;

import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.observe.ObserverProvider;
import io.corehub.agent.settings.Nearest;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.agent.table.TargetType;
import io.corehub.hub.source.SourceProvider;
import io.corehub.hub.state.StateDirectory;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads a configuration file and finds everything wrong with it at once. Confined to one caller;
 * one reader reads one file.
 *
 * <p>Nothing in the file is turned into an object by its YAML tag: values are taken as the text
 * they are written as.
 */
public final class ConfigReader {

  private static final int MAX_CODE_POINTS = 1 << 20;
  private static final int MAX_DEPTH = 64;

  private static final Set<String> ROOT_KEYS = ordered("hub", "pipelines");
  private static final Set<String> HUB_KEYS = ordered("stateDirectory", "name", "web");
  private static final Set<String> WEB_KEYS = ordered("host", "port");
  private static final Set<String> PIPELINE_KEYS =
      ordered("name", "id", "source", "target", "tables");
  private static final Set<String> TARGET_KEYS = ordered("agent", "settings");
  private static final Set<String> TABLE_KEYS =
      ordered("name", "exclude", "columns", "targetTypes", "settings");

  /** Known even where what it configures is not on the class path. */
  private static final String LINEAGE = "lineage";

  private static final String FILE_URL = "file:";

  private final Path file;
  private final Path directory;
  private final Placeholders placeholders;
  private final Map<String, SourceProvider> sources;
  private final Map<String, TargetAgentProvider> agents;
  private final Map<String, ObserverProvider> observers;
  private final List<ConfigProblem> problems = new ArrayList<>();
  private Optional<String> pipeline = Optional.empty();

  /** What holds for all pipelines, by key of the observer. */
  private final Map<String, Map<String, String>> observerDefaults = new LinkedHashMap<>();

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
    this.placeholders = new Placeholders(environment, directory);
    this.sources = byName(sources, SourceProvider::type);
    this.agents = byName(agents, agent -> agent.descriptor().id());
    this.observers = byName(observers, ObserverProvider::key);
  }

  /**
   * Reads the file.
   *
   * @return what it says
   * @throws ConfigException with everything that is wrong with it
   */
  public HubConfig read() throws ConfigException {
    Optional<HubConfig> config = parse().map(this::hub);
    if (config.isEmpty() || !problems.isEmpty()) {
      throw new ConfigException(file, problems);
    }
    return config.get();
  }

  private Optional<Node> parse() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(MAX_CODE_POINTS);
    options.setNestingDepthLimit(MAX_DEPTH);
    options.setAllowRecursiveKeys(false);
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      Node root = new Yaml(options).compose(reader);
      if (root == null) {
        report(0, "the file is empty; it needs at least one pipeline");
      }
      return Optional.ofNullable(root);
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
      report(line, "the file is not valid YAML: " + problem(String.valueOf(e.getProblem())));
    } catch (YAMLException e) {
      report(0, "the file is not valid YAML: " + e.getMessage());
    } catch (MalformedInputException e) {
      report(0, "the file is not UTF-8 text");
    } catch (IOException e) {
      report(0, "the file cannot be read: " + e.getMessage());
    }
    return Optional.empty();
  }

  /** The library's words, except where they repeat what stands in the file: it may be a secret. */
  private static String problem(String words) {
    if (words.startsWith("found undefined alias")) {
      return "a value begins with '*', which means a reference; put it in quotes";
    }
    if (words.startsWith("found undefined tag handle") || words.startsWith("Global tag")) {
      return "a value begins with '!', which means a tag, and those are not allowed; put it in"
          + " quotes";
    }
    return words;
  }

  private HubConfig hub(Node root) {
    YamlMap map = YamlMap.of(root, "", reporter());
    map.allowOnly(ROOT_KEYS);
    YamlMap hub = map.map("hub");
    hub.allowOnly(withObservers(HUB_KEYS));
    observers
        .values()
        .forEach(
            provider ->
                observerDefaults.put(provider.key(), observerValues(hub, provider, Map.of())));
    refuseMissingLineage(hub);
    List<PipelineConfig> pipelines = new ArrayList<>();
    List<Node> nodes = map.items("pipelines");
    if (nodes.isEmpty() && problems.isEmpty()) {
      report(map.line(), "the file has no pipeline; add one below 'pipelines'");
    }
    Set<String> names = new LinkedHashSet<>();
    Set<String> ids = new LinkedHashSet<>();
    for (Node node : nodes) {
      pipeline(node, names, ids).ifPresent(pipelines::add);
    }
    pipeline = Optional.empty();
    return new HubConfig(
        file,
        hub.text("name").orElse("core-hub"),
        path(hub, "stateDirectory").orElse(directory.resolve("state")),
        hub.keys().contains("web") ? Optional.of(web(hub.map("web"))) : Optional.empty(),
        pipelines);
  }

  private WebConfig web(YamlMap web) {
    web.allowOnly(WEB_KEYS);
    int port = WebConfig.DEFAULT_PORT;
    Optional<String> text = web.text("port");
    if (text.isPresent()) {
      port = text.get().matches("\\d{1,5}") ? Integer.parseInt(text.get()) : -1;
      if (port < 0 || port > 65_535) {
        report(
            web.lineOfKey("port"),
            "'hub.web.port' is '" + text.get() + "', but must be a whole number from 0 to 65535");
      }
    }
    return new WebConfig(web.text("host").orElse(WebConfig.DEFAULT_HOST), port);
  }

  private Optional<PipelineConfig> pipeline(Node node, Set<String> names, Set<String> ids) {
    pipeline = Optional.empty();
    YamlMap map = YamlMap.of(node, "", reporter());
    Optional<String> name = map.text("name").filter(text -> !text.isBlank());
    if (name.isEmpty()) {
      report(map.line(), "a pipeline has no 'name'; give it one");
    }
    pipeline = name;
    map.allowOnly(withObservers(PIPELINE_KEYS));
    String id = map.text("id").or(() -> name).orElse("");
    if (name.isPresent() && !names.add(name.get())) {
      report(map.line(), "there is another pipeline of this name; names must differ");
    }
    int length = StateDirectory.fileName(id).length();
    if (length > StateDirectory.LONGEST_FILE_NAME) {
      report(
          map.line(),
          "the id (the name, unless 'id' is given) takes "
              + length
              + " characters in the name of a file, and may take "
              + StateDirectory.LONGEST_FILE_NAME
              + " (letters, digits, '-' and '_' take one, others three for each byte); give a"
              + " shorter 'id'");
    }
    if (!id.isEmpty() && !ids.add(id)) {
      report(map.line(), "there is another pipeline with id '" + id + "'; ids must differ");
    }
    refuseMissingLineage(map);
    List<ObserverConfig> watching = new ArrayList<>();
    for (ObserverProvider provider : observers.values()) {
      Map<String, String> values =
          observerValues(map, provider, observerDefaults.getOrDefault(provider.key(), Map.of()));
      if (provider.validate(values).isEmpty()) {
        watching.add(new ObserverConfig(provider, provider.settings().parse(values)));
      }
    }
    Optional<SourceProvider> source = source(map);
    Map<String, String> sourceValues = sourceValues(map, source);
    YamlMap target = map.map("target");
    target.allowOnly(TARGET_KEYS);
    Optional<TargetAgentProvider> agent = agent(map, target);
    Map<String, String> agentValues = agentValues(target, agent);
    Optional<TableSelection> tables = tables(map, agent);
    if (source.isEmpty() || agent.isEmpty() || tables.isEmpty() || !problems.isEmpty()) {
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
            tables.get(),
            watching));
  }

  private Optional<SourceProvider> source(YamlMap pipelineMap) {
    if (!pipelineMap.has("source")) {
      report(pipelineMap.line(), "'source' is missing; name its 'type' and settings");
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
    Map<String, String> values = values(map, source.get().settings(), Set.of("type"));
    report(map, source.get().validate(values));
    return values;
  }

  private Optional<TargetAgentProvider> agent(YamlMap pipelineMap, YamlMap target) {
    if (!pipelineMap.has("target")) {
      report(pipelineMap.line(), "'target' is missing; name its 'agent' and 'settings'");
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
    Map<String, String> values = values(map, descriptor.settings(), Set.of());
    report(
        map,
        misplaced(
            agent.get().validate(values),
            descriptor.settings(),
            descriptor.tableSettings(),
            "is a setting of tables: put it under 'settings' of an entry of 'tables' (name: \"*\" names"
                + " them all)"));
    return values;
  }

  private Optional<TableSelection> tables(YamlMap map, Optional<TargetAgentProvider> agent) {
    SettingsSchema schema =
        agent.map(a -> a.descriptor().tableSettings()).orElse(new SettingsSchema(List.of()));
    List<TableSelection.Rule> rules = new ArrayList<>();
    for (Node node : map.items("tables")) {
      YamlMap entry = YamlMap.of(node, "tables", reporter());
      entry.allowOnly(TABLE_KEYS);
      Optional<TablePattern> pattern = pattern(entry);
      boolean exclude = entry.flag("exclude", false);
      YamlMap settings = entry.map("settings");
      Map<String, String> values = values(settings, schema, Set.of());
      List<SettingProblem> found = agent.isEmpty() ? List.of() : schema.validate(values);
      report(
          settings,
          misplaced(
              found,
              schema,
              agent.map(a -> a.descriptor().settings()).orElse(new SettingsSchema(List.of())),
              "is a setting of the agent: put it under 'settings' of 'target'"));
      List<String> columns = entry.texts("columns");
      Map<String, TargetType> targetTypes = targetTypes(entry.map("targetTypes"));
      if (exclude && !(columns.isEmpty() && targetTypes.isEmpty() && values.isEmpty())) {
        report(entry.line(), "an excluded table takes no 'columns', 'targetTypes' or 'settings'");
      }
      if (pattern.isPresent() && found.isEmpty() && agent.isPresent()) {
        rules.add(
            new TableSelection.Rule(
                pattern.get(), exclude, columns, targetTypes, schema.parse(values)));
      }
    }
    Map<String, String> none = Map.of();
    return schema.validate(none).isEmpty()
        ? Optional.of(new TableSelection(rules, schema.parse(none)))
        : Optional.empty();
  }

  private Map<String, TargetType> targetTypes(YamlMap map) {
    Map<String, TargetType> types = new LinkedHashMap<>();
    for (String column : map.keys()) {
      Optional<String> text = map.text(column);
      try {
        text.ifPresent(name -> types.put(column, TargetType.parse(name)));
      } catch (IllegalArgumentException e) {
        report(
            map.lineOfKey(column), "'targetTypes' of column '" + column + "': " + e.getMessage());
      }
    }
    return types;
  }

  /** Says of settings that stand in the wrong place where they belong. */
  private static List<SettingProblem> misplaced(
      List<SettingProblem> found, SettingsSchema here, SettingsSchema there, String hint) {
    return found.stream()
        .map(
            problem -> {
              String name = problem.setting();
              boolean elsewhere = here.find(name).isEmpty() && there.find(name).isPresent();
              return elsewhere ? new SettingProblem(name, "'" + name + "' " + hint) : problem;
            })
        .toList();
  }

  private Optional<TablePattern> pattern(YamlMap entry) {
    Optional<String> name = entry.text("name");
    if (name.isEmpty()) {
      report(entry.line(), "an entry of 'tables' has no 'name'");
      return Optional.empty();
    }
    try {
      return Optional.of(TablePattern.parse(name.get()));
    } catch (IllegalArgumentException e) {
      report(entry.line(), String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private Set<String> withObservers(Set<String> keys) {
    Set<String> all = new LinkedHashSet<>(keys);
    all.add(LINEAGE);
    all.addAll(observers.keySet());
    return all;
  }

  /** An observer's settings: those below its key over what holds otherwise. */
  private Map<String, String> observerValues(
      YamlMap owner, ObserverProvider provider, Map<String, String> defaults) {
    YamlMap map = owner.map(provider.key());
    Set<String> known =
        provider.settings().settings().stream()
            .map(Setting::name)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    map.allowOnly(known);
    Map<String, String> values = new LinkedHashMap<>(defaults);
    values.putAll(values(map, provider.settings(), map.keysBesides(known)));
    List<String> told = provider.validate(defaults).stream().map(SettingProblem::message).toList();
    report(
        map,
        provider.validate(values).stream()
            .filter(problem -> !told.contains(problem.message()))
            .toList());
    return values;
  }

  /** Nobody may believe that lineage is sent when nothing is there to send it. */
  private void refuseMissingLineage(YamlMap owner) {
    if (!observers.containsKey(LINEAGE)) {
      YamlMap map = owner.map(LINEAGE);
      if (map.flag("enabled", false)) {
        report(
            map.lineOfKey("enabled"),
            "'lineage.enabled' is true, but this hub has no lineage: put fabric-lineage and its"
                + " libraries on the class path, or set it to false");
      }
    }
  }

  private Map<String, String> values(YamlMap map, SettingsSchema schema, Set<String> besides) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String key : map.keys()) {
      if (!besides.contains(key)) {
        boolean path =
            schema.find(key).map(s -> s.kind() == Setting.Kind.FILE).orElse(Boolean.FALSE);
        boolean url = schema.find(key).map(s -> s.kind() == Setting.Kind.URL).orElse(Boolean.FALSE);
        map.textOrLines(key)
            .ifPresent(
                text ->
                    values.put(
                        key,
                        path
                            ? absolute(map, key, text)
                            : url ? absoluteFileUrl(map, key, text) : text));
      }
    }
    return values;
  }

  private String absolute(YamlMap map, String key, String text) {
    try {
      return Arrays.stream(text.split("\n", -1))
          .map(String::strip)
          .map(line -> line.isEmpty() ? line : directory.resolve(line).normalize().toString())
          .collect(Collectors.joining("\n"));
    } catch (InvalidPathException e) {
      report(map.lineOfKey(key), "'" + key + "' is not a path: " + e.getReason());
      return text;
    }
  }

  /** A {@code file:} URL without a root is relative to the configuration file, as paths are. */
  private String absoluteFileUrl(YamlMap map, String key, String text) {
    String stripped = text.strip();
    boolean relative =
        stripped.regionMatches(true, 0, FILE_URL, 0, FILE_URL.length())
            && stripped.length() > FILE_URL.length()
            && stripped.charAt(FILE_URL.length()) != '/';
    return relative ? FILE_URL + absolute(map, key, stripped.substring(FILE_URL.length())) : text;
  }

  private Optional<Path> path(YamlMap map, String key) {
    return map.text(key).map(text -> Path.of(absolute(map, key, text)));
  }

  private <T> Optional<T> choose(
      YamlMap map, String at, Optional<String> name, Map<String, T> known, String what) {
    if (name.isEmpty()) {
      report(
          map.line(), "'" + at + "' is missing; it is one of " + String.join(", ", known.keySet()));
      return Optional.empty();
    }
    T found = known.get(name.get());
    if (found == null) {
      report(
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

  private void report(YamlMap map, List<SettingProblem> found) {
    for (SettingProblem problem : found) {
      if (!map.wasReported(problem.setting())) {
        report(map.lineOfKey(problem.setting()), problem.message());
      }
    }
  }

  private void report(int line, String message) {
    problems.add(new ConfigProblem(pipeline, line, message));
  }

  private YamlMap.Reporter reporter() {
    return new YamlMap.Reporter() {
      @Override
      public void problem(int line, String message) {
        report(line, message);
      }

      @Override
      public Optional<String> replace(int line, String key, String value) {
        try {
          return Optional.of(placeholders.replace(value));
        } catch (IllegalArgumentException e) {
          report(line, "'" + key + "': " + e.getMessage());
          return Optional.empty();
        }
      }
    };
  }

  private static <T> Map<String, T> byName(Collection<T> things, Function<T, String> name) {
    Map<String, T> map = new LinkedHashMap<>();
    things.stream()
        .sorted(java.util.Comparator.comparing(name))
        .forEach(thing -> map.put(name.apply(thing), thing));
    return map;
  }

  private static Set<String> ordered(String... names) {
    return new LinkedHashSet<>(Arrays.asList(names));
  }
}
