package io.corehub.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.corehub.agent.verify.Violation.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A page of the reference that says what the rules of a verifier say of themselves.
 *
 * @param name of the page in docs/reference
 * @param introduction what stands before the rules
 * @param groups title of each group, by what the ids of its rules begin with
 */
record RulesPage(String name, String introduction, Map<String, String> groups) {

  private static final int GROUP_LENGTH = 4;

  /**
   * A rule as the page shows it.
   *
   * @param id such as {@code CY-C1}
   * @param severity how bad it is
   * @param explanation what breaks it
   */
  record Line(String id, Severity severity, String explanation) {}

  /** Compares the page with the rules; {@code -Ddocs.update=true} writes it anew. */
  void check(List<Line> rules) throws IOException {
    Path page = Path.of("..", "docs", "reference", name);
    String expected = text(rules);
    if (Boolean.getBoolean("docs.update")) {
      Files.writeString(page, expected);
    }
    assertThat(Files.readString(page))
        .as("docs/reference/%s is stale: run this test with -Ddocs.update=true", name)
        .isEqualTo(expected);
  }

  private String text(List<Line> rules) {
    StringBuilder page = new StringBuilder(introduction);
    String group = "";
    for (Line rule : rules) {
      String of = rule.id().substring(0, GROUP_LENGTH);
      if (!of.equals(group)) {
        group = of;
        String title = groups.get(of);
        assertThat(title).as("title of the group of %s", rule.id()).isNotNull();
        page.append("\n## ").append(title).append("\n\n| Rule | | Broken when |\n|---|---|---|\n");
      }
      page.append("| `").append(rule.id()).append("` | ");
      page.append(rule.severity().name().toLowerCase(Locale.ROOT)).append(" | ");
      page.append(rule.explanation()).append(" |\n");
    }
    return page.toString();
  }
}
