package io.corehub.hub.config;

import io.corehub.agent.settings.SettingProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is wrong with a configuration file, in the order it was found, and the values that stand in
 * for its placeholders. Confined to one caller.
 */
final class ConfigProblems implements YamlMap.Reporter {

  private final Placeholders placeholders;
  private final List<ConfigProblem> found = new ArrayList<>();
  private Optional<String> pipeline = Optional.empty();

  ConfigProblems(Placeholders placeholders) {
    this.placeholders = placeholders;
  }

  /** What is found from now on is wrong with this pipeline, or with none. */
  void of(Optional<String> name) {
    pipeline = name;
  }

  boolean none() {
    return found.isEmpty();
  }

  List<ConfigProblem> all() {
    return List.copyOf(found);
  }

  @Override
  public void problem(int line, String message) {
    found.add(new ConfigProblem(pipeline, line, message));
  }

  /** Settings below a key are wrong, unless that was said of them. */
  void settings(YamlMap map, List<SettingProblem> problems) {
    for (SettingProblem problem : problems) {
      if (!map.wasReported(problem.setting())) {
        problem(map.lineOfKey(problem.setting()), problem.message());
      }
    }
  }

  @Override
  public Optional<String> replace(int line, String key, String value) {
    try {
      return Optional.of(placeholders.replace(value));
    } catch (IllegalArgumentException e) {
      problem(line, "'" + key + "': " + e.getMessage());
      return Optional.empty();
    }
  }
}
