package io.corehub.hub.source;

import io.corehub.agent.observe.SourceOrigin;
import io.corehub.agent.settings.SettingProblem;
import io.corehub.agent.settings.Settings;
import io.corehub.agent.settings.SettingsSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Describes and creates a kind of source. Found by {@link java.util.ServiceLoader}. Does no I/O.
 * Thread-safe.
 *
 * <p>A list in the configuration reaches the settings as one text with a line for each entry.
 * Relative paths of settings of kind FILE are resolved by the hub against the configuration file's
 * directory before they get here.
 */
public interface SourceProvider {

  /**
   * The word that names this kind of source in configuration files.
   *
   * @return such as {@code change-stream}
   */
  String type();

  /**
   * The settings beside {@code type}.
   *
   * @return always the same
   */
  SettingsSchema settings();

  /**
   * Checks settings, each for itself and all together.
   *
   * @param values text by setting name
   * @return every problem; empty if all is well
   */
  default List<SettingProblem> validate(Map<String, String> values) {
    return settings().validate(values);
  }

  /**
   * Where the tables of a source come from, for those who report it.
   *
   * @param settings valid settings of {@link #settings()}
   * @return without user, password or any other secret
   */
  default SourceOrigin origin(Settings settings) {
    return new SourceOrigin(type(), Optional.empty(), Optional.empty());
  }

  /**
   * Creates a source. It does nothing before a method of it is called.
   *
   * @param settings valid settings of {@link #settings()}
   * @param context what the hub lends
   * @return the source
   */
  Source create(Settings settings, SourceContext context);
}
