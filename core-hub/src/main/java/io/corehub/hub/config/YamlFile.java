package io.corehub.hub.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/** A file of YAML, within bounds that no configuration comes near. Stateless. */
final class YamlFile {

  private static final int MAX_CODE_POINTS = 1 << 20;
  private static final int MAX_DEPTH = 64;

  private YamlFile() {}

  /**
   * Reads a file.
   *
   * @param problems told why there is nothing to read
   * @return what the file holds; empty if that cannot be told
   */
  static Optional<Node> root(Path file, YamlMap.Reporter problems) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(MAX_CODE_POINTS);
    options.setNestingDepthLimit(MAX_DEPTH);
    options.setAllowRecursiveKeys(false);
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      Node root = new Yaml(options).compose(reader);
      if (root == null) {
        problems.problem(0, "the file is empty; it needs at least one pipeline");
      }
      return Optional.ofNullable(root);
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
      problems.problem(
          line, "the file is not valid YAML: " + words(String.valueOf(e.getProblem())));
    } catch (YAMLException e) {
      problems.problem(0, "the file is not valid YAML: " + e.getMessage());
    } catch (MalformedInputException e) {
      problems.problem(0, "the file is not UTF-8 text");
    } catch (IOException e) {
      problems.problem(0, "the file cannot be read: " + e.getMessage());
    }
    return Optional.empty();
  }

  /** The library's words, except where they repeat what stands in the file: it may be a secret. */
  private static String words(String words) {
    if (words.startsWith("found undefined alias")) {
      return "a value begins with '*', which means a reference; put it in quotes";
    }
    if (words.startsWith("found undefined tag handle") || words.startsWith("Global tag")) {
      return "a value begins with '!', which means a tag, and those are not allowed; put it in"
          + " quotes";
    }
    return words;
  }
}
