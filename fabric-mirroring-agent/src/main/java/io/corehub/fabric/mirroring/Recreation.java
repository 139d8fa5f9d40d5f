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
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.News;
import io.corehub.storage.DfsErrors;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Starts a table over as Microsoft's rebuild procedure asks: delete its folder, wait until Fabric
 * dropped the table, load it, and go on with changes when Fabric shows it again.
 *
 * <p>Safe to kill at any time. The host has stored that the folder is to go before the first delete
 * is sent, so what is left of a folder is never taken for the table; and it remembers that Fabric
 * is to show the table again until it does. Stateless but for what it was made with; blocks its
 * caller.
 */
final class Recreation {

  private static final Duration LOOK = Duration.ofSeconds(2);

  private static final Set<Kind> LOOKED_AT_AGAIN =
      EnumSet.of(Kind.CONFLICT, Kind.NOT_FOUND, Kind.CONDITION_NOT_MET, Kind.CONDITION_IGNORED);

  private final LandingZone zone;
  private final News news;
  private final Remembered remembered;
  private final ConfirmationLedger ledger;
  private final FolderFence fence;
  private final Duration longest;

  /** For the tables of one agent. */
  Recreation(MirrorShared shared) {
    this.zone = shared.zone();
    this.news = shared.news();
    this.remembered = shared.remembered();
    this.ledger = shared.ledger();
    this.fence = new FolderFence(shared);
    this.longest = shared.config().rules().recreateWait();
  }

  /**
   * Deletes a table's folder and waits until Fabric no longer shows the table; takes up what an
   * earlier run began. Nothing of this run may be on its way to the folder.
   *
   * @param only what the folder may hold
   * @return whether there was a folder, or the host knew of the table
   * @throws TableStoppedException if the folder cannot be deleted, or the table stays
   */
  boolean startOver(TableId table, FolderFence.Only only) throws InterruptedException {
    String folder = zone.folder(FileSchema.folderOf(table));
    boolean known = remembered.knows(table);
    Optional<String> etag = etag(table, folder);
    Optional<TableOpening.Standing> standing = fence.look(table);
    Remembered.Ending now =
        new Remembered.Ending(standing.map(at -> at.last().chain().incarnation()), etag);
    if (remembered.ending(table).filter(decided -> decided.replacedBy(now)).isPresent()) {
      Logs.LOG.info("Table {}: another run has deleted folder {} and made it anew", table, folder);
      gone(table);
      return known;
    }
    Optional<TableFolder> fenced = fence.raise(table, standing, only);
    remembered.noteDeleting(table, shows(table), now);
    store(table);
    if (etag.isPresent()) {
      Logs.LOG.warn("Table {} starts over: folder {} is deleted with all it holds", table, folder);
    }
    boolean found = delete(table, folder, fenced, etag);
    if (!await(() -> !shows(table))) {
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
    gone(table);
    return known || found;
  }

  /** Nothing is missing in a table of which there is nothing. */
  private void gone(TableId table) {
    ledger.release(table);
    remembered.noteDeleted(table);
    news.stateChanged();
  }

  /** Waits until Fabric shows a re-created table again, so that changes may follow. */
  void awaitReturn(TableId table) throws InterruptedException {
    if (!remembered.awaitsReturn(table)) {
      return;
    }
    if (!await(() -> shows(table))) {
      news.warning(
          Optional.of(table),
          "Table "
              + table
              + " was re-created, but Fabric does not show it after "
              + longest.toSeconds()
              + " s. Changes follow all the same; look at the mirrored database's status.");
    }
    remembered.noteReturned(table);
    news.stateChanged();
  }

  private void store(TableId table) throws InterruptedException {
    try {
      news.storeState();
    } catch (ExecutionException e) {
      throw new TableStoppedException(
          table,
          ErrorCode.INTERNAL,
          "Table "
              + table
              + ": its folder is not deleted, because the hub could not store that it is to be: "
              + String.valueOf(e.getCause())
              + ". Correct that and start again.",
          e);
    }
  }

  /** Tells one folder from a later one at the same path; empty if there is none. */
  private Optional<String> etag(TableId table, String folder) throws InterruptedException {
    try {
      return zone.atSetUp(() -> zone.client().head(folder)).map(PathProperties::etag);
    } catch (DfsException e) {
      throw zone.stopped(table, e);
    }
  }

  /**
   * Deletes the folder that stands there and no later one: an attempt whose answer is lost may be
   * performed when the table is being loaded again. Another run may have fenced it off meanwhile,
   * and even have filled it anew. It is gone when a look says so.
   *
   * @param fenced the folder that others are shut out of; without it they are not, and may write at
   *     any moment
   * @param decided the etag of the folder that was looked at; without a fence no other one goes
   * @return whether it was there
   */
  private boolean delete(
      TableId table, String folder, Optional<TableFolder> fenced, Optional<String> decided)
      throws InterruptedException {
    AtomicBoolean found = new AtomicBoolean();
    AtomicReference<String> proved = new AtomicReference<>("");
    try {
      return zone.retries()
          .call(
              RetryPolicy.within(longest.compareTo(LOOK) < 0 ? LOOK : longest),
              FailureListener.NONE,
              e -> e.transientFault() || LOOKED_AT_AGAIN.contains(e.kind()),
              () -> {
                Optional<String> there = zone.client().head(folder).map(PathProperties::etag);
                if (there.isPresent() && (fenced.isPresent() || there.equals(decided))) {
                  found.set(true);
                  if (fenced.isEmpty() || !there.get().equals(proved.get())) {
                    fence.prove(table, fenced);
                    proved.set(there.get());
                  }
                  zone.client().deleteTree(folder, there.get());
                }
                return found.get();
              });
    } catch (DfsException e) {
      throw new TableStoppedException(
          table,
          DfsErrors.codeOf(e),
          "Table "
              + table
              + " is to be loaded anew, but its folder "
              + folder
              + " could not be deleted: "
              + reason(e)
              + " The next start goes on with it; you may also delete the folder yourself.",
          e);
    }
  }

  private String reason(DfsException e) {
    return switch (e.kind()) {
      case UNAUTHORIZED, FORBIDDEN -> "the right to delete is missing. " + zone.advice(e);
      case CONFLICT ->
          "it stayed in use for "
              + longest.toSeconds()
              + " s, by Fabric or by somebody who writes it. "
              + zone.advice(e);
      default -> zone.advice(e);
    };
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
        || tables
            .known()
            .flatMap(known -> zone.monitoring().find(table, known))
            .filter(report -> !report.status().dropped())
            .isPresent();
  }
}
