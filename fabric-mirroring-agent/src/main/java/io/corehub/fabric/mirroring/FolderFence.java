package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.DfsException.Kind;
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

  private static final Set<Kind> GONE = EnumSet.of(Kind.NOT_FOUND, Kind.CONDITION_NOT_MET);

  private final MirrorShared shared;
  private final LandingZone zone;
  private final EmptyFile emptyFile;

  /** What a folder may hold that is to be deleted. */
  enum Only {
    ANYTHING,
    UNFINISHED_SNAPSHOT
  }

  FolderFence(MirrorShared shared) {
    this.shared = shared;
    this.zone = shared.zone();
    this.emptyFile = new EmptyFile(shared);
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
          .rival(
              FileName.numbered(standing.get().last().chain().seq()),
              "another run finished the snapshot that was to be started over");
    }
    emptyFile.publish(table, standing.get(), Optional.empty());
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
          .rival(
              FileName.numbered(since.get().last().chain().seq()),
              "another run of the pipeline has begun to fill the folder that was to be deleted");
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
}
