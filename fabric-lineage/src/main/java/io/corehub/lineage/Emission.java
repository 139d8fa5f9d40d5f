package io.corehub.lineage;

import io.openlineage.client.OpenLineage.RunEvent.EventType;
import java.time.Instant;
import java.util.Optional;

/**
 * An event that is to be sent, before its facets are put together. Immutable.
 *
 * @param type what happened
 * @param run to which run
 * @param at when
 * @param facts of its table; empty for the pipeline itself
 * @param statistics what it tells of files
 * @param error why it failed
 * @param droppable whether it may be left out when too many wait: what it tells is then told by
 *     another event of the run
 */
record Emission(
    EventType type,
    Run run,
    Instant at,
    Optional<TableFacts> facts,
    Statistics statistics,
    Optional<String> error,
    boolean droppable) {

  static Emission of(EventType type, Run run, Instant at, Optional<TableFacts> facts) {
    return new Emission(type, run, at, facts, Statistics.NONE, Optional.empty(), false);
  }

  Emission with(Statistics told) {
    return new Emission(type, run, at, facts, told, error, droppable);
  }

  Emission because(String reason) {
    return new Emission(type, run, at, facts, statistics, Optional.of(reason), droppable);
  }

  Emission mayBeDropped() {
    return new Emission(type, run, at, facts, statistics, error, true);
  }

  /** Whether the run is over with it. */
  boolean terminal() {
    return type == EventType.COMPLETE || type == EventType.FAIL || type == EventType.ABORT;
  }

  /** Whether it tells what was published since the event before it. */
  boolean tellsWindow() {
    return run.job().kind() == JobKey.Kind.CHANGES
        && (type == EventType.RUNNING || type == EventType.FAIL);
  }
}
