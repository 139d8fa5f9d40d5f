package io.corehub.fabric.mirroring;

import io.corehub.agent.table.TableId;
import java.time.Duration;
import java.util.Optional;

/**
 * Operations of a table that Fabric cannot apply: truncates, and deletes without a key. Each is
 * counted; the host is warned once, then at most every ten minutes. Thread-safe.
 */
final class SkippedOperations {

  private static final Duration QUIET = Duration.ofMinutes(10);

  private final MirrorShared shared;
  private final TableId table;
  private long sinceWarning;
  private boolean warned;
  private long warnedAtNanos;

  SkippedOperations(MirrorShared shared, TableId table) {
    this.shared = shared;
    this.table = table;
  }

  void deletes(long count) {
    if (count > 0) {
      note(count, "deletes.skipped", "deletes of a table without primary key");
    }
  }

  void truncate() {
    note(1, "truncates.skipped", "truncates");
  }

  private void note(long count, String meter, String what) {
    shared.count(meter, count, table);
    if (shared.remembered().noteDiverged(table)) {
      shared.news().stateChanged();
    }
    long total = countOrSilence(count);
    if (total > 0) {
      shared
          .news()
          .warning(
              Optional.of(table),
              "Table "
                  + table
                  + ": "
                  + total
                  + " operations were skipped, because Fabric cannot apply "
                  + what
                  + ". The mirrored table differs from its source from then on. "
                  + Advice.RECREATE);
    }
  }

  private synchronized long countOrSilence(long count) {
    long now = shared.zone().time().nanos();
    sinceWarning += count;
    if (warned && now - warnedAtNanos < QUIET.toNanos()) {
      return 0;
    }
    warned = true;
    warnedAtNanos = now;
    long total = sinceWarning;
    sinceWarning = 0;
    return total;
  }
}
