package io.corehub.hub.config;

import io.corehub.agent.settings.Nearest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A mapping of the file under inspection: hands out its values as text, exactly as written, and
 * reports what is not as expected. Confined to one caller.
 */
final class YamlMap {

  private final Map<String, Node> values = new LinkedHashMap<>();
  private final Set<String> reported = new HashSet<>();
  private final String path;
  private final int line;
  private final Reporter reporter;

  /** Takes problems as they are found, and replaces placeholders. */
  interface Reporter {
    void problem(int line, String message);

    Optional<String> replace(int line, String key, String value);
  }

  private YamlMap(String path, int line, Reporter reporter) {
    this.path = path;
    this.line = line;
    this.reporter = reporter;
  }

  /** Keys that a mapping may have, in the order in which messages name them. */
  static Set<String> keys(String... names) {
    return new LinkedHashSet<>(List.of(names));
  }

  /** A mapping; a missing one or anything else is reported and gives an empty map. */
  static YamlMap of(Node node, String path, Reporter reporter) {
    YamlMap map = new YamlMap(path, lineOf(node), reporter);
    if (node instanceof MappingNode mapping) {
      for (NodeTuple tuple : mapping.getValue()) {
        map.add(tuple);
      }
    } else if (!isNull(node)) {
      reporter.problem(map.line, map.where() + "must be a mapping of keys and values");
    }
    return map;
  }

  private void add(NodeTuple tuple) {
    int keyLine = lineOf(tuple.getKeyNode());
    if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
      reporter.problem(keyLine, where() + "has a key that is not plain text");
    } else if (values.put(key.getValue(), tuple.getValueNode()) != null) {
      reporter.problem(keyLine, "key '" + path(key.getValue()) + "' occurs twice");
    }
  }

  /** Reports every key that is not known, with the nearest one that is. */
  void allowOnly(Set<String> known) {
    values.forEach(
        (key, node) -> {
          if (!known.contains(key)) {
            reporter.problem(
                lineOf(node),
                "unknown key '"
                    + path(key)
                    + "'. "
                    + Nearest.of(key, known)
                        .map(n -> "Did you mean '" + n + "'?")
                        .orElse("Known keys here: " + String.join(", ", known) + "."));
          }
        });
  }

  Set<String> keys() {
    return values.keySet();
  }

  /** Keys that are none of these. */
  Set<String> keysBesides(Set<String> others) {
    Set<String> rest = new HashSet<>(values.keySet());
    rest.removeAll(others);
    return rest;
  }

  int line() {
    return line;
  }

  int lineOfKey(String key) {
    Node node = values.get(key);
    return node == null ? line : lineOf(node);
  }

  boolean has(String key) {
    Node node = values.get(key);
    return node != null && !isNull(node);
  }

  /** Text of a plain value, placeholders replaced; empty if missing, null or not plain. */
  Optional<String> text(String key) {
    Node node = values.get(key);
    return node == null || isNull(node) ? Optional.empty() : text(node, key);
  }

  private Optional<String> text(Node node, String key) {
    Optional<String> text = Optional.empty();
    if (node instanceof ScalarNode scalar) {
      text = reporter.replace(lineOf(node), path(key), scalar.getValue());
    } else {
      reporter.problem(lineOf(node), "'" + path(key) + "' must be a plain value");
    }
    if (text.isEmpty()) {
      reported.add(key);
    }
    return text;
  }

  /** Whether a problem of this key's value was reported already. */
  boolean wasReported(String key) {
    return reported.contains(key);
  }

  /** A plain value, or a list of plain values joined by line breaks. */
  Optional<String> textOrLines(String key) {
    return values.get(key) instanceof SequenceNode
        ? Optional.of(String.join("\n", texts(key)))
        : text(key);
  }

  /** Texts of a list of plain values; empty if missing. */
  List<String> texts(String key) {
    List<String> texts = new ArrayList<>();
    if (has(key)) {
      for (Node item : items(key)) {
        text(item, key).ifPresent(texts::add);
      }
    }
    return texts;
  }

  /** The mapping below a key; an empty one if missing. */
  YamlMap map(String key) {
    Node node = values.get(key);
    return node == null ? new YamlMap(path(key), line, reporter) : of(node, path(key), reporter);
  }

  /** Nodes of a list; anything else is reported and gives none. */
  List<Node> items(String key) {
    Node node = values.get(key);
    if (node instanceof SequenceNode sequence) {
      return sequence.getValue();
    }
    if (node != null && !isNull(node)) {
      reporter.problem(lineOf(node), "'" + path(key) + "' must be a list");
    }
    return List.of();
  }

  /** A switch; {@code fallback} if missing. */
  boolean flag(String key, boolean fallback) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return fallback;
    }
    if (!text.get().equals("true") && !text.get().equals("false")) {
      reporter.problem(
          lineOfKey(key), "'" + path(key) + "' is '" + text.get() + "', but must be true or false");
      return fallback;
    }
    return text.get().equals("true");
  }

  private String path(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private String where() {
    return path.isEmpty() ? "the file " : "'" + path + "' ";
  }

  static boolean isNull(Node node) {
    return node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL);
  }

  static int lineOf(Node node) {
    return node.getStartMark() == null ? 0 : node.getStartMark().getLine() + 1;
  }
}
