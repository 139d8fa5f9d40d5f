package io.corehub.hub.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.TableStatus;
import io.corehub.hub.pipeline.PipelineStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** {@code /health} as JSON. */
final class HealthReport {

  private static final ObjectMapper JSON = new ObjectMapper();

  private HealthReport() {}

  static String json(boolean healthy, List<PipelineStatus> pipelines) {
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
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("plain values only", e);
    }
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
  }

  /** Age of the oldest change that is not published; 0 if there is none. */
  static double ageSeconds(TableStatus table) {
    return table
        .oldestUnconfirmed()
        .map(since -> Math.max(0, Duration.between(since, Instant.now()).toMillis() / 1000.0))
        .orElse(0.0);
  }
}
