package io.corehub.fabric.mirroring;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.table.TableId;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.FileWindow;
import io.corehub.runtime.MemoryBudget;
import io.corehub.runtime.rows.RefusedValueException;
import io.corehub.runtime.rows.RowLimit;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects the changes of one table into change files: seals a file with the commit that reaches
 * the limit of rows, before the limit of bytes would be exceeded, within a commit only if it is too
 * large by itself, and holds back the rest of a commit that changes keys until it is known whether
 * its rows pass keys on. Confined to the owner of its table.
 */
final class ChangeCollector {

  /** What a collector needs done. */
  interface Owner {
    /** The open file is to be sealed; calls {@link ChangeCollector#sealed()}. */
    void seal();

    /** The open file got its first rows. */
    void opened();

    /** Values were replaced by policy. */
    void replaced();
  }

  /** What a sealed file holds of the source's history. */
  record Sealed(ChangeFile file, ChainEntry.Changes content, Optional<SourcePosition> lastWhole) {}

  private final TableId table;
  private final AgentConfig.Window limits;
  private final RowLimit rowLimit;
  private final Owner owner;
  private final ReplayGuard guard;
  private final OpenChanges open;
  private @Nullable HeldCommit held;

  ChangeCollector(
      TableId table,
      AgentConfig.Window limits,
      RowLimit rowLimit,
      FileWindow window,
      ConfirmationLedger ledger,
      InstantSource clock,
      FileSchema schema,
      Owner owner) {
    this.table = table;
    this.limits = limits;
    this.rowLimit = rowLimit;
    this.owner = owner;
    this.guard = new ReplayGuard(table);
    this.open = new OpenChanges(table, limits, window, ledger, clock, schema, owner);
  }

  ReplayGuard guard() {
    return guard;
  }

  FileWindow window() {
    return open.window();
  }

  FileSchema schema() {
    return open.schema();
  }

  Optional<ChangeFile> open() {
    return open.file();
  }

  /** Rows from now on have another schema; nothing of the old one may be open. */
  void schema(FileSchema next) {
    open.schema(next);
  }

  /** Writes the commit held back as far as it goes: its next rows have another shape. */
  void cutHeldCommit(Handover handover, int index) {
    endHeldCommit(handover, index);
  }

  /**
   * Writes the commit held back if the batch ends it.
   *
   * @param next index of the commit whose rows come next; those of the one held back may still come
   *     when it is that one
   */
  void endHeldCommitBefore(Handover handover, int next) {
    HeldCommit commit = held;
    if (commit == null) {
      return;
    }
    int index = commit.indexIn(handover);
    if (index >= 0 && index < next && handover.ends(index)) {
      endHeldCommit(handover, index);
    }
  }

  private void endHeldCommit(Handover handover, int index) {
    HeldCommit commit = held;
    if (commit != null) {
      commit.end(handover, index);
      held = null;
    }
  }

  /**
   * Passes over the rows of a run that are published already.
   *
   * @return the first row that is not; the number of rows if all are
   * @throws StopAtCommitException if the source's history is not the one the folder holds
   */
  int firstNew(RowChanges changes, Handover handover) {
    int row = guard.firstNew(changes, handover);
    guard.takeResumed().ifPresent(open::resume);
    return row;
  }

  /**
   * Takes a run of changes.
   *
   * @param changes the run
   * @param from its first row that is not published
   * @param handover the batch it belongs to
   * @param nextCommit commit the next event of this table in the batch begins with
   * @param memory what stands in the budget for the run; parts of it are split off
   * @return deletes that were skipped because the table has no key
   * @throws StopAtCommitException if the table cannot go on; earlier commits are in
   */
  long take(
      RowChanges changes,
      int from,
      Handover handover,
      int nextCommit,
      MemoryBudget.Reservation memory) {
    ChangeReader reader =
        new ChangeReader(changes, open.schema(), limits.upserts(), owner::replaced, rowLimit);
    ChangePiece all = new ChangePiece(reader, handover, nextCommit, memory, changes.rowCount());
    int row = from;
    while (row < changes.rowCount()) {
      HeldCommit commit = held;
      row =
          commit != null && commit.is(handover.number(changes.commitIndex(row)))
              ? hold(commit, all, row)
              : collect(all, row);
    }
    return reader.skippedDeletes(from, changes.rowCount());
  }

  private int hold(HeldCommit commit, ChangePiece piece, int row) {
    int to = commit.hold(piece, row);
    if (piece.commitEndsAt(to)) {
      endHeldCommit(piece.handover(), piece.changes().commitIndex(row));
    }
    return to;
  }

  /** Puts rows into the file up to the next limit, or to a commit's first key change. */
  private int collect(ChangePiece piece, int row) {
    int keyChange = nextKeyChange(piece, row);
    if (keyChange == row) {
      held = new HeldCommit(table, limits, open, piece, piece.changes().commitIndex(row));
      return row;
    }
    int to = cut(piece, row, keyChange);
    add(piece, row, to);
    return to;
  }

  private static int nextKeyChange(ChangePiece piece, int row) {
    RowChanges changes = piece.changes();
    if (changes.beforeImages() != BeforeImage.FULL) {
      return piece.limit();
    }
    int at = row;
    while (at < piece.limit() && !piece.reader().changesKey(at)) {
      at++;
    }
    return at;
  }

  /**
   * The row before which to cut. What lies before it ends with a commit, or is all of one commit
   * that is too large.
   */
  private int cut(ChangePiece piece, int row, int limit) {
    int most = cutByRows(piece, row, limit);
    long room = open.window().roomForBytes(piece.bytesPerRow());
    if (most - row <= room) {
      return most;
    }
    int to = row + (int) room;
    int boundary = CommitRuns.lastBoundary(piece.changes(), row, to);
    if (boundary > row) {
      return boundary;
    }
    if (open.window().isOpen()) {
      boolean begins =
          row == 0 || piece.changes().commitIndex(row) != piece.changes().commitIndex(row - 1);
      if (room == 0 || begins) {
        open.seal();
        return cut(piece, row, limit);
      }
    }
    return CommitRuns.keepPair(piece.changes(), row, Math.min(most, Math.max(to, row + 1)));
  }

  /**
   * Where to cut if there were no limit of bytes: the commit that reaches the limit of rows goes
   * into the file as a whole, unless it has that many rows itself.
   */
  private int cutByRows(ChangePiece piece, int row, int limit) {
    RowChanges changes = piece.changes();
    int most = limits.age().isZero() ? CommitRuns.endOfCommit(changes, row, limit) : limit;
    long left = Math.max(1, limits.rows() - open.window().rows());
    boolean fits = most - row <= left;
    if (fits && piece.commitEndsAt(most)) {
      return most;
    }
    int begins =
        fits
            ? CommitRuns.startOfCommit(changes, most - 1, row)
            : CommitRuns.lastBoundary(changes, row, row + (int) left);
    if (begins > row) {
      return begins;
    }
    long own = Math.max(1, open.roomForCommit());
    int end = CommitRuns.endOfCommit(changes, row, limit);
    return CommitRuns.keepPair(changes, row, (int) Math.min(end, row + own));
  }

  private void add(ChangePiece piece, int from, int to) {
    int good = to;
    RefusedValueException refusal = null;
    FileRows rows = FileRows.NONE;
    while (true) {
      try {
        rows = good > from ? piece.reader().range(from, good) : FileRows.NONE;
        break;
      } catch (RefusedValueException e) {
        refusal = e;
        good = CommitRuns.startOfCommit(piece.changes(), e.row(), from);
      }
    }
    if (good > from) {
      put(piece, from, good, rows);
    }
    if (refusal != null) {
      throw piece.refused(refusal);
    }
    open.sealIfFull(piece.commitEndsAt(to));
  }

  private void put(ChangePiece piece, int from, int to, FileRows rows) {
    RowChanges changes = piece.changes();
    int first = changes.commitIndex(from);
    int last = changes.commitIndex(to - 1);
    boolean ends = piece.commitEndsAt(to);
    if (rows.count() > 0) {
      open.add(
          rows,
          piece.memoryOf(to - from),
          piece.handover(),
          first,
          last,
          CommitRuns.distinct(changes, from, to),
          (long) Math.ceil(piece.bytesPerRow() * (to - from)));
    }
    open.counted(rows.count(), ends);
    open.cursorAt(piece.handover(), last)
        .took(changes, CommitRuns.startOfCommit(changes, to - 1, from), to, ends);
  }

  /** Closes the open file, if there is one with rows. */
  Optional<Sealed> sealed() {
    HeldCommit waiting = held;
    return open.sealed(number -> waiting != null && waiting.is(number));
  }

  /** Drops everything that is collected. */
  void drop() {
    open.drop();
    if (held != null) {
      held.release();
      held = null;
    }
  }
}
