package io.corehub.cycles;

import io.corehub.agent.table.TableId;
import io.corehub.cycles.Manifest.TableState;
import java.util.Map;
import java.util.Optional;

/**
 * Where a job stands when it is opened. Immutable.
 *
 * @param job its identity
 * @param last its newest completed cycle
 * @param newest the greatest name ever used in its folder, that of an abandoned cycle included
 * @param timeline the history its positions belong to; empty before its first
 * @param current order and row number of the last commit it holds; empty before its first
 * @param tables where each table stands after that cycle
 * @param rollback whether the folder lost cycles, and that was accepted
 */
record JobStart(
    String job,
    Optional<CycleName> last,
    Optional<CycleName> newest,
    String timeline,
    Optional<Sequence> current,
    Map<TableId, TableState> tables,
    boolean rollback) {

  JobStart {
    tables = Map.copyOf(tables);
  }
}
