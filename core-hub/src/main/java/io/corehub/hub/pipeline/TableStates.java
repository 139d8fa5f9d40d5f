package io.corehub.hub.pipeline;

import io.corehub.agent.TableStatus;
import io.corehub.agent.table.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Joins what the agent and the hub know of the tables. */
final class TableStates {

  private TableStates() {}

  /** Statuses in order of table names; a table the hub stopped shows the hub's reason. */
  static List<TableStatus> merge(List<TableStatus> ofAgent, Map<TableId, String> stopped) {
    Map<TableId, TableStatus> merged = new TreeMap<>();
    ofAgent.forEach(status -> merged.put(status.table(), status));
    stopped.forEach(
        (table, reason) -> {
          TableStatus known = merged.get(table);
          merged.put(table, known == null ? unknown(table, reason) : stopped(known, reason));
        });
    return new ArrayList<>(merged.values());
  }

  private static TableStatus unknown(TableId table, String reason) {
    return new TableStatus(
        table,
        TableStatus.State.STOPPED,
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        0,
        0,
        Optional.of(reason),
        Optional.empty());
  }

  private static TableStatus stopped(TableStatus known, String reason) {
    return new TableStatus(
        known.table(),
        TableStatus.State.STOPPED,
        known.diverged(),
        known.lastFile(),
        known.lastPosition(),
        known.oldestUnconfirmed(),
        known.filesQueued(),
        known.filesPublished(),
        known.rowsPublished(),
        known.bytesPublished(),
        Optional.of(reason),
        known.target());
  }
}
