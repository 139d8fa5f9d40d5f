package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
import io.corehub.parquet.ParquetWriter;
import io.corehub.runtime.Publication.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Shuts an earlier run of the pipeline, which may still be alive, out of a folder that is to be
 * deleted. A file without rows takes the next number, so that run finds a newer one; then the time
 * passes for which a run may write without a look. Without it that run would go on with its next
 * number in the folder that is made anew. Stateless; blocks its caller.
 */
final class FolderFence {

  private static final Duration LEAST_PATIENCE = Duration.ofSeconds(60);

  private static final Set<Kind> GONE = EnumSet.of(Kind.NOT_FOUND, Kind.CONDITION_NOT_MET);

  private final MirrorShared shared;
  private final LandingZone zone;

  /** What a folder may hold that is to be deleted. */
  enum Only {
    ANYTHING,
    UNFINISHED_SNAPSHOT
  }

  FolderFence(MirrorShared shared) {
    this.shared = shared;
    this.zone = shared.zone();
  }

  /**
   * Shuts others out of the folder. A folder without a file of this pipeline has nobody to shut
   * out.
   *
   * @param standing what a look found; whoever wrote since is met at the next number
   * @return the folder, which is to be proved before it is deleted; empty if nobody was shut out
   * @throws TableStoppedException if another run went on with the folder, or it cannot be written
   */
  Optional<TableFolder> raise(TableId table, Optional<TableOpening.Standing> standing, Only only)
      throws InterruptedException {
    if (standing.isEmpty()) {
      return Optional.empty();
    }
    TableOpening.Opened opened = standing.get().opened();
    if (only == Only.UNFINISHED_SNAPSHOT && !opened.log().onlyUnfinishedSnapshot()) {
      throw opened
          .folder()
          .conflict(
              FileName.numbered(standing.get().last().chain().seq()),
              "another run finished the snapshot that was to be started over. Keep only one run;"
                  + " started again, it goes on behind that file");
    }
    publish(table, standing.get());
    withdrawIfAlone(table, opened.folder());
    Logs.LOG.info(
        "Table {}: its folder is deleted in {} s, when an earlier run can no longer write to it",
        table,
        TableFolder.PROOF_LASTS.toSeconds());
    zone.time().sleep(TableFolder.PROOF_LASTS.plusMillis(1));
    return Optional.of(opened.folder());
  }

  /**
   * Looks whether the fence is still what ends the folder.
   *
   * @param fenced what raising it returned
   * @throws TableStoppedException if another run went on with the folder
   */
  void prove(TableId table, Optional<TableFolder> fenced) throws InterruptedException {
    if (fenced.isPresent()) {
      fenced.get().prove();
      return;
    }
    Optional<TableOpening.Standing> since = shared.opening().standing(table);
    if (since.isPresent()) {
      throw since
          .get()
          .opened()
          .folder()
          .conflict(
              FileName.numbered(since.get().last().chain().seq()),
              "another run of the pipeline has begun to fill the folder that was to be deleted."
                  + " Keep only one run; started again, it goes on behind that file");
    }
  }

  /** What of this pipeline stands in the folder. */
  Optional<TableOpening.Standing> look(TableId table) throws InterruptedException {
    try {
      return zone.atSetUp(() -> shared.opening().standing(table));
    } catch (DfsException e) {
      throw zone.stopped(table, e);
    }
  }

  /**
   * Another run may have deleted the folder between the look and the fence, which then stands in a
   * folder that is filled anew, and would be a gap in its numbers.
   */
  private void withdrawIfAlone(TableId table, TableFolder folder) throws InterruptedException {
    try {
      zone.atSetUp(
          () -> {
            folder.prove();
            return folder;
          });
    } catch (TableStoppedException stop) {
      if (stop.code() != ErrorCode.NEEDS_SNAPSHOT) {
        throw stop;
      }
      TableFolder.LastFile own = folder.last().orElseThrow();
      withdraw(table, folder.pathOf(FileName.numbered(own.seq())), own.etag());
      throw new TableStoppedException(
          table,
          ErrorCode.CONFLICT,
          "Table "
              + table
              + ": another run of the pipeline deleted folder "
              + folder.path()
              + " at the same moment, to load the table anew. Keep only one run; started again, it"
              + " goes on with what the other run published.",
          stop);
    } catch (DfsException e) {
      throw zone.stopped(table, e);
    }
  }

  private void withdraw(TableId table, String file, String etag) throws InterruptedException {
    try {
      zone.atSetUp(
          () -> {
            zone.client().deleteTree(file, etag);
            return file;
          });
    } catch (DfsException e) {
      if (!GONE.contains(e.kind())) {
        throw zone.stopped(table, e);
      }
    }
  }

  private void publish(TableId table, TableOpening.Standing standing) throws InterruptedException {
    TableOpening.Opened opened = standing.opened();
    FileFacts facts = opened.log().next(standing.last().chain().keys());
    ChainEntry.Content content = content(standing.last().chain());
    ChainEntry chain = opened.log().emptyEntry(facts, content);
    FileBytes bytes = new FileBytes(zone.blockBytes());
    try (ParquetWriter writer =
        shared
            .encoder()
            .open(
                FileSchema.parquet(opened.log().columns(), content instanceof ChainEntry.Changes),
                bytes)) {
      writer.keyValue(ChainEntry.KEY, chain.toJson());
      writer.finish();
    } catch (IOException e) {
      throw FilePublication.stopped(zone, opened.folder(), e);
    }
    Patience patience =
        new Patience(
            zone.retries(),
            zone.time(),
            shared.config().uploads().retryBudget(),
            new FailureNews(shared, table));
    FilePublication file =
        new FilePublication(
            zone,
            opened.folder(),
            facts,
            FileUpload.kept(zone, opened.folder(), facts, bytes, patience),
            patience,
            () -> {});
    try {
      complete(table, file::upload);
      complete(table, file::publish);
    } catch (DfsException e) {
      file.abandon();
      throw zone.stopped(table, e);
    } catch (RuntimeException e) {
      file.abandon();
      throw e;
    }
  }

  /** Says the same of the source's history as the file before it. */
  private static ChainEntry.Content content(ChainEntry last) {
    if (last.content() instanceof ChainEntry.Changes changes) {
      return new ChainEntry.Changes(
          changes.timeline(), changes.to(), changes.to(), changes.toRows(), changes.toHash(), 0);
    }
    ChainEntry.Snapshot snapshot = (ChainEntry.Snapshot) last.content();
    return snapshot.last()
        ? new ChainEntry.Changes(
            snapshot.low().timeline(),
            snapshot.low().order(),
            snapshot.low().order(),
            0,
            Optional.empty(),
            0)
        : new ChainEntry.Snapshot(snapshot.id(), snapshot.chunk() + 1, false, snapshot.low());
  }

  private interface Phase {
    Step run() throws InterruptedException;
  }

  private void complete(TableId table, Phase phase) throws InterruptedException {
    Duration wait = shared.config().rules().recreateWait();
    Duration longest = wait.compareTo(LEAST_PATIENCE) < 0 ? LEAST_PATIENCE : wait;
    long begun = zone.time().nanos();
    while (true) {
      Step step = phase.run();
      if (step instanceof Step.Done) {
        return;
      }
      if (zone.time().nanos() - begun > longest.toNanos()) {
        throw new TableStoppedException(
            table,
            ErrorCode.TARGET_UNAVAILABLE,
            "Table "
                + table
                + ": its folder cannot be written for "
                + longest.toSeconds()
                + " s, so it is not deleted. Look at the warnings before, then start again.");
      }
      if (step instanceof Step.Again again) {
        zone.time().sleep(again.pause());
      } else if (step instanceof Step.After after) {
        after.other().toCompletableFuture().join();
      }
    }
  }
}
