package io.corehub.storage;

import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.onelake.InvalidValueException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Settings under examination: what a user gave, and everything found wrong with it so far. Confined
 * to one caller.
 */
public final class SettingsReading {

  private final Map<String, String> values;
  private final Map<String, String> environment;
  private final List<SettingProblem> problems;
  private final Set<String> named = new HashSet<>();

  /**
   * Begins with what is wrong with each setting alone.
   *
   * @param schema the settings there are
   * @param values text by setting name
   * @param environment the environment's variables
   */
  public SettingsReading(
      SettingsSchema schema, Map<String, String> values, Map<String, String> environment) {
    this.values = values;
    this.environment = environment;
    this.problems = new ArrayList<>(schema.validate(values));
    problems.forEach(problem -> named.add(problem.setting()));
  }

  /** Turns text into a value, or says what is wrong with it. */
  @FunctionalInterface
  public interface Reader {
    /**
     * Reads text.
     *
     * @param text what the user gave
     * @return anything
     * @throws InvalidValueException if the text cannot be used
     */
    Object read(String text);
  }

  /**
   * What the user gave for a setting.
   *
   * @param setting the setting
   * @return text without blanks around it; empty if there is none
   */
  public Optional<String> given(Setting<?> setting) {
    return Optional.ofNullable(values.get(setting.name()))
        .map(String::strip)
        .filter(text -> !text.isEmpty());
  }

  /**
   * The value of a setting that has a default.
   *
   * @param setting the setting
   * @return what the user gave, or the default
   */
  public String value(Setting<?> setting) {
    return given(setting).or(setting::defaultValue).orElseThrow();
  }

  /**
   * A variable of the environment.
   *
   * @param name its name
   * @return its value; empty if there is none
   */
  public String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  /**
   * Notes what is wrong with a setting that was given and is not known to be wrong yet.
   *
   * @param setting the setting
   * @param reader reads its text
   */
  public void reads(Setting<?> setting, Reader reader) {
    Optional<String> text = given(setting);
    if (text.isEmpty() || named.contains(setting.name())) {
      return;
    }
    try {
      reader.read(text.get());
    } catch (InvalidValueException e) {
      add(setting, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Notes a problem.
   *
   * @param setting the setting it concerns
   * @param message what is wrong and what to change
   */
  public void add(Setting<?> setting, String message) {
    String lead = "Setting '" + setting.name() + "'";
    named.add(setting.name());
    problems.add(
        new SettingProblem(
            setting.name(), message.startsWith(lead) ? message : lead + ": " + message));
  }

  /**
   * Everything found wrong.
   *
   * @return the problems in the order they were found
   */
  public List<SettingProblem> problems() {
    return List.copyOf(problems);
  }

  /**
   * Whether something is wrong with a setting.
   *
   * @param setting the setting
   * @return true if so
   */
  public boolean wrong(Setting<?> setting) {
    return named.contains(setting.name());
  }

  /**
   * Reads the path of a file.
   *
   * @param text what the user gave
   * @return the path
   * @throws InvalidValueException if it is none
   */
  public static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new InvalidValueException("'" + text + "' is not a path: " + e.getReason(), e);
    }
  }
}
