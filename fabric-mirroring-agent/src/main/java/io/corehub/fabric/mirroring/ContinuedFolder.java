package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import java.util.Optional;
import java.util.UUID;

/**
 * Whether a folder still holds what was published in it, as far as the host remembers: what is
 * confirmed is not delivered again, so a folder that lacks it must not be gone on with. Immutable.
 *
 * @param table the table
 * @param path its folder
 * @param remembered the file that the host remembers as the last one
 * @param confirmed the position that the host goes on behind
 */
record ContinuedFolder(
    TableId table, String path, Remembered.Mark remembered, Optional<SourcePosition> confirmed) {

  /**
   * Compares the folder's last file with what is remembered.
   *
   * @param last the last file
   * @throws TableStoppedException if rows that are confirmed are not there
   */
  void require(ChainEntry last) {
    if (!last.incarnation().equals(remembered.incarnation())) {
      requireReached(TableLog.reachedBy(last));
      return;
    }
    if (last.seq() < remembered.seq()) {
      throw stop(
          ErrorCode.NEEDS_SNAPSHOT,
          "the last file in folder "
              + path
              + " is "
              + FileName.numbered(last.seq())
              + ", but files up to "
              + FileName.numbered(remembered.seq())
              + " were published there. The rows of those behind it are lost; nothing more is"
              + " written. Put the files back, ");
    }
    Optional<UUID> known =
        last.seq() == remembered.seq()
            ? Optional.of(last.fileId())
            : last.seq() == remembered.seq() + 1 ? last.prev() : Optional.empty();
    if (known.isPresent()
        && remembered.fileId().isPresent()
        && !known.equals(remembered.fileId())) {
      throw stop(
          ErrorCode.CONFLICT,
          "number "
              + remembered.seq()
              + " in folder "
              + path
              + " is another file ("
              + known.get()
              + ") than the one published there ("
              + remembered.fileId().get()
              + "), whose rows are lost. Find out who writes this folder; then put the file back, ");
    }
  }

  /** A folder that somebody began anew is as good as the old one, if it is as far. */
  private void requireReached(Optional<TableLog.Reached> reached) {
    if (confirmed.isEmpty() || !confirmed.get().ordered() || reached.isEmpty()) {
      return;
    }
    TableLog.Reached to = reached.get();
    SourcePosition position = confirmed.get();
    if (to.timeline().equals(position.timeline())
        && Long.compareUnsigned(to.order(), position.order()) < 0) {
      throw stop(
          ErrorCode.NEEDS_SNAPSHOT,
          "folder "
              + path
              + " was deleted and begun anew by another run. What it holds ends at position "
              + Long.toUnsignedString(to.order())
              + ", and changes up to "
              + position
              + " are confirmed, so rows may be missing. Find out who writes this folder; then put"
              + " the old files back, ");
    }
  }

  private TableStoppedException stop(ErrorCode code, String why) {
    return new TableStoppedException(
        table, code, "Table " + table + ": " + why + Advice.OR_RECREATE);
  }
}
