package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.runtime.text.Text;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Skips changes that an earlier run published: whole commits by their position, the published part
 * of a commit by its number of rows and their checksum. Never compares positions of two timelines.
 * Confined to the owner of its table.
 */
final class ReplayGuard {

  private final TableId table;
  private TableLog.@Nullable Reached reached;
  private String timeline = "";
  private RowHash hash = new RowHash();
  private long left;
  private @Nullable CommitCursor resumed;

  ReplayGuard(TableId table) {
    this.table = table;
  }

  /** Says how far the folder is. */
  void reached(Optional<TableLog.Reached> point) {
    reached = point.orElse(null);
    timeline = point.map(TableLog.Reached::timeline).orElse("");
    left = point.map(TableLog.Reached::toRows).orElse(0L);
    hash = new RowHash();
  }

  /**
   * The first row that is not published yet.
   *
   * @throws StopAtCommitException if the source's history is not the one the folder holds
   */
  int firstNew(RowChanges changes, Handover handover) {
    int row = 0;
    int count = changes.rowCount();
    while (row < count) {
      int commit = changes.commitIndex(row);
      checkTimeline(handover.position(commit), commit);
      TableLog.Reached point = reached;
      if (point == null || point.timeline().isEmpty() || !handover.position(commit).ordered()) {
        reached = null;
        return row;
      }
      int order = Long.compareUnsigned(handover.position(commit).order(), point.order());
      int end = CommitRuns.endOfCommit(changes, row, count);
      if (order < 0 || (order == 0 && point.toHash().isEmpty())) {
        row = end;
      } else if (order == 0) {
        row = skipPart(changes, row, end, handover, commit, point);
      } else {
        caughtUp(commit, handover, point);
        return row;
      }
      if (reached == null) {
        return row;
      }
    }
    return row;
  }

  private void checkTimeline(SourcePosition position, int commit) {
    String now = position.timeline();
    if (!timeline.isEmpty() && !now.isEmpty() && !now.equals(timeline)) {
      throw new StopAtCommitException(sourceReplaced(table, timeline, now), commit);
    }
    if (!now.isEmpty()) {
      timeline = now;
    }
  }

  static TableStoppedException sourceReplaced(TableId table, String written, String now) {
    return new TableStoppedException(
        table,
        ErrorCode.SOURCE_REPLACED,
        "Table "
            + table
            + " was filled from timeline '"
            + Text.shown(written)
            + "', and the source now is on '"
            + Text.shown(now)
            + "': it was rebuilt, restored or replaced. "
            + Advice.RECREATE);
  }

  private int skipPart(
      RowChanges changes, int row, int end, Handover handover, int commit, TableLog.Reached point) {
    int skipped = (int) Math.min(end - row, left);
    hash.add(changes, row, row + skipped);
    left -= skipped;
    if (left == 0) {
      if (!point.toHash().equals(Optional.of(hash.text()))) {
        throw notTheSame(handover, commit);
      }
      resumed =
          new CommitCursor(
              handover.number(commit),
              handover.position(commit),
              Optional.empty(),
              hash,
              point.toRows());
      reached = null;
    }
    return row + skipped;
  }

  private void caughtUp(int commit, Handover handover, TableLog.Reached point) {
    if (left > 0 && point.toHash().isPresent()) {
      throw notTheSame(handover, commit);
    }
    reached = null;
  }

  private StopAtCommitException notTheSame(Handover handover, int commit) {
    return new StopAtCommitException(
        new TableStoppedException(
            table,
            ErrorCode.CONFLICT,
            "Table "
                + table
                + ": a part of commit "
                + handover.position(commit)
                + " or one before it was published, and what the source delivers again is not the"
                + " same. Were columns or tables selected otherwise since? "
                + Advice.RECREATE),
        commit);
  }

  /** The commit of which a part was skipped just now; empty if none was. */
  Optional<CommitCursor> takeResumed() {
    CommitCursor cursor = resumed;
    resumed = null;
    return Optional.ofNullable(cursor);
  }
}
