package io.corehub.fabric.mirroring;

import io.corehub.agent.Meters;
import io.corehub.agent.table.TableId;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.FileWindow;
import io.corehub.runtime.MemoryBudget;
import io.corehub.runtime.News;
import io.corehub.runtime.rows.RowLimit;

/**
 * What the tables of one agent share. Immutable; its parts are thread-safe.
 *
 * @param config the agent's settings
 * @param zone the landing zone
 * @param window when a change file is sealed, cut down to the memory there is
 * @param encoder turns rows into Parquet
 * @param memory bytes that may be held
 * @param ledger what is confirmed
 * @param news carries news to the host
 * @param remembered what the host remembers for the agent
 * @param meters figures
 * @param opening looks at folders
 * @param rowLimit how large a row may be
 */
record MirrorShared(
    AgentConfig config,
    LandingZone zone,
    FileWindow.Limits window,
    FileEncoder encoder,
    MemoryBudget memory,
    ConfirmationLedger ledger,
    News news,
    Remembered remembered,
    Meters meters,
    TableOpening opening,
    RowLimit rowLimit) {

  void count(String name, long amount, TableId table) {
    meters.add(name, (double) amount, "table", table.toString());
  }
}
