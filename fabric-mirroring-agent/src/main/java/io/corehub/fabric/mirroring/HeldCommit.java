package io.corehub.fabric.mirroring;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.FileWindow;
import io.corehub.runtime.MemoryBudget;
import io.corehub.runtime.rows.RefusedValueException;
import io.corehub.runtime.rows.RowNames;
import java.util.ArrayList;
import java.util.List;

/**
 * The rest of a commit from its first key change on, held back until it is known whether its rows
 * pass keys on. Confined to the owner of its table.
 */
final class HeldCommit {

  private final TableId table;
  private final AgentConfig.Window limits;
  private final OpenChanges open;
  private final NetEffect effect;
  private final long number;
  private final SourcePosition position;
  private final ConfirmationLedger.Claim claim;
  private final List<MemoryBudget.Reservation> memory = new ArrayList<>();
  private int lastIndex;

  /**
   * Nothing is held back of a commit yet.
   *
   * @param open where its rows will go
   * @param piece the run in which it changes keys
   * @param commit its index in the batch
   */
  HeldCommit(
      TableId table, AgentConfig.Window limits, OpenChanges open, ChangePiece piece, int commit) {
    this.table = table;
    this.limits = limits;
    this.open = open;
    this.effect = new NetEffect(piece.changes().rows().schema());
    this.number = piece.handover().number(commit);
    this.position = piece.handover().position(commit);
    this.claim = open.claim(piece.handover(), commit);
    this.lastIndex = commit;
  }

  /** Whether it is the commit of a number. */
  boolean is(long commit) {
    return number == commit;
  }

  /** Its index in a batch; outside of that when the batch has nothing of it. */
  int indexIn(Handover handover) {
    return (int) (number - handover.run().first());
  }

  /**
   * Holds rows back.
   *
   * @return the row behind the last one of the commit in the run
   * @throws StopAtCommitException if they cannot be written, or are too many
   */
  int hold(ChangePiece piece, int row) {
    int to = CommitRuns.endOfCommit(piece.changes(), row, piece.limit());
    lastIndex = piece.changes().commitIndex(row);
    try {
      effect.add(piece.reader(), row, to);
    } catch (RefusedValueException e) {
      throw piece.refused(e);
    }
    memory.add(piece.memoryOf(to - row));
    boolean large = effect.rows() > limits.keyChangeMaxRows();
    if (effect.passesKeysOn() && large) {
      throw new StopAtCommitException(
          new TableStoppedException(
              table,
              ErrorCode.TOO_LARGE,
              "Table "
                  + table
                  + ": commit "
                  + position
                  + " passes primary keys on between rows and has more than "
                  + limits.keyChangeMaxRows()
                  + " rows. Raise keyChangeMaxRows, "
                  + Advice.OR_RECREATE),
          lastIndex);
    }
    if (!piece.commitEndsAt(to) && large) {
      writeAsItCame(piece.handover(), false);
      effect.written();
    }
    return to;
  }

  /**
   * It is complete: writes it.
   *
   * @param index its index in the batch that ends it
   */
  void end(Handover handover, int index) {
    lastIndex = index;
    if (effect.passesKeysOn()) {
      writeNetEffect(handover);
    } else {
      writeAsItCame(handover, true);
    }
    open.settle(claim);
    release();
  }

  /** Gives its memory back. */
  void release() {
    memory.forEach(MemoryBudget.Reservation::release);
    memory.clear();
  }

  private void writeNetEffect(Handover handover) {
    List<FileRows> rows;
    try {
      rows = effect.netRows();
    } catch (RefusedValueException e) {
      throw StopAtCommitException.refused(table, e, "", lastIndex);
    }
    long count = Math.max(1, rows.stream().mapToLong(FileRows::count).sum());
    MemoryBudget.Reservation all = joined(memory);
    long bytes = all.bytes();
    FileWindow window = open.window();
    if (window.isOpen() && bytes > window.roomForBytes(1)) {
      open.seal();
    }
    for (FileRows run : rows) {
      if (run.count() > 0) {
        long share = bytes * run.count() / count;
        open.add(run, all.split(share), handover, lastIndex, lastIndex, 1, share);
      }
    }
    open.cursorAt(handover, lastIndex).tookAll(effect.rows());
    open.counted(0, true);
    open.sealIfFull(true);
  }

  private static MemoryBudget.Reservation joined(List<MemoryBudget.Reservation> memory) {
    MemoryBudget.Reservation first = memory.get(0);
    for (int i = 1; i < memory.size(); i++) {
      long bytes = memory.get(i).bytes();
      memory.get(i).release();
      first.grow(bytes);
    }
    return first;
  }

  private void writeAsItCame(Handover handover, boolean ends) {
    List<NetEffect.Part> parts = effect.parts();
    for (int i = 0; i < parts.size(); i++) {
      NetEffect.Part part = parts.get(i);
      boolean last = ends && i == parts.size() - 1;
      // Row indexes of commits belong to the batch a part came with; here all are of one commit.
      int row = part.from();
      while (row < part.to()) {
        int to = cutWithin(part, row);
        addPart(part, row, to, handover, last && to == part.to(), memory.get(i));
        row = to;
      }
    }
    release();
  }

  private int cutWithin(NetEffect.Part part, int row) {
    double perRow = ChangePiece.bytesPerRow(part.reader().changes());
    long room = open.window().roomForBytes(perRow);
    if (room < part.to() - row && open.window().isOpen()) {
      open.seal();
      room = open.window().roomForBytes(perRow);
    }
    long most = Math.max(1, Math.min(room, open.roomForCommit()));
    return CommitRuns.keepPair(part.reader().changes(), row, (int) Math.min(part.to(), row + most));
  }

  private void addPart(
      NetEffect.Part part,
      int from,
      int to,
      Handover handover,
      boolean last,
      MemoryBudget.Reservation held) {
    FileRows rows;
    try {
      rows = part.reader().range(from, to);
    } catch (RefusedValueException e) {
      throw StopAtCommitException.refused(
          table, e, RowNames.of(part.reader().changes().rows(), e.row()), lastIndex);
    }
    if (rows.count() > 0) {
      long bytes = (long) Math.ceil(ChangePiece.bytesPerRow(part.reader().changes()) * (to - from));
      open.add(rows, held.split(bytes), handover, lastIndex, lastIndex, 1, bytes);
    }
    open.counted(rows.count(), last);
    open.cursorAt(handover, lastIndex).took(part.reader().changes(), from, to, last);
    open.sealIfFull(last);
  }
}
