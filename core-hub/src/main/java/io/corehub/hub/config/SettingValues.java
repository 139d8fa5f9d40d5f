package io.corehub.hub.config;

import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingsSchema;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Takes settings from a file as texts, paths among them relative to that file. Immutable. */
final class SettingValues {

  private static final String FILE_URL = "file:";

  private final Path directory;
  private final YamlMap.Reporter problems;

  /**
   * Values of a file.
   *
   * @param directory the file's directory
   * @param problems told of what is no path
   */
  SettingValues(Path directory, YamlMap.Reporter problems) {
    this.directory = directory;
    this.problems = problems;
  }

  /**
   * The settings below a key.
   *
   * @param schema tells which are paths
   * @param besides keys that are no settings
   */
  Map<String, String> of(YamlMap map, SettingsSchema schema, Set<String> besides) {
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
      problems.problem(map.lineOfKey(key), "'" + key + "' is not a path: " + e.getReason());
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

  /** A path below a key, made absolute. */
  Optional<Path> path(YamlMap map, String key) {
    return map.text(key).map(text -> Path.of(absolute(map, key, text)));
  }
}
