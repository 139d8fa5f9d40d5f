package io.corehub.hub.config;

import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.agent.table.TargetType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.Node;

/** Reads which tables a pipeline has, and their settings. Confined to one caller. */
final class TablesReader {

  private static final Set<String> KEYS =
      YamlMap.keys("name", "exclude", "columns", "targetTypes", "settings");

  private final SettingValues values;
  private final ConfigProblems problems;

  TablesReader(SettingValues values, ConfigProblems problems) {
    this.values = values;
    this.problems = problems;
  }

  /**
   * The tables of a pipeline.
   *
   * @param map the pipeline
   * @param agent whose settings tables have, if that is known
   * @return empty if the tables cannot be told
   */
  Optional<TableSelection> of(YamlMap map, Optional<TargetAgentProvider> agent) {
    SettingsSchema schema =
        agent.map(a -> a.descriptor().tableSettings()).orElse(new SettingsSchema(List.of()));
    List<TableSelection.Rule> rules = new ArrayList<>();
    for (Node node : map.items("tables")) {
      YamlMap entry = YamlMap.of(node, "tables", problems);
      entry.allowOnly(KEYS);
      Optional<TablePattern> pattern = pattern(entry);
      boolean exclude = entry.flag("exclude", false);
      YamlMap settings = entry.map("settings");
      Map<String, String> given = values.of(settings, schema, Set.of());
      List<SettingProblem> found = agent.isEmpty() ? List.of() : schema.validate(given);
      problems.settings(
          settings,
          misplaced(
              found,
              schema,
              agent.map(a -> a.descriptor().settings()).orElse(new SettingsSchema(List.of())),
              "is a setting of the agent: put it under 'settings' of 'target'"));
      List<String> columns = entry.texts("columns");
      Map<String, TargetType> targetTypes = targetTypes(entry.map("targetTypes"));
      if (exclude && !(columns.isEmpty() && targetTypes.isEmpty() && given.isEmpty())) {
        problems.problem(
            entry.line(), "an excluded table takes no 'columns', 'targetTypes' or 'settings'");
      }
      if (pattern.isPresent() && found.isEmpty() && agent.isPresent()) {
        rules.add(
            new TableSelection.Rule(
                pattern.get(), exclude, columns, targetTypes, schema.parse(given)));
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
        problems.problem(
            map.lineOfKey(column), "'targetTypes' of column '" + column + "': " + e.getMessage());
      }
    }
    return types;
  }

  /** Says of settings that stand in the wrong place where they belong. */
  static List<SettingProblem> misplaced(
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
      problems.problem(entry.line(), "an entry of 'tables' has no 'name'");
      return Optional.empty();
    }
    try {
      return Optional.of(TablePattern.parse(name.get()));
    } catch (IllegalArgumentException e) {
      problems.problem(entry.line(), String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }
}
