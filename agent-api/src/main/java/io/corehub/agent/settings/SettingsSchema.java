package io.corehub.agent.settings;

import io.corehub.agent.settings.Setting.Condition;
import io.corehub.agent.settings.Setting.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings of an agent or of a table, in the order a form shows them. Immutable. */
public final class SettingsSchema {

  private final Map<String, Setting<?>> settings = new LinkedHashMap<>();

  /**
   * A schema.
   *
   * @param settings settings in order, names unique
   */
  public SettingsSchema(List<Setting<?>> settings) {
    for (Setting<?> setting : settings) {
      if (this.settings.put(setting.name(), setting) != null) {
        throw new IllegalArgumentException("Setting " + setting.name() + " occurs twice");
      }
    }
  }

  /**
   * The settings in order.
   *
   * @return an immutable list
   */
  public List<Setting<?>> settings() {
    return List.copyOf(settings.values());
  }

  /**
   * Finds a setting.
   *
   * @param name its name
   * @return the setting, or empty
   */
  public Optional<Setting<?>> find(String name) {
    return Optional.ofNullable(settings.get(name));
  }

  /**
   * Checks values as a user gave them: unknown names, missing and malformed values, numbers out of
   * bounds.
   *
   * @param values text by setting name; surrounding blanks do not count, an empty text is no value
   * @return every problem, in the order of the settings and then the unknown names; empty if all is
   *     well
   */
  public List<SettingProblem> validate(Map<String, String> values) {
    List<SettingProblem> problems = new ArrayList<>();
    for (Setting<?> setting : settings.values()) {
      Optional<String> given = given(values, setting.name());
      if (given.isPresent()) {
        malformed(setting, given.get()).ifPresent(problems::add);
      } else if (missing(setting, values)) {
        problems.add(
            new SettingProblem(
                setting.name(),
                "Setting '"
                    + setting.name()
                    + "' ("
                    + setting.label()
                    + ") is missing."
                    + setting.requiredUnless().map(SettingsSchema::otherwise).orElse("")));
      }
    }
    for (String name : values.keySet()) {
      if (!settings.containsKey(name)) {
        problems.add(
            new SettingProblem(
                name,
                "Unknown setting '"
                    + name
                    + "'."
                    + nearest(name).map(n -> " Did you mean '" + n + "'?").orElse("")));
      }
    }
    return problems;
  }

  private static String otherwise(Setting.Condition condition) {
    return condition.values().isEmpty()
        ? " Give it, or '" + condition.setting() + "' instead."
        : " Give it, unless '"
            + condition.setting()
            + "' is "
            + String.join(" or ", condition.values())
            + ".";
  }

  /**
   * Reads values.
   *
   * @param values text by setting name, as for {@link #validate(Map)}
   * @return typed settings, defaults filled in
   * @throws IllegalArgumentException if the values are not valid, with every problem
   */
  public Settings parse(Map<String, String> values) {
    List<SettingProblem> problems = validate(values);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          String.join(" ", problems.stream().map(SettingProblem::message).toList()));
    }
    Map<String, String> texts = new HashMap<>();
    for (Setting<?> setting : settings.values()) {
      given(values, setting.name())
          .or(setting::defaultValue)
          .ifPresent(text -> texts.put(setting.name(), text));
    }
    Map<String, Boolean> explicit = new HashMap<>();
    settings.keySet().forEach(name -> explicit.put(name, given(values, name).isPresent()));
    return new Settings(this, texts, explicit);
  }

  private static Optional<String> given(Map<String, String> values, String name) {
    return Optional.ofNullable(values.get(name)).map(String::strip).filter(text -> !text.isEmpty());
  }

  private boolean missing(Setting<?> setting, Map<String, String> values) {
    return setting.required()
        && setting.defaultValue().isEmpty()
        && setting.visibleWhen().map(c -> holds(c, values)).orElse(true)
        && setting.requiredWhen().map(c -> holds(c, values)).orElse(true)
        && !setting.requiredUnless().map(c -> holds(c, values)).orElse(false);
  }

  private boolean holds(Condition condition, Map<String, String> values) {
    Optional<String> value =
        given(values, condition.setting())
            .or(() -> find(condition.setting()).flatMap(Setting::defaultValue));
    return value.filter(condition::isMetBy).isPresent();
  }

  private static Optional<SettingProblem> malformed(Setting<?> setting, String text) {
    String expected =
        switch (setting.kind()) {
          case INTEGER, SECONDS, MEGABYTES -> outOfBounds(setting, text) ? bounds(setting) : "";
          case SWITCH -> text.equals("true") || text.equals("false") ? "" : "true or false";
          case CHOICE ->
              setting.choices().contains(text)
                  ? ""
                  : "one of " + String.join(", ", setting.choices());
          case TEXT, SECRET, URL, FILE -> "";
        };
    return expected.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new SettingProblem(
                setting.name(),
                "Setting '"
                    + setting.name()
                    + "' is '"
                    + (setting.kind() == Kind.SECRET ? "***" : text)
                    + "', but must be "
                    + expected
                    + "."));
  }

  private static boolean outOfBounds(Setting<?> setting, String text) {
    try {
      long number = Long.parseLong(text);
      return number < setting.min().orElse(Long.MIN_VALUE)
          || number > setting.max().orElse(Long.MAX_VALUE);
    } catch (NumberFormatException notANumber) {
      return true;
    }
  }

  private static String bounds(Setting<?> setting) {
    String unit =
        setting.kind() == Kind.SECONDS
            ? " of seconds"
            : setting.kind() == Kind.MEGABYTES ? " of megabytes" : "";
    return "a whole number"
        + unit
        + " from "
        + setting.min().orElse(Long.MIN_VALUE)
        + " to "
        + setting.max().orElse(Long.MAX_VALUE);
  }

  private Optional<String> nearest(String name) {
    return Nearest.of(name, settings.keySet());
  }
}
