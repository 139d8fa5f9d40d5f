package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.fabric.mirroring.Monitoring.Reading;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.onelake.PathProperties;
import io.corehub.onelake.Retries.FailureListener;
import io.corehub.onelake.RetryPolicy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Starts a table over as Microsoft's rebuild procedure asks: delete its folder, wait until Fabric
 * dropped the table, load it, and go on with changes when Fabric shows it again. Stateless but for
 * what it was made with; blocks its caller.
 */
final class Recreation {

  private static final Duration LOOK = Duration.ofSeconds(2);

  private static final Set<Kind> LOOKED_AT_AGAIN =
      EnumSet.of(Kind.CONFLICT, Kind.NOT_FOUND, Kind.CONDITION_NOT_MET, Kind.CONDITION_IGNORED);

  private final LandingZone zone;
  private final Duration longest;

  /**
   * For one agent.
   *
   * @param zone where the tables lie
   * @param longest how long to wait for Fabric at most, each time
   */
  Recreation(LandingZone zone, Duration longest) {
    this.zone = zone;
    this.longest = longest;
  }

  /**
   * Deletes a table's folder and waits until Fabric no longer shows the table.
   *
   * @return whether Fabric showed it before
   * @throws TableStoppedException if the folder cannot be deleted, or the table stays
   */
  boolean startOver(TableId table, String folder) throws InterruptedException {
    boolean shown = shows(table);
    Logs.LOG.warn("Table {} starts over: folder {} is deleted with all it holds", table, folder);
    delete(table, folder);
    if (shown && !await(() -> !shows(table))) {
      throw new TableStoppedException(
          table,
          ErrorCode.TARGET_UNAVAILABLE,
          "Table "
              + table
              + ": its folder was deleted, but Fabric still shows the table after "
              + longest.toSeconds()
              + " s. Look at the mirrored database's status, or raise recreateWaitSeconds; then start"
              + " again.");
    }
    return shown;
  }

  /**
   * Waits until Fabric shows a table again, so that changes may follow; false if it took too long.
   */
  boolean awaitShown(TableId table) throws InterruptedException {
    return await(() -> shows(table));
  }

  /**
   * Deletes the folder that stands there now and no later one: an attempt whose answer is lost may
   * be performed when the table is being loaded again. It is gone when a look says so.
   */
  private void delete(TableId table, String folder) throws InterruptedException {
    try {
      zone.retries()
          .call(
              RetryPolicy.within(longest.compareTo(LOOK) < 0 ? LOOK : longest),
              FailureListener.NONE,
              e -> e.transientFault() || LOOKED_AT_AGAIN.contains(e.kind()),
              () -> {
                Optional<PathProperties> there = zone.client().head(folder);
                if (there.isPresent()) {
                  zone.client().deleteTree(folder, there.get().etag());
                }
                return folder;
              });
    } catch (DfsException e) {
      throw zone.stopped(table, e);
    }
  }

  private interface Look {
    boolean done() throws InterruptedException;
  }

  private boolean await(Look look) throws InterruptedException {
    long begun = zone.time().nanos();
    while (!look.done()) {
      if (zone.time().nanos() - begun >= longest.toNanos()) {
        return false;
      }
      zone.time().sleep(LOOK);
    }
    return true;
  }

  /** Whether Fabric lists the table; not when there is no list. */
  private boolean shows(TableId table) throws InterruptedException {
    Reading<List<TableReport>> tables;
    try {
      tables = zone.atSetUp(() -> zone.monitoring().tables());
    } catch (DfsException e) {
      throw zone.stopped(table, e);
    }
    // While Fabric writes the list it cannot be read: look again.
    return tables instanceof Reading.Unreadable
        || tables.known().flatMap(known -> zone.monitoring().find(table, known)).isPresent();
  }
}
