package io.corehub.hub.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.BeforeImage;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.observe.ObserverProvider;
import io.corehub.agent.settings.Nearest;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingsSchema;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "agents",
    description =
        "Shows the agents found on the class path and their settings, and those of lineage.")
final class AgentsCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ID",
      description = "Show these settings: of an agent, or of lineage (default: all).")
  private @Nullable String id;

  @Option(names = "--json", description = "Write the settings as JSON Schema.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    List<AgentDescriptor> all =
        ConfigFile.load(TargetAgentProvider.class).stream()
            .map(TargetAgentProvider::descriptor)
            .sorted(Comparator.comparing(AgentDescriptor::id))
            .toList();
    List<AgentDescriptor> observers =
        ConfigFile.load(ObserverProvider.class).stream().map(AgentsCommand::described).toList();
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (id == null) {
      if (json) {
        ArrayNode schemas = new ObjectMapper().createArrayNode();
        all.forEach(agent -> schemas.add(AgentSchema.of(agent)));
        out.println(pretty(schemas));
      } else {
        all.forEach(agent -> out.println(agent.id() + "  " + agent.displayName()));
        all.forEach(agent -> show(agent, out));
        observers.forEach(observer -> show(observer, out));
      }
      return ExitCode.DONE;
    }
    List<AgentDescriptor> known = Stream.concat(all.stream(), observers.stream()).toList();
    AgentDescriptor agent = known.stream().filter(a -> a.id().equals(id)).findFirst().orElse(null);
    if (agent == null) {
      List<String> ids = known.stream().map(AgentDescriptor::id).toList();
      throw new Failure(
          "There is no agent '"
              + id
              + "'. "
              + Nearest.of(id, ids).map(n -> "Did you mean '" + n + "'? ").orElse("")
              + "There are: "
              + String.join(", ", ids));
    }
    if (json) {
      ObjectNode schema = AgentSchema.of(agent);
      out.println(pretty(schema));
    } else {
      show(agent, out);
    }
    return ExitCode.DONE;
  }

  /** What may watch a pipeline is described as an agent is. */
  private static AgentDescriptor described(ObserverProvider provider) {
    return new AgentDescriptor(
        provider.key(),
        "Key '" + provider.key() + "' of a pipeline, or of the hub for all pipelines",
        provider.description(),
        provider.settings(),
        new SettingsSchema(List.of()),
        BeforeImage.NONE);
  }

  private static String pretty(Object node) throws Exception {
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(node);
  }

  private static void show(AgentDescriptor agent, PrintWriter out) {
    out.println();
    out.println(agent.displayName() + " (" + agent.id() + ")");
    out.println(agent.description());
    show("Settings", agent.settings(), out);
    show("Settings of a table", agent.tableSettings(), out);
  }

  private static void show(String title, SettingsSchema schema, PrintWriter out) {
    if (schema.settings().isEmpty()) {
      return;
    }
    out.println();
    out.println(title + ":");
    String group = "";
    int order = 0;
    for (Setting<?> setting : schema.settings()) {
      order++;
      if (!setting.group().equals(group)) {
        group = setting.group();
        out.println(" " + group);
      }
      out.println("  " + order + ". " + setting.name() + " - " + setting.label() + remark(setting));
      out.println("      " + setting.help());
    }
  }

  private static String remark(Setting<?> setting) {
    StringBuilder remark = new StringBuilder(" [" + kind(setting) + "]");
    if (setting.required()) {
      remark.append(" [required");
      setting.requiredWhen().ifPresent(c -> remark.append(" when ").append(condition(c)));
      setting.requiredUnless().ifPresent(c -> remark.append(" unless ").append(condition(c)));
      remark.append(']');
    }
    setting
        .visibleWhen()
        .ifPresent(c -> remark.append(" [only with ").append(condition(c)).append(']'));
    setting
        .defaultValue()
        .ifPresent(value -> remark.append(" [default ").append(value).append(']'));
    return remark.toString();
  }

  private static String kind(Setting<?> setting) {
    return switch (setting.kind()) {
      case TEXT -> "text";
      case SECRET -> "secret";
      case URL -> "URL";
      case FILE -> "file";
      case INTEGER -> "whole number" + bounds(setting);
      case SECONDS -> "seconds" + bounds(setting);
      case MEGABYTES -> "MB" + bounds(setting);
      case SWITCH -> "true | false";
      case CHOICE -> String.join(" | ", setting.choices());
    };
  }

  private static String bounds(Setting<?> setting) {
    return (setting.min().isPresent() ? " from " + setting.min().getAsLong() : "")
        + (setting.max().isPresent() ? " to " + setting.max().getAsLong() : "");
  }

  private static String condition(Setting.Condition condition) {
    return condition.values().isEmpty()
        ? condition.setting()
        : condition.setting() + " " + String.join(" or ", condition.values());
  }
}
