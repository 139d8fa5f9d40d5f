package io.corehub.fabric.mirroring;

import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsException;
import io.corehub.storage.Patience;
import java.time.Duration;
import java.util.Optional;

/** Tells of a table whose requests fail for a passing reason. Thread-safe. */
final class FailureNews implements Patience.Listener {

  private final MirrorShared shared;
  private final TableId table;
  private volatile Optional<String> advice = Optional.empty();

  FailureNews(MirrorShared shared, TableId table) {
    this.shared = shared;
    this.table = table;
  }

  /** What a person can do while requests fail; empty while they succeed. */
  Optional<String> advice() {
    return advice;
  }

  @Override
  public void failing(DfsException failure) {
    advice = Optional.of(shared.zone().advice(failure));
    shared.count("requests.repeated", 1, table);
    Logs.LOG.debug("Table {}: a request failed and is repeated", table, failure);
  }

  @Override
  public void outOfBudget(DfsException failure, Duration since) {
    shared
        .news()
        .warning(
            Optional.of(table),
            "Table "
                + table
                + ": requests have failed for "
                + since.toSeconds()
                + " s and go on being repeated. "
                + shared.zone().advice(failure));
  }

  @Override
  public void recovered() {
    advice = Optional.empty();
  }
}
