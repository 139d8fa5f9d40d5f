package io.corehub.hub.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetReport;
import io.corehub.hub.pipeline.PipelineStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** {@code /health} as JSON. Stateless. */
public final class HealthReport {

  private static final ObjectMapper JSON = new ObjectMapper();

  private HealthReport() {}

  static String json(boolean healthy, List<PipelineStatus> pipelines) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(tree(healthy, pipelines))
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("plain values only", e);
    }
  }

  /**
   * The report as a tree.
   *
   * @param healthy whether all is well
   * @param pipelines how the pipelines stand
   * @return the root
   */
  public static ObjectNode tree(boolean healthy, List<PipelineStatus> pipelines) {
    ObjectNode root = JSON.createObjectNode();
    root.put("status", healthy ? "ok" : "stopped");
    ObjectNode byName = root.putObject("pipelines");
    for (PipelineStatus pipeline : pipelines) {
      ObjectNode node = byName.putObject(pipeline.name());
      node.put("state", pipeline.phase().word());
      pipeline.problem().ifPresent(problem -> node.put("error", problem));
      pipeline.confirmed().ifPresent(p -> node.put("confirmedPosition", p.toString()));
      ObjectNode tables = node.putObject("tables");
      for (TableStatus table : pipeline.tables()) {
        table(tables.putObject(table.table().toString()), table);
      }
    }
    return root;
  }

  private static void table(ObjectNode node, TableStatus table) {
    node.put("state", table.state().name().toLowerCase(Locale.ROOT));
    node.put("diverged", table.diverged());
    table.lastFile().ifPresent(file -> node.put("lastFile", file));
    table.lastPosition().ifPresent(p -> node.put("lastPosition", p.toString()));
    node.put("oldestUnconfirmedSeconds", ageSeconds(table));
    node.put("queue", table.filesQueued());
    node.put("filesPublished", table.filesPublished());
    node.put("rowsPublished", table.rowsPublished());
    node.put("bytesPublished", table.bytesPublished());
    table.problem().ifPresent(problem -> node.put("error", problem));
    table.target().ifPresent(report -> target(node.putObject("target"), report));
  }

  private static void target(ObjectNode node, TargetReport report) {
    node.put("condition", word(report.condition()));
    node.put("state", report.state());
    if (!report.error().isEmpty()) {
      node.put("error", report.error());
    }
    report
        .file()
        .ifPresent(file -> node.put("file", file).put("fileInferred", report.fileInferred()));
    report.operations().ifPresent(count -> node.put("operations", count));
    report.lastSync().ifPresent(at -> node.put("lastSync", at.toString()));
    report.filesWaiting().ifPresent(count -> node.put("filesWaiting", count));
    node.put("lagSeconds", lagSeconds(report));
    node.put("seen", report.seen().toString());
    report.problem().ifPresent(problem -> node.put("problem", problem));
  }

  /** A condition as outputs show it: {@code not consuming}. */
  static String word(TargetReport.Condition condition) {
    return condition.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** The target's own word, and what it comes to where the word does not say. */
  static String words(TargetReport report) {
    return switch (report.condition()) {
      case NOT_CONSUMING ->
          report.state().isEmpty() ? "not consuming" : report.state() + ", not consuming";
      case UNKNOWN, CONSUMING, HALTED, FAILED -> report.state();
    };
  }

  /** How long the oldest file that the target has not applied has been published; 0 if none is. */
  static double lagSeconds(TargetReport report) {
    return report.waitingSince().map(HealthReport::secondsSince).orElse(0.0);
  }

  /** Age of the oldest change that is not published; 0 if there is none. */
  static double ageSeconds(TableStatus table) {
    return table.oldestUnconfirmed().map(HealthReport::secondsSince).orElse(0.0);
  }

  private static double secondsSince(Instant instant) {
    return Math.max(0, Duration.between(instant, Instant.now()).toMillis() / 1000.0);
  }
}
