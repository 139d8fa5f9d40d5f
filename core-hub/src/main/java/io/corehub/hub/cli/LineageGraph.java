package io.corehub.hub.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.corehub.hub.source.Shown;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The graph that OpenLineage events draw: datasets, and the jobs between them. Single-threaded. */
final class LineageGraph {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NOWHERE = "(nothing that has a name)";

  private final Map<String, Map<String, Edge>> edges = new TreeMap<>();
  private final Map<String, String> pipelines = new TreeMap<>();
  private int events;

  /** What goes from one dataset to another. */
  private static final class Edge {
    final Map<String, Work> jobs = new TreeMap<>();
    final Set<String> otherNames = new LinkedHashSet<>();
    Map<String, Set<String>> columns = new LinkedHashMap<>();
  }

  /** What one job did. */
  private static final class Work {
    String state = "";
    long rows;
    long rowsOfRun;
  }

  /**
   * Adds an event.
   *
   * @throws IllegalArgumentException if the text is not a run event
   */
  void add(String text) {
    JsonNode event;
    try {
      event = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("it is not valid JSON: " + e.getOriginalMessage(), e);
    }
    JsonNode type = event.path("eventType");
    JsonNode job = event.path("job").path("name");
    if (!type.isTextual() || !job.isTextual()) {
      throw new IllegalArgumentException("it is no OpenLineage run event");
    }
    events++;
    if (event.path("inputs").isEmpty() && event.path("outputs").isEmpty()) {
      if (!event.at("/job/facets/jobType/processingType").asText().equals("SERVICE")) {
        endKnown(job.asText(), type.asText());
      } else {
        pipelines.put(job.asText(), type.asText());
      }
    }
    for (JsonNode input : event.path("inputs")) {
      if (event.path("outputs").isEmpty()) {
        count(edge(name(input), NOWHERE), job.asText(), event, JSON.createObjectNode());
      }
      for (JsonNode output : event.path("outputs")) {
        Edge edge = edge(name(input), name(output));
        count(edge, job.asText(), event, output);
        describe(edge, name(input), output);
      }
    }
  }

  /** A run that was cut off is ended by an event that names its job alone. */
  private void endKnown(String job, String state) {
    for (Map<String, Edge> targets : edges.values()) {
      for (Edge edge : targets.values()) {
        Work work = edge.jobs.get(job);
        if (work != null) {
          work.state = state;
        }
      }
    }
  }

  private Edge edge(String from, String to) {
    return edges
        .computeIfAbsent(from, key -> new TreeMap<>())
        .computeIfAbsent(to, key -> new Edge());
  }

  private static String name(JsonNode dataset) {
    return Shown.of(dataset.path("namespace").asText())
        + " / "
        + Shown.of(dataset.path("name").asText());
  }

  /** A finite job tells totals of its run, an endless one what came since its last event. */
  private static void count(Edge edge, String job, JsonNode event, JsonNode output) {
    Work work = edge.jobs.computeIfAbsent(job, key -> new Work());
    work.state = event.path("eventType").asText();
    long rows = output.at("/outputFacets/outputStatistics/rowCount").asLong();
    boolean totals =
        event
            .at("/job/facets/jobType/emissionPattern/eventContentMode")
            .asText()
            .equals("ACCUMULATIVE");
    if (!totals) {
      work.rows += rows;
    } else if (work.state.equals("START")) {
      work.rowsOfRun = 0;
    } else {
      work.rows += rows - work.rowsOfRun;
      work.rowsOfRun = rows;
    }
  }

  private static void describe(Edge edge, String from, JsonNode output) {
    for (JsonNode link : output.at("/facets/symlinks/identifiers")) {
      edge.otherNames.add(name(link));
    }
    JsonNode fields = output.at("/facets/columnLineage/fields");
    if (fields.isObject()) {
      edge.columns = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> field : fields.properties()) {
        Set<String> sources = new LinkedHashSet<>();
        for (JsonNode source : field.getValue().path("inputFields")) {
          if (name(source).equals(from)) {
            sources.add(Shown.of(source.path("field").asText()));
          }
        }
        edge.columns.put(Shown.of(field.getKey()), sources);
      }
    }
  }

  void print(PrintWriter out) {
    out.printf("%,d events%n", events);
    pipelines.forEach((job, state) -> out.println("pipeline " + Shown.of(job) + ": " + state));
    edges.forEach(
        (from, targets) -> {
          out.println();
          out.println(from);
          targets.forEach((to, edge) -> print(out, to, edge));
        });
  }

  private static void print(PrintWriter out, String to, Edge edge) {
    out.println("  → " + to);
    edge.otherNames.forEach(name -> out.println("    = " + name));
    edge.jobs.forEach(
        (job, work) ->
            out.printf(
                "    by %s: %s, %s rows%n", Shown.of(job), work.state, Main.count(work.rows)));
    edge.columns.forEach(
        (column, sources) -> out.println("    " + column + " ← " + String.join(", ", sources)));
  }
}
