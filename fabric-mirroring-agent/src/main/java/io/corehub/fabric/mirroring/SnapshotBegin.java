package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.onelake.DfsException;
import io.corehub.onelake.PathEntry;
import io.corehub.runtime.text.Text;
import java.util.List;
import java.util.Optional;

/** Decides how a snapshot begins, given what lies in the table's folder. Blocks its caller. */
final class SnapshotBegin {

  private final MirrorShared shared;
  private final TableSpec spec;
  private final TableId table;
  private final String timeline;

  /**
   * The beginning of a snapshot.
   *
   * @param timeline of the position it is consistent at
   */
  SnapshotBegin(MirrorShared shared, TableSpec spec, String timeline) {
    this.shared = shared;
    this.spec = spec;
    this.timeline = timeline;
    this.table = spec.table();
  }

  /**
   * How a snapshot goes on.
   *
   * @param opened the folder it goes to
   * @param upsert whether its rows carry the upsert marker
   */
  record Begun(TableOpening.Opened opened, boolean upsert) {}

  /**
   * Makes the folder ready.
   *
   * @param known the folder when it was looked at last
   * @param recreate whether what lies there cannot be continued and is to be deleted
   * @param look whether files were written since
   * @throws TableStoppedException if the snapshot must not be written, with the choices
   */
  Begun at(TableOpening.Opened known, boolean recreate, boolean look) throws InterruptedException {
    if (recreate) {
      return recreated(FolderFence.Only.ANYTHING);
    }
    TableOpening.Opened opened = look ? looked() : known;
    TableProgress progress = opened.log().progress();
    if (progress instanceof TableProgress.NothingPublished) {
      return cleared(new Begun(opened, false));
    }
    if (opened.log().onlyUnfinishedSnapshot()) {
      return restarted(opened);
    }
    return switch (spec.settings().get(MirroringSettings.SNAPSHOT_ONTO_EXISTING_TABLE)) {
      case "recreate" -> recreated(FolderFence.Only.ANYTHING);
      case "append" -> cleared(appended(opened, progress));
      case "upsert" -> cleared(upserted(opened));
      default -> throw refused(opened, "snapshotOntoExistingTable is stop");
    };
  }

  /** Removes what interrupted snapshots uploaded; nothing is uploaded at this moment. */
  private Begun cleared(Begun begun) throws InterruptedException {
    List<PathEntry> leftovers = begun.opened().leftovers();
    if (!leftovers.isEmpty()) {
      Logs.LOG.info(
          "Table {}: {} uploads that were not published are removed", table, leftovers.size());
    }
    for (PathEntry leftover : leftovers) {
      TableFolder.deleteQuietly(shared.zone(), leftover.path());
    }
    return begun;
  }

  private TableOpening.Opened looked() throws InterruptedException {
    try {
      return shared.zone().atSetUp(() -> shared.opening().open(spec.schema(), shared.remembered()));
    } catch (DfsException e) {
      throw shared.zone().stopped(table, e);
    }
  }

  private Begun restarted(TableOpening.Opened opened) throws InterruptedException {
    if (!shared.config().rules().restartInterrupted()) {
      throw new TableStoppedException(
          table,
          ErrorCode.CONFLICT,
          "Table "
              + table
              + ": folder "
              + opened.folder().path()
              + " holds files of a snapshot that was not finished, and loading it once more would"
              + " double their rows. Set interruptedSnapshot to restart, or delete the folder"
              + " yourself.");
    }
    shared
        .news()
        .warning(
            Optional.of(table),
            "Table "
                + table
                + ": an interrupted snapshot is started over; its folder is deleted first.");
    return recreated(FolderFence.Only.UNFINISHED_SNAPSHOT);
  }

  private Begun recreated(FolderFence.Only only) throws InterruptedException {
    new Recreation(shared).startOver(table, only);
    return new Begun(shared.opening().fresh(spec.schema()), false);
  }

  private Begun appended(TableOpening.Opened opened, TableProgress progress) {
    if (progress instanceof TableProgress.SnapshotUnfinished) {
      throw refused(opened, "an appended snapshot was not finished");
    }
    return new Begun(opened, false);
  }

  private Begun upserted(TableOpening.Opened opened) {
    if (!spec.schema().keyed()) {
      throw refused(opened, "upsert needs a primary key, and the table has none");
    }
    return new Begun(opened, true);
  }

  private TableStoppedException refused(TableOpening.Opened opened, String why) {
    return new TableStoppedException(
        table,
        ErrorCode.CONFLICT,
        "Table "
            + table
            + " was loaded before, folder "
            + opened.folder().path()
            + " holds its files, and "
            + why
            + ". "
            + otherTimeline(opened)
            + "Set snapshotOntoExistingTable for the table: recreate (delete the folder and load"
            + " anew), append (add the rows), or upsert (replace rows of equal key; needs a key)."
            + " Or stop the hub, run its command recreate-table, and start it again.");
  }

  /** Why a snapshot comes that nobody asked for. */
  private String otherTimeline(TableOpening.Opened opened) {
    return opened
        .log()
        .reached()
        .map(TableLog.Reached::timeline)
        .filter(written -> !written.isEmpty() && !timeline.isEmpty() && !written.equals(timeline))
        .map(
            written ->
                "They are of timeline '"
                    + Text.shown(written)
                    + "', and the source now is on '"
                    + Text.shown(timeline)
                    + "': it was rebuilt, restored or replaced. ")
        .orElse("");
  }
}
