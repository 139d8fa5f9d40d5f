package io.corehub.hub.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.corehub.hub.source.Shown;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A report in the form of {@code /health}, as text for people. Stateless. */
final class StatusText {

  private static final List<String> HEAD =
      List.of("TABLE", "STATE", "LAST FILE", "POSITION", "UNCONFIRMED", "TARGET SAYS", "WAITING");

  private static final Set<String> TARGET_NEEDS_PERSON =
      Set.of("failed", "halted", "not consuming");

  private StatusText() {}

  /** What a person must see to; empty if nothing. */
  static List<String> problems(JsonNode report) {
    List<String> problems = new ArrayList<>();
    for (Map.Entry<String, JsonNode> pipeline : report.path("pipelines").properties()) {
      String name = Shown.of(pipeline.getKey());
      String error = pipeline.getValue().path("error").asText("");
      if (!error.isEmpty() || pipeline.getValue().path("state").asText().equals("failed")) {
        problems.add(name + ": " + (error.isEmpty() ? "failed" : Shown.message(error)));
      }
      for (Map.Entry<String, JsonNode> table : pipeline.getValue().path("tables").properties()) {
        JsonNode node = table.getValue();
        if (node.path("state").asText().equals("stopped")) {
          problems.add(
              name
                  + ": "
                  + Shown.message(
                      node.path("error").asText(Shown.of(table.getKey()) + " stopped")));
        }
        if (node.path("diverged").asBoolean()) {
          problems.add(
              name
                  + ": Table "
                  + Shown.of(table.getKey())
                  + " differs from the source: operations that the target does not take (a truncate,"
                  + " a delete without key) were skipped. Load it anew with hub recreate-table.");
        }
        JsonNode target = node.path("target");
        if (TARGET_NEEDS_PERSON.contains(target.path("condition").asText())) {
          String problem = name + ": " + Shown.message(target.path("problem").asText());
          if (!problems.contains(problem)) {
            problems.add(problem);
          }
        }
      }
    }
    return problems;
  }

  static void print(JsonNode report, PrintWriter out) {
    for (Map.Entry<String, JsonNode> pipeline : report.path("pipelines").properties()) {
      print(pipeline.getKey(), pipeline.getValue(), report.path("running").asBoolean(), out);
    }
  }

  private static void print(String name, JsonNode pipeline, boolean running, PrintWriter out) {
    String state = pipeline.path("state").asText();
    out.println(
        "Pipeline "
            + Shown.of(name)
            + ": "
            + (running || state.equals("never run") ? state : "not running (" + state + ")")
            + (pipeline.has("confirmedPosition")
                ? ", confirmed up to position " + pipeline.path("confirmedPosition").asText()
                : ""));
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    pipeline.path("tables").properties().forEach(t -> rows.add(row(t.getKey(), t.getValue())));
    if (rows.size() == 1) {
      out.println("  no table yet");
      return;
    }
    int[] widths = new int[HEAD.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(" ");
      for (int i = 0; i < widths.length; i++) {
        line.append(' ').append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length()));
        line.append(' ');
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private static List<String> row(String name, JsonNode table) {
    JsonNode target = table.path("target");
    String said = target.path("state").asText("");
    String condition = target.path("condition").asText("");
    boolean more = condition.equals("not consuming");
    return List.of(
        Shown.of(name),
        table.path("state").asText() + (table.path("diverged").asBoolean() ? ", diverged" : ""),
        table.path("lastFile").asText("-"),
        table.path("lastPosition").asText("-"),
        table.has("oldestUnconfirmedSeconds")
            ? String.format(
                Locale.ROOT, "%.1f s", table.path("oldestUnconfirmedSeconds").asDouble())
            : "-",
        said.isEmpty() && !more
            ? "-"
            : said + (more ? (said.isEmpty() ? "" : ", ") + condition : ""),
        target.path("filesWaiting").asText("-"));
  }
}
