package io.corehub.hub.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Replaces {@code ${env:NAME}} and {@code ${file:PATH}} inside values. Immutable. A value may be a
 * secret that happens to look like a placeholder, so no message repeats any other part of it.
 */
final class Placeholders {

  /** Most bytes a file may add to a value. */
  private static final long MAX_FILE_BYTES = 1 << 20;

  private static final String LITERAL =
      ". If '${' is part of the value itself, take the whole value from a variable or a file";

  private final Map<String, String> environment;
  private final Path directory;

  Placeholders(Map<String, String> environment, Path directory) {
    this.environment = environment;
    this.directory = directory;
  }

  /**
   * The value with every placeholder replaced; what a placeholder brings in is not looked at again.
   *
   * @throws IllegalArgumentException naming the placeholder that cannot be replaced
   */
  String replace(String value) {
    if (!value.contains("${")) {
      return value;
    }
    StringBuilder out = new StringBuilder();
    int from = 0;
    while (true) {
      int start = value.indexOf("${", from);
      if (start < 0) {
        return out.append(value, from, value.length()).toString();
      }
      int end = value.indexOf('}', start);
      if (end < 0) {
        throw new IllegalArgumentException("a placeholder has no closing brace" + LITERAL);
      }
      out.append(value, from, start).append(resolve(value.substring(start + 2, end)));
      from = end + 1;
    }
  }

  private String resolve(String placeholder) {
    if (placeholder.startsWith("env:")) {
      String name = placeholder.substring("env:".length());
      String value = environment.get(name);
      if (value == null) {
        throw new IllegalArgumentException(
            "environment variable '" + name + "' is not set; set it or change ${env:" + name + "}");
      }
      return value;
    }
    if (placeholder.startsWith("file:")) {
      return content(placeholder.substring("file:".length()));
    }
    throw new IllegalArgumentException(
        "unknown placeholder; use ${env:NAME} or ${file:PATH}" + LITERAL);
  }

  private String content(String name) {
    try {
      Path file = directory.resolve(name);
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new IllegalArgumentException(
            "file '" + name + "' of ${file:…} is larger than 1 MiB; name a file with one value");
      }
      String text = Files.readString(file, StandardCharsets.UTF_8);
      return text.endsWith("\r\n")
          ? text.substring(0, text.length() - 2)
          : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    } catch (IOException | java.nio.file.InvalidPathException e) {
      throw new IllegalArgumentException(
          "file '" + name + "' of ${file:…} cannot be read (" + e.getClass().getSimpleName() + ")",
          e);
    }
  }
}
