package io.corehub.cycles;

import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStatus;
import io.corehub.agent.table.TableId;
import io.corehub.cycles.Manifest.TableState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** How the tables of a job that nobody runs stand after its newest completed cycle. Stateless. */
final class JobLook {

  private JobLook() {}

  /**
   * One status for each table with rows in cycles or missing there.
   *
   * @param start where the job stands
   * @param passed tables that the confirmed position went on without
   */
  static List<TableStatus> statuses(JobStart start, PassedTables passed) {
    Set<TableId> tables = new TreeSet<>(start.tables().keySet());
    tables.addAll(passed.memory().stopped());
    tables.addAll(passed.memory().removed());
    List<TableStatus> statuses = new ArrayList<>();
    for (TableId table : tables) {
      statuses.add(status(table, start, passed));
    }
    return statuses;
  }

  private static TableStatus status(TableId table, JobStart start, PassedTables passed) {
    Optional<TableState> stands = Optional.ofNullable(start.tables().get(table));
    TableStatus.State state = state(stands);
    // What has no changes yet begins anew at the next start, and lacks nothing then.
    boolean out =
        passed.isRemoved(table) || (passed.lacks(table) && state == TableStatus.State.CHANGES);
    return new TableStatus(
        table,
        out ? TableStatus.State.STOPPED : state,
        false,
        Optional.empty(),
        stands
            .map(TableState::appliedOrder)
            .filter(order -> order != 0 && !start.timeline().isEmpty())
            .map(order -> new SourcePosition(start.timeline(), order, "")),
        Optional.empty(),
        0,
        0,
        0,
        0,
        out ? Optional.ofNullable(passed.refusal(table).getMessage()) : Optional.empty(),
        Optional.empty());
  }

  private static TableStatus.State state(Optional<TableState> stands) {
    return stands
        .map(
            table ->
                switch (table.phase()) {
                  case TRUNCATION, LOAD -> TableStatus.State.SNAPSHOT;
                  case DURING_LOAD, BACKLOG, CDC -> TableStatus.State.CHANGES;
                })
        .orElse(TableStatus.State.WAITING);
  }
}
