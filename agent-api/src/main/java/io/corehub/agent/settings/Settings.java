package io.corehub.agent.settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Valid values of a schema's settings, defaults filled in. Immutable. {@link #toString()} masks
 * secrets.
 */
public final class Settings {

  private final SettingsSchema schema;
  private final Map<String, String> texts;
  private final Map<String, Boolean> explicit;

  Settings(SettingsSchema schema, Map<String, String> texts, Map<String, Boolean> explicit) {
    this.schema = schema;
    this.texts = Map.copyOf(texts);
    this.explicit = Map.copyOf(explicit);
  }

  /**
   * The value of a setting that always has one.
   *
   * @param setting a setting of the schema with a default, or a required one
   * @param <T> type of the value
   * @return the value
   * @throws IllegalStateException if there is no value
   */
  public <T> T get(Setting<T> setting) {
    return find(setting)
        .orElseThrow(
            () -> new IllegalStateException("Setting '" + setting.name() + "' has no value"));
  }

  /**
   * The value of a setting that may have none.
   *
   * @param setting a setting of the schema
   * @param <T> type of the value
   * @return the value, or empty
   */
  public <T> Optional<T> find(Setting<T> setting) {
    return Optional.ofNullable(texts.get(setting.name())).map(setting.reader());
  }

  /**
   * Whether the user gave the value.
   *
   * @param setting a setting of the schema
   * @return false if the value is the default or missing
   */
  public boolean isExplicit(Setting<?> setting) {
    return explicit.getOrDefault(setting.name(), false);
  }

  /**
   * What is not secret.
   *
   * @return text of every setting that has a value and is no secret, by name
   */
  public Map<String, String> withoutSecrets() {
    Map<String, String> open = new TreeMap<>(texts);
    open.keySet().removeIf(this::isSecret);
    return open;
  }

  /**
   * What is secret.
   *
   * @return the value of every secret setting that has one
   */
  public List<Secret> secrets() {
    return texts.entrySet().stream()
        .filter(entry -> isSecret(entry.getKey()))
        .map(entry -> new Secret(entry.getValue()))
        .toList();
  }

  private boolean isSecret(String name) {
    return schema.find(name).map(s -> s.kind() == Setting.Kind.SECRET).orElse(true);
  }

  @Override
  public String toString() {
    Map<String, String> shown = new TreeMap<>();
    texts.forEach(
        (name, text) -> {
          shown.put(name, isSecret(name) ? "***" : text);
        });
    return shown.toString();
  }
}
