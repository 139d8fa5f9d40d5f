package io.corehub.hub.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingsSchema;

/**
 * An agent's settings as JSON Schema (2020-12). Beside the standard words each property has {@code
 * group}, {@code order} and {@code secret}; conditions are told as {@code visibleWhen} and {@code
 * requiredUnless}. The settings of a table stand under {@code $defs.table}.
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
    int order = 0;
    for (Setting<?> setting : settings.settings()) {
      order++;
      describe(properties.putObject(setting.name()), setting, order);
      if (setting.required()
          && setting.requiredUnless().isEmpty()
          && setting.visibleWhen().isEmpty()
          && setting.defaultValue().isEmpty()) {
        required.add(setting.name());
      }
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
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
    setting.requiredUnless().ifPresent(c -> condition(property.putObject("requiredUnless"), c));
  }

  private static void condition(ObjectNode node, Setting.Condition condition) {
    node.put("setting", condition.setting());
    ArrayNode values = node.putArray("values");
    condition.values().forEach(values::add);
  }
}
