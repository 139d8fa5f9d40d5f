package io.corehub.hub.config;

import io.corehub.agent.observe.ObserverProvider;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads the keys of observers: what holds for all pipelines stands below {@code hub}, what holds
 * for one below that. Confined to one caller.
 */
final class ObserverKeys {

  /** Known even where what it configures is not on the class path. */
  private static final String LINEAGE = "lineage";

  private final Map<String, ObserverProvider> observers;
  private final SettingValues settings;
  private final ConfigProblems problems;

  /** What holds for all pipelines, by key of the observer. */
  private final Map<String, Map<String, String>> ofAll = new LinkedHashMap<>();

  /**
   * Keys of observers.
   *
   * @param observers what may watch a pipeline, by key
   */
  ObserverKeys(
      Map<String, ObserverProvider> observers, SettingValues settings, ConfigProblems problems) {
    this.observers = observers;
    this.settings = settings;
    this.problems = problems;
  }

  /** Reads what holds for all pipelines. */
  void ofHub(YamlMap hub) {
    observers
        .values()
        .forEach(provider -> ofAll.put(provider.key(), values(hub, provider, Map.of())));
    refuseMissingLineage(hub);
  }

  /** Reads what watches a pipeline. */
  List<ObserverConfig> ofPipeline(YamlMap map) {
    refuseMissingLineage(map);
    List<ObserverConfig> watching = new ArrayList<>();
    for (ObserverProvider provider : observers.values()) {
      Map<String, String> values =
          values(map, provider, ofAll.getOrDefault(provider.key(), Map.of()));
      if (provider.validate(values).isEmpty()) {
        watching.add(new ObserverConfig(provider, provider.settings().parse(values)));
      }
    }
    return watching;
  }

  /** The keys an owner may have: its own, and one for each observer. */
  Set<String> with(Set<String> keys) {
    Set<String> all = new LinkedHashSet<>(keys);
    all.add(LINEAGE);
    all.addAll(observers.keySet());
    return all;
  }

  /** An observer's settings: those below its key over what holds otherwise. */
  private Map<String, String> values(
      YamlMap owner, ObserverProvider provider, Map<String, String> defaults) {
    YamlMap map = owner.map(provider.key());
    Set<String> known =
        provider.settings().settings().stream()
            .map(Setting::name)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    map.allowOnly(known);
    Map<String, String> values = new LinkedHashMap<>(defaults);
    values.putAll(settings.of(map, provider.settings(), map.keysBesides(known)));
    List<String> told = provider.validate(defaults).stream().map(SettingProblem::message).toList();
    problems.settings(
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
        problems.problem(
            map.lineOfKey("enabled"),
            "'lineage.enabled' is true, but this hub has no lineage: put fabric-lineage and its"
                + " libraries on the class path, or set it to false");
      }
    }
  }
}
