package io.corehub.hub.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.corehub.agent.AgentContext;
import io.corehub.agent.AgentException;
import io.corehub.agent.Meters;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetAgent;
import io.corehub.hub.config.HubConfig;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.pipeline.PipelineStatus;
import io.corehub.hub.state.PipelineState;
import io.corehub.hub.state.RunNotes;
import io.corehub.hub.state.StateLook;
import io.corehub.hub.web.HealthReport;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How the pipelines stand as state directory and target tell it, in the form of {@code /health}.
 * Takes nothing over from a hub that may be running. Stateless.
 */
final class OfflineStatus {

  /** Figures that only a running hub has. */
  private static final List<String> LIVE_FIGURES =
      List.of(
          "oldestUnconfirmedSeconds", "queue", "filesPublished", "rowsPublished", "bytesPublished");

  private OfflineStatus() {}

  static ObjectNode of(HubConfig config, StateLook state, boolean running)
      throws InterruptedException {
    List<PipelineStatus> pipelines = new ArrayList<>();
    for (PipelineConfig pipeline : config.pipelines()) {
      pipelines.add(pipeline(pipeline, state.stateOf(pipeline.id()), state.notesOf(pipeline.id())));
    }
    ObjectNode report = HealthReport.tree(true, pipelines);
    for (PipelineConfig pipeline : config.pipelines()) {
      ObjectNode node = (ObjectNode) report.path("pipelines").path(pipeline.name());
      RunNotes notes = state.notesOf(pipeline.id());
      node.put("state", word(notes, running));
      ObjectNode tables = (ObjectNode) node.path("tables");
      tables.forEach(table -> ((ObjectNode) table).remove(LIVE_FIGURES));
      notes.stopped().forEach((table, reason) -> stopped(tables, table, reason));
    }
    return report;
  }

  private static void stopped(ObjectNode tables, String table, String reason) {
    ObjectNode node = tables.has(table) ? (ObjectNode) tables.get(table) : tables.putObject(table);
    node.put("state", "stopped");
    node.put("error", reason);
  }

  /** A run that was killed had no time to say so. */
  private static String word(RunNotes notes, boolean running) {
    boolean ended = isEnd(notes.phase());
    if (running) {
      return notes.phase().isEmpty() ? "starting" : notes.phase();
    }
    return notes.phase().isEmpty() ? "never run" : ended ? notes.phase() : "killed";
  }

  private static boolean isEnd(String phase) {
    return phase.equals("done") || phase.equals("stopped") || phase.equals("failed");
  }

  private static PipelineStatus pipeline(
      PipelineConfig pipeline, PipelineState state, RunNotes notes) throws InterruptedException {
    List<TableStatus> tables = new ArrayList<>();
    Optional<String> problem = notes.problem();
    try (TargetAgent agent =
        pipeline
            .agent()
            .create(
                pipeline.agentSettings(),
                new AgentContext(
                    pipeline.id(),
                    0,
                    pipeline.source().type(),
                    "",
                    new DeafListener(),
                    Clock.systemUTC(),
                    Meters.NONE))) {
      agent.look(state.resumePoint(false)).stream()
          .filter(status -> pipeline.tables().selects(status.table()))
          .forEach(tables::add);
    } catch (AgentException e) {
      problem = Optional.of(String.valueOf(e.getMessage()));
    }
    tables.sort(Comparator.comparing(TableStatus::table));
    return new PipelineStatus(
        pipeline.name(), phase(notes), problem, state.confirmed(), tables, Map.of());
  }

  private static PipelineStatus.Phase phase(RunNotes notes) {
    return isEnd(notes.phase())
        ? PipelineStatus.Phase.valueOf(notes.phase().toUpperCase(Locale.ROOT))
        : PipelineStatus.Phase.STOPPED;
  }
}
