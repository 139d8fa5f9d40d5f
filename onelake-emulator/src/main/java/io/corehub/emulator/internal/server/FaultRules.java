package io.corehub.emulator.internal.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The faults to come, and which of them have. Thread-safe. */
final class FaultRules {
  private static final Set<String> FIELDS = Set.of("operation", "path", "nth", "times", "fault");
  private static final Set<String> OPERATIONS =
      Arrays.stream(Operation.values())
          .filter(operation -> operation != Operation.OTHER)
          .map(Operation::word)
          .collect(Collectors.toCollection(TreeSet::new));

  /** A fault that is due, with the word to log it by. */
  record Due(String type, Fault fault) {}

  private static final class Rule {
    final ObjectNode json;
    final String operation;
    final Optional<Pattern> path;
    final long nth;
    final long times;
    final String type;
    final Fault fault;
    long seen;
    long fired;

    Rule(ObjectNode json) {
      json.fieldNames()
          .forEachRemaining(
              name -> {
                if (!FIELDS.contains(name)) {
                  throw new IllegalArgumentException(
                      "unknown field '"
                          + name
                          + "' in a fault rule; known are "
                          + new TreeSet<>(FIELDS));
                }
              });
      this.json = json;
      this.operation = json.path("operation").asText("any").toLowerCase(Locale.ROOT);
      if (!operation.equals("any") && !OPERATIONS.contains(operation)) {
        throw new IllegalArgumentException(
            "operation is '" + operation + "', must be any or one of " + OPERATIONS);
      }
      this.path = Optional.ofNullable(json.get("path")).map(JsonNode::asText).map(Rule::glob);
      this.nth = positive("nth");
      this.times = positive("times");
      this.fault = Fault.parse(json.path("fault"));
      this.type = json.path("fault").path("type").asText();
    }

    private long positive(String name) {
      JsonNode value = json.get(name);
      if (value == null) {
        return 1;
      }
      if (!value.isIntegralNumber() || value.asLong() < 1) {
        throw new IllegalArgumentException(name + " is " + value + ", must be 1 or more");
      }
      return value.asLong();
    }

    private static Pattern glob(String glob) {
      StringBuilder regex =
          new StringBuilder(glob.startsWith("/") || glob.startsWith("*") ? "" : "/");
      int i = 0;
      while (i < glob.length()) {
        if (glob.startsWith("**", i)) {
          regex.append(".*");
          i += 2;
        } else if (glob.charAt(i) == '*') {
          regex.append("[^/]*");
          i++;
        } else {
          int codePoint = glob.codePointAt(i);
          regex.append(Pattern.quote(Character.toString(codePoint)));
          i += Character.charCount(codePoint);
        }
      }
      return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    boolean matches(Call call, String listedPath) {
      if (!operation.equals("any") && !operation.equals(call.operation().word())) {
        return false;
      }
      return path.isEmpty()
          || path.get().matcher(call.path()).matches()
          || path.get().matcher(listedPath).matches();
    }
  }

  private final ObjectMapper mapper = new ObjectMapper();
  private final List<Rule> rules = new ArrayList<>();

  /**
   * Adds rules behind the ones that are there; all or none.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  synchronized void add(JsonNode json) {
    List<Rule> added = new ArrayList<>();
    for (JsonNode rule : json.isArray() ? json : mapper.createArrayNode().add(json)) {
      if (!(rule instanceof ObjectNode object)) {
        throw new IllegalArgumentException("a fault rule must be a JSON object, is " + rule);
      }
      added.add(new Rule(object));
    }
    rules.addAll(added);
  }

  synchronized void clear() {
    rules.clear();
  }

  /**
   * Counts a request for every rule it matches; the first rule whose turn it is gives the fault.
   */
  synchronized Optional<Due> next(Call call) {
    String directory = call.parameter("directory").orElse("");
    String listedPath =
        call.operation() == Operation.LIST && !directory.isEmpty()
            ? call.path() + (directory.startsWith("/") ? "" : "/") + directory
            : call.path();
    Optional<Due> due = Optional.empty();
    for (Rule rule : rules) {
      if (rule.matches(call, listedPath)) {
        rule.seen++;
        if (due.isEmpty() && rule.seen >= rule.nth && rule.seen - rule.nth < rule.times) {
          rule.fired++;
          due = Optional.of(new Due(rule.type, rule.fault));
        }
      }
    }
    return due;
  }

  /** The rules with their counts. */
  synchronized ArrayNode describe() {
    ArrayNode all = mapper.createArrayNode();
    for (Rule rule : rules) {
      ObjectNode json = rule.json.deepCopy();
      json.put("operation", rule.operation);
      json.put("nth", rule.nth);
      json.put("times", rule.times);
      json.put("seen", rule.seen);
      json.put("fired", rule.fired);
      all.add(json);
    }
    return all;
  }
}
