package io.corehub.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.AgentDescriptor;
import io.corehub.agent.TargetAgentProvider;
import io.corehub.agent.observe.ObserverProvider;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.settings.SettingsSchema;
import io.corehub.hub.source.SourceProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/**
 * The settings reference is what agents and sources say of themselves. {@code -Ddocs.update=true}
 * writes the page anew.
 */
class SettingsReferenceTest {

  private static final Path PAGE = Path.of("..", "docs", "reference", "settings.md");

  @Test
  void pageSaysWhatTheDescriptorsSay() throws IOException {
    String expected = page();
    if (Boolean.getBoolean("docs.update")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, expected);
    }
    assertThat(Files.readString(PAGE))
        .as("docs/reference/settings.md is stale: run this test with -Ddocs.update=true")
        .isEqualTo(expected);
  }

  private static String page() {
    List<AgentDescriptor> agents = new ArrayList<>();
    ServiceLoader.load(TargetAgentProvider.class).forEach(p -> agents.add(p.descriptor()));
    agents.sort(Comparator.comparing(AgentDescriptor::id));
    assertThat(agents).isNotEmpty();
    StringBuilder page =
        new StringBuilder(
            """
            # Settings reference

            Made from the descriptions in the code; `hub agents ID` prints those of an agent. Settings of
            an agent stand in the `settings` of a pipeline's `target`, those of a table in the `settings`
            of its entry under `tables`, those of a source beside the source's `type`.
            """);
    for (AgentDescriptor agent : agents) {
      page.append("\n## ")
          .append(agent.displayName())
          .append(" (`")
          .append(agent.id())
          .append("`)\n\n");
      page.append(agent.description()).append('\n');
      settings(page, agent.settings());
      if (!agent.tableSettings().settings().isEmpty()) {
        page.append("\n### Of each table\n");
        settings(page, agent.tableSettings());
      }
    }
    List<SourceProvider> sources = new ArrayList<>();
    ServiceLoader.load(SourceProvider.class).forEach(sources::add);
    sources.sort(Comparator.comparing(SourceProvider::type));
    assertThat(sources).isNotEmpty();
    for (SourceProvider source : sources) {
      page.append("\n## Source `").append(source.type()).append("`\n");
      settings(page, source.settings());
    }
    List<ObserverProvider> observers = new ArrayList<>();
    ServiceLoader.load(ObserverProvider.class).forEach(observers::add);
    observers.sort(Comparator.comparing(ObserverProvider::key));
    assertThat(observers).isNotEmpty();
    for (ObserverProvider observer : observers) {
      page.append("\n## Key `").append(observer.key()).append("`\n\n");
      page.append(observer.description())
          .append(" Stands beside `source` and `target` of a pipeline, or below `hub` for all.\n");
      settings(page, observer.settings());
    }
    return page.toString();
  }

  private static void settings(StringBuilder page, SettingsSchema schema) {
    String group = null;
    for (Setting<?> setting : schema.settings()) {
      if (!setting.group().equals(group)) {
        group = setting.group();
        if (!group.isEmpty()) {
          page.append("\n### ").append(group).append('\n');
        }
        page.append("\n| Setting | Value | Default | |\n|---|---|---|---|\n");
      }
      page.append("| `").append(setting.name()).append("` | ");
      page.append(value(setting)).append(" | ");
      page.append(setting.defaultValue().map(text -> "`" + text + "`").orElse("")).append(" | ");
      page.append("**").append(cell(setting.label())).append("**. ").append(cell(setting.help()));
      setting
          .visibleWhen()
          .ifPresent(c -> page.append(" Only with `").append(condition(c)).append("`."));
      if (setting.required()) {
        page.append(
            setting
                .requiredWhen()
                .map(c -> " Required with `" + condition(c) + "`.")
                .or(
                    () ->
                        setting
                            .requiredUnless()
                            .map(c -> " Required unless `" + condition(c) + "` is given."))
                .orElse(" Required."));
      }
      page.append(" |\n");
    }
  }

  private static String value(Setting<?> setting) {
    return switch (setting.kind()) {
      case TEXT -> "text";
      case SECRET -> "secret";
      case URL -> "address";
      case FILE -> "path";
      case SWITCH -> "`true`, `false`";
      case CHOICE -> String.join(", ", setting.choices().stream().map(c -> "`" + c + "`").toList());
      case INTEGER -> range(setting, "");
      case SECONDS -> range(setting, " seconds");
      case MEGABYTES -> range(setting, " MB");
    };
  }

  private static String range(Setting<?> setting, String unit) {
    return setting.min().orElse(0) + " to " + setting.max().orElse(Long.MAX_VALUE) + unit;
  }

  private static String condition(Setting.Condition condition) {
    return condition.values().isEmpty()
        ? condition.setting()
        : condition.setting() + ": " + String.join(" or ", condition.values());
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;");
  }
}
