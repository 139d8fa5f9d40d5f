package io.corehub.fabric.mirroring;

import io.corehub.agent.BeforeImage;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.FileWindow;
import io.corehub.runtime.MemoryBudget;
import io.corehub.runtime.rows.RefusedValueException;
import io.corehub.runtime.rows.RowLimit;
import io.corehub.runtime.rows.RowNames;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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

  private final TableId table;
  private final AgentConfig.Window limits;
  private final RowLimit rowLimit;
  private final FileWindow window;
  private final ConfirmationLedger ledger;
  private final InstantSource clock;
  private final Owner owner;
  private final ReplayGuard guard;
  private FileSchema schema;
  private @Nullable ChangeFile file;
  private @Nullable CommitCursor cursor;
  private @Nullable HeldCommit held;

  /** Rows in the open file of a commit whose end is not in it. */
  private long commitRows;

  /** The rest of a commit from its first key change on. */
  private static final class HeldCommit {
    final NetEffect effect;
    final long number;
    final SourcePosition position;
    final List<MemoryBudget.Reservation> memory = new ArrayList<>();
    ConfirmationLedger.Claim claim;
    int lastIndex;

    HeldCommit(NetEffect effect, Handover handover, int commit, ConfirmationLedger.Claim claim) {
      this.effect = effect;
      this.number = handover.number(commit);
      this.position = handover.position(commit);
      this.claim = claim;
      this.lastIndex = commit;
    }
  }

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
    this.window = window;
    this.ledger = ledger;
    this.clock = clock;
    this.schema = schema;
    this.owner = owner;
    this.guard = new ReplayGuard(table);
  }

  ReplayGuard guard() {
    return guard;
  }

  FileWindow window() {
    return window;
  }

  FileSchema schema() {
    return schema;
  }

  Optional<ChangeFile> open() {
    return Optional.ofNullable(file);
  }

  /** Writes the commit held back as far as it goes: its next rows have another shape. */
  void cutHeldCommit(Handover handover, int index) {
    endHeldCommit(handover, index);
  }

  /** Rows from now on have another schema; nothing of the old one may be open. */
  void schema(FileSchema next) {
    schema = next;
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
    int index = (int) (commit.number - handover.run().first());
    if (index >= 0 && index < next && handover.ends(index)) {
      endHeldCommit(handover, index);
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
    guard.takeResumed().ifPresent(resumed -> cursor = resumed);
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
        new ChangeReader(changes, schema, limits.upserts(), owner::replaced, rowLimit);
    Piece all = new Piece(reader, handover, nextCommit, memory, changes.rowCount());
    int row = from;
    while (row < changes.rowCount()) {
      row =
          held != null && held.number == handover.number(changes.commitIndex(row))
              ? hold(all, row)
              : collect(all, row);
    }
    return reader.skippedDeletes(from, changes.rowCount());
  }

  /** A run of changes with all it takes to put a part of it into a file. */
  private record Piece(
      ChangeReader reader,
      Handover handover,
      int nextCommit,
      MemoryBudget.Reservation memory,
      int limit) {

    RowChanges changes() {
      return reader.changes();
    }

    double bytesPerRow() {
      return (double) changes().rows().bytes() / Math.max(1, changes().rowCount());
    }

    MemoryBudget.Reservation memoryOf(int rows) {
      return memory.split((long) Math.ceil(bytesPerRow() * rows));
    }

    /** Whether a commit ends before this row. */
    boolean commitEndsAt(int to) {
      int commit = changes().commitIndex(to - 1);
      if (to < limit) {
        return changes().commitIndex(to) != commit;
      }
      return nextCommit == Handover.NONE ? handover.ends(commit) : nextCommit > commit;
    }
  }

  /** Puts rows into the file up to the next limit, or to a commit's first key change. */
  private int collect(Piece piece, int row) {
    int keyChange = nextKeyChange(piece, row);
    if (keyChange == row) {
      int commit = piece.changes().commitIndex(row);
      held =
          new HeldCommit(
              new NetEffect(piece.changes().rows().schema()),
              piece.handover,
              commit,
              ledger.claim(table, piece.handover.number(commit), piece.handover.before(commit)));
      return row;
    }
    int to = cut(piece, row, keyChange);
    add(piece, row, to);
    return to;
  }

  private int nextKeyChange(Piece piece, int row) {
    RowChanges changes = piece.changes();
    if (changes.beforeImages() != BeforeImage.FULL) {
      return piece.limit;
    }
    int at = row;
    while (at < piece.limit && !piece.reader.changesKey(at)) {
      at++;
    }
    return at;
  }

  private int hold(Piece piece, int row) {
    HeldCommit commit = held;
    if (commit == null) {
      return row;
    }
    int to = CommitRuns.endOfCommit(piece.changes(), row, piece.limit);
    commit.lastIndex = piece.changes().commitIndex(row);
    try {
      commit.effect.add(piece.reader, row, to);
    } catch (RefusedValueException e) {
      throw refused(piece, e);
    }
    commit.memory.add(piece.memoryOf(to - row));
    if (commit.effect.passesKeysOn() && commit.effect.rows() > limits.keyChangeMaxRows()) {
      throw new StopAtCommitException(
          new TableStoppedException(
              table,
              ErrorCode.TOO_LARGE,
              "Table "
                  + table
                  + ": commit "
                  + commit.position
                  + " passes primary keys on between rows and has more than "
                  + limits.keyChangeMaxRows()
                  + " rows. Raise keyChangeMaxRows, "
                  + Advice.OR_RECREATE),
          commit.lastIndex);
    }
    if (piece.commitEndsAt(to)) {
      endHeldCommit(piece.handover, commit.lastIndex);
    } else if (commit.effect.rows() > limits.keyChangeMaxRows()) {
      writeHeldAsItCame(piece.handover, false);
      commit.effect.written();
    }
    return to;
  }

  /**
   * The commit held back is complete: writes it.
   *
   * @param index index of the commit in the batch that ends it
   */
  private void endHeldCommit(Handover handover, int index) {
    HeldCommit commit = held;
    if (commit == null) {
      return;
    }
    commit.lastIndex = index;
    if (commit.effect.passesKeysOn()) {
      writeNetEffect(commit, handover);
    } else {
      writeHeldAsItCame(handover, true);
    }
    ledger.settle(commit.claim);
    commit.memory.forEach(MemoryBudget.Reservation::release);
    held = null;
  }

  private void writeNetEffect(HeldCommit commit, Handover handover) {
    List<FileRows> rows;
    try {
      rows = commit.effect.netRows();
    } catch (RefusedValueException e) {
      throw new StopAtCommitException(valueRefused(e, ""), commit.lastIndex);
    }
    long count = 0;
    for (FileRows run : rows) {
      count += run.count();
    }
    long inputRows = commit.effect.rows();
    MemoryBudget.Reservation all = joined(commit.memory);
    long bytes = all.bytes();
    if (window.isOpen() && bytes > window.roomForBytes(1)) {
      owner.seal();
    }
    for (FileRows run : rows) {
      if (run.count() > 0) {
        ChangeFile into = fileFrom(handover, commit.lastIndex);
        into.add(run, all.split(bytes * run.count() / Math.max(1, count)));
        into.countCommits(commit.number, commit.number, 1);
        window.add(run.count(), bytes * run.count() / Math.max(1, count));
      }
    }
    cursorAt(handover, commit.lastIndex).tookAll(inputRows);
    commitRows = 0;
    sealIfFull(true);
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

  private void writeHeldAsItCame(Handover handover, boolean ends) {
    HeldCommit commit = held;
    if (commit == null) {
      return;
    }
    List<NetEffect.Part> parts = commit.effect.parts();
    for (int i = 0; i < parts.size(); i++) {
      NetEffect.Part part = parts.get(i);
      boolean last = ends && i == parts.size() - 1;
      // Row indexes of commits belong to the batch a part came with; here all are of one commit.
      int row = part.from();
      while (row < part.to()) {
        int to = cutWithin(part, row);
        addPart(part, row, to, handover, last && to == part.to(), commit.memory.get(i));
        row = to;
      }
    }
    commit.memory.forEach(MemoryBudget.Reservation::release);
    commit.memory.clear();
  }

  private int cutWithin(NetEffect.Part part, int row) {
    double perRow = bytesPerRow(part.reader().changes());
    long room = window.roomForBytes(perRow);
    if (room < part.to() - row && window.isOpen()) {
      owner.seal();
      room = window.roomForBytes(perRow);
    }
    long most = Math.max(1, Math.min(room, limits.rows() - commitRows));
    return CommitRuns.keepPair(part.reader().changes(), row, (int) Math.min(part.to(), row + most));
  }

  private static double bytesPerRow(RowChanges changes) {
    return (double) changes.rows().bytes() / Math.max(1, changes.rowCount());
  }

  private void addPart(
      NetEffect.Part part,
      int from,
      int to,
      Handover handover,
      boolean last,
      MemoryBudget.Reservation memory) {
    HeldCommit commit = held;
    if (commit == null) {
      return;
    }
    FileRows rows;
    try {
      rows = part.reader().range(from, to);
    } catch (RefusedValueException e) {
      throw new StopAtCommitException(
          valueRefused(e, key(part.reader(), e.row())), commit.lastIndex);
    }
    if (rows.count() > 0) {
      long bytes = (long) Math.ceil(bytesPerRow(part.reader().changes()) * (to - from));
      ChangeFile into = fileFrom(handover, commit.lastIndex);
      into.add(rows, memory.split(bytes));
      into.countCommits(commit.number, commit.number, 1);
      window.add(rows.count(), bytes);
    }
    commitRows = last ? 0 : commitRows + rows.count();
    cursorAt(handover, commit.lastIndex).took(part.reader().changes(), from, to, last);
    sealIfFull(last);
  }

  /**
   * The row before which to cut. What lies before it ends with a commit, or is all of one commit
   * that is too large.
   */
  private int cut(Piece piece, int row, int limit) {
    int most = cutByRows(piece, row, limit);
    long room = window.roomForBytes(piece.bytesPerRow());
    if (most - row <= room) {
      return most;
    }
    int to = row + (int) room;
    int boundary = CommitRuns.lastBoundary(piece.changes(), row, to);
    if (boundary > row) {
      return boundary;
    }
    if (window.isOpen()) {
      boolean begins =
          row == 0 || piece.changes().commitIndex(row) != piece.changes().commitIndex(row - 1);
      if (room == 0 || begins) {
        owner.seal();
        return cut(piece, row, limit);
      }
    }
    return CommitRuns.keepPair(piece.changes(), row, Math.min(most, Math.max(to, row + 1)));
  }

  /**
   * Where to cut if there were no limit of bytes: the commit that reaches the limit of rows goes
   * into the file as a whole, unless it has that many rows itself.
   */
  private int cutByRows(Piece piece, int row, int limit) {
    RowChanges changes = piece.changes();
    int most = limits.age().isZero() ? CommitRuns.endOfCommit(changes, row, limit) : limit;
    long left = Math.max(1, limits.rows() - window.rows());
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
    long own = Math.max(1, limits.rows() - commitRows);
    int end = CommitRuns.endOfCommit(changes, row, limit);
    return CommitRuns.keepPair(changes, row, (int) Math.min(end, row + own));
  }

  private void add(Piece piece, int from, int to) {
    int good = to;
    RefusedValueException refusal = null;
    FileRows rows = FileRows.NONE;
    while (true) {
      try {
        rows = good > from ? piece.reader.range(from, good) : FileRows.NONE;
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
      throw refused(piece, refusal);
    }
    sealIfFull(piece.commitEndsAt(to));
  }

  private void put(Piece piece, int from, int to, FileRows rows) {
    RowChanges changes = piece.changes();
    int first = changes.commitIndex(from);
    int last = changes.commitIndex(to - 1);
    if (rows.count() > 0) {
      ChangeFile into = fileFrom(piece.handover, first);
      into.add(rows, piece.memoryOf(to - from));
      into.countCommits(
          piece.handover.number(first),
          piece.handover.number(last),
          CommitRuns.distinct(changes, from, to));
      window.add(rows.count(), (long) Math.ceil(piece.bytesPerRow() * (to - from)));
    }
    commitRows = piece.commitEndsAt(to) ? 0 : commitRows + rows.count();
    cursorAt(piece.handover, last)
        .took(changes, CommitRuns.startOfCommit(changes, to - 1, from), to, piece.commitEndsAt(to));
  }

  private ChangeFile fileFrom(Handover handover, int commit) {
    ChangeFile open = file;
    if (open == null) {
      open =
          new ChangeFile(
              schema,
              handover.position(commit),
              ledger.claim(table, handover.number(commit), handover.before(commit)),
              clock.instant());
      file = open;
      owner.opened();
    }
    return open;
  }

  private CommitCursor cursorAt(Handover handover, int commit) {
    CommitCursor now = cursor;
    if (now == null || now.number() != handover.number(commit)) {
      now =
          new CommitCursor(
              handover.number(commit),
              handover.position(commit),
              now == null ? Optional.empty() : now.lastWhole(true));
      cursor = now;
    }
    return now;
  }

  private void sealIfFull(boolean commitEnds) {
    boolean whole = commitEnds && (limits.age().isZero() || window.rows() >= limits.rows());
    boolean large = commitRows >= limits.rows() || window.roomForBytes(1) == 0;
    if (window.isOpen() && (whole || large)) {
      owner.seal();
    }
  }

  private StopAtCommitException refused(Piece piece, RefusedValueException e) {
    int commit = piece.changes().commitIndex(e.row());
    return new StopAtCommitException(valueRefused(e, key(piece.reader, e.row())), commit);
  }

  private TableStoppedException valueRefused(RefusedValueException e, String key) {
    return new TableStoppedException(
        table,
        ErrorCode.VALUE_REFUSED,
        "Table " + table + (key.isEmpty() ? "" : ", " + key) + ": " + e.getMessage(),
        e);
  }

  private static String key(ChangeReader reader, int row) {
    return RowNames.of(reader.changes().rows(), row);
  }

  /** What a sealed file holds of the source's history. */
  record Sealed(ChangeFile file, ChainEntry.Changes content, Optional<SourcePosition> lastWhole) {}

  /** Closes the open file, if there is one with rows. */
  Optional<Sealed> sealed() {
    ChangeFile open = file;
    CommitCursor last = cursor;
    if (open == null || last == null) {
      return Optional.empty();
    }
    HeldCommit waiting = held;
    boolean heldBack = waiting != null && waiting.number == last.number();
    boolean whole = last.done() || (!heldBack && ledger.isWhole(last.number()));
    file = null;
    commitRows = 0;
    window.seal();
    return Optional.of(
        new Sealed(
            open,
            new ChainEntry.Changes(
                open.first().timeline(),
                open.first().order(),
                last.position().order(),
                last.rows(),
                whole ? Optional.empty() : Optional.of(last.hash()),
                open.commits()),
            last.lastWhole(whole)));
  }

  /** Drops everything that is collected. */
  void drop() {
    if (file != null) {
      file.free();
      file = null;
    }
    if (held != null) {
      held.memory.forEach(MemoryBudget.Reservation::release);
      held = null;
    }
    window.seal();
  }
}
