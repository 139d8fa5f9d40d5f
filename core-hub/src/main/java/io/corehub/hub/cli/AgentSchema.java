package io.corehub.hub.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingsSchema;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An agent's settings as JSON Schema (2020-12). Beside the standard words each property has {@code
 * group}, {@code order} and {@code secret}; conditions are told as {@code visibleWhen}, {@code
 * requiredWhen} and {@code requiredUnless}, and the required settings that depend on one also as
 * {@code if} and {@code then}, for validators. The settings of a table stand under {@code
 * $defs.table}.
 */
final class AgentSchema {

  private AgentSchema() {}

  static ObjectNode of(AgentDescriptor agent) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("$id", "urn:corehub:agent:" + agent.id());
    schema.put("title", agent.displayName());
    schema.put("description", agent.description());
    fill(schema, agent.settings());
    ObjectNode table = schema.putObject("$defs").putObject("table");
    table.put("title", "Settings of a table");
    fill(table, agent.tableSettings());
    return schema;
  }

  private static void fill(ObjectNode schema, SettingsSchema settings) {
    schema.put("type", "object");
    schema.put("additionalProperties", false);
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = JsonNodeFactory.instance.arrayNode();
    ArrayNode dependent = JsonNodeFactory.instance.arrayNode();
    int order = 0;
    for (Setting<?> setting : settings.settings()) {
      order++;
      describe(properties.putObject(setting.name()), setting, order);
      if (setting.required() && setting.defaultValue().isEmpty()) {
        ArrayNode conditions = conditions(setting, settings);
        if (conditions.isEmpty()) {
          required.add(setting.name());
        } else {
          ObjectNode rule = dependent.addObject();
          rule.putObject("if").set("allOf", conditions);
          rule.putObject("then").putArray("required").add(setting.name());
        }
      }
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
    if (!dependent.isEmpty()) {
      schema.set("allOf", dependent);
    }
  }

  /** What must hold for a required setting to be missed. */
  private static ArrayNode conditions(Setting<?> setting, SettingsSchema settings) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    setting.visibleWhen().ifPresent(c -> all.add(holds(c, settings)));
    setting.requiredWhen().ifPresent(c -> all.add(holds(c, settings)));
    setting.requiredUnless().ifPresent(c -> all.addObject().set("not", holds(c, settings)));
    return all;
  }

  /** A schema that is valid where the condition holds; a setting left out has its default. */
  private static ObjectNode holds(Setting.Condition condition, SettingsSchema settings) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    Optional<String> byDefault = settings.find(condition.setting()).flatMap(Setting::defaultValue);
    boolean evenIfLeftOut = byDefault.isPresent() && condition.isMetBy(byDefault.get());
    if (!evenIfLeftOut) {
      schema.putArray("required").add(condition.setting());
    }
    if (!condition.values().isEmpty()) {
      ObjectNode value = schema.putObject("properties").putObject(condition.setting());
      if (condition.values().stream().anyMatch(wanted -> wanted.endsWith("*"))) {
        value.put("pattern", pattern(condition));
      } else {
        ArrayNode values = value.putArray("enum");
        condition.values().forEach(values::add);
      }
    }
    return schema;
  }

  /** A regular expression of the condition's values; the names of settings need no quoting. */
  private static String pattern(Setting.Condition condition) {
    return condition.values().stream()
        .map(
            wanted ->
                wanted.endsWith("*")
                    ? "^" + wanted.substring(0, wanted.length() - 1)
                    : "^" + wanted + "$")
        .collect(Collectors.joining("|"));
  }

  private static void describe(ObjectNode property, Setting<?> setting, int order) {
    property.put("title", setting.label());
    property.put("description", setting.help());
    property.put("group", setting.group());
    property.put("order", order);
    property.put("secret", setting.kind() == Setting.Kind.SECRET);
    switch (setting.kind()) {
      case INTEGER, SECONDS, MEGABYTES -> {
        property.put("type", "integer");
        setting.min().ifPresent(min -> property.put("minimum", min));
        setting.max().ifPresent(max -> property.put("maximum", max));
        setting.defaultValue().ifPresent(v -> property.put("default", Long.parseLong(v)));
      }
      case SWITCH -> {
        property.put("type", "boolean");
        setting.defaultValue().ifPresent(v -> property.put("default", Boolean.parseBoolean(v)));
      }
      case TEXT, SECRET, URL, FILE, CHOICE -> {
        property.put("type", "string");
        setting.defaultValue().ifPresent(v -> property.put("default", v));
      }
    }
    switch (setting.kind()) {
      case SECRET -> {
        property.put("format", "password");
        property.put("writeOnly", true);
      }
      case URL -> property.put("format", "uri");
      case CHOICE -> {
        ArrayNode choices = property.putArray("enum");
        setting.choices().forEach(choices::add);
      }
      case SECONDS -> property.put("unit", "seconds");
      case MEGABYTES -> property.put("unit", "megabytes");
      case TEXT, FILE, INTEGER, SWITCH -> {}
    }
    if (setting.required()) {
      property.put("mandatory", true);
    }
    setting.visibleWhen().ifPresent(c -> condition(property.putObject("visibleWhen"), c));
    setting.requiredWhen().ifPresent(c -> condition(property.putObject("requiredWhen"), c));
    setting.requiredUnless().ifPresent(c -> condition(property.putObject("requiredUnless"), c));
  }

  private static void condition(ObjectNode node, Setting.Condition condition) {
    node.put("setting", condition.setting());
    ArrayNode values = node.putArray("values");
    condition.values().forEach(values::add);
  }
}
