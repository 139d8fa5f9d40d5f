package io.corehub.fabric.mirroring;

import io.corehub.agent.table.TableId;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.FileWindow;
import io.corehub.runtime.MemoryBudget;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The change file of a table that is open, how far into the source's commits its rows come, and
 * whether it is full. Confined to the owner of its table.
 */
final class OpenChanges {

  private final TableId table;
  private final AgentConfig.Window limits;
  private final FileWindow window;
  private final ConfirmationLedger ledger;
  private final InstantSource clock;
  private final ChangeCollector.Owner owner;
  private FileSchema schema;
  private @Nullable ChangeFile file;
  private @Nullable CommitCursor cursor;

  /** Rows in the open file of a commit whose end is not in it. */
  private long commitRows;

  OpenChanges(
      TableId table,
      AgentConfig.Window limits,
      FileWindow window,
      ConfirmationLedger ledger,
      InstantSource clock,
      FileSchema schema,
      ChangeCollector.Owner owner) {
    this.table = table;
    this.limits = limits;
    this.window = window;
    this.ledger = ledger;
    this.clock = clock;
    this.schema = schema;
    this.owner = owner;
  }

  FileWindow window() {
    return window;
  }

  FileSchema schema() {
    return schema;
  }

  /** Rows from now on have another schema; nothing of the old one may be open. */
  void schema(FileSchema next) {
    schema = next;
  }

  Optional<ChangeFile> file() {
    return Optional.ofNullable(file);
  }

  /** Rows of one commit that the file takes before it is too large by that commit alone. */
  long roomForCommit() {
    return limits.rows() - commitRows;
  }

  /** A claim that keeps the confirmed position before a commit. */
  ConfirmationLedger.Claim claim(Handover handover, int commit) {
    return ledger.claim(table, handover.number(commit), handover.before(commit));
  }

  /** A commit is published as a whole, or holds no file up any more. */
  void settle(ConfirmationLedger.Claim claim) {
    ledger.settle(claim);
  }

  /**
   * Puts rows of one commit or of several into the file; into a new one if none is open.
   *
   * @param rows the rows
   * @param memory what they hold
   * @param handover the batch they came with
   * @param first index of their first commit
   * @param last index of their last commit
   * @param distinct how many commits they are of
   * @param bytes how much they count in the window
   */
  void add(
      FileRows rows,
      MemoryBudget.Reservation memory,
      Handover handover,
      int first,
      int last,
      long distinct,
      long bytes) {
    ChangeFile into = fileFrom(handover, first);
    into.add(rows, memory);
    into.countCommits(handover.number(first), handover.number(last), distinct);
    window.add(rows.count(), bytes);
  }

  private ChangeFile fileFrom(Handover handover, int commit) {
    ChangeFile open = file;
    if (open == null) {
      open =
          new ChangeFile(
              schema, handover.position(commit), claim(handover, commit), clock.instant());
      file = open;
      owner.opened();
    }
    return open;
  }

  /**
   * Rows of a commit were put in, none perhaps.
   *
   * @param rows how many
   * @param ends whether the commit ends with them
   */
  void counted(long rows, boolean ends) {
    commitRows = ends ? 0 : commitRows + rows;
  }

  /** The cursor goes on from an earlier run. */
  void resume(CommitCursor from) {
    cursor = from;
  }

  /** The cursor in a commit. */
  CommitCursor cursorAt(Handover handover, int commit) {
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

  /** Has the file sealed, whatever is in it. */
  void seal() {
    owner.seal();
  }

  /** Has the file sealed if it reached a limit. */
  void sealIfFull(boolean commitEnds) {
    boolean whole = commitEnds && (limits.age().isZero() || window.rows() >= limits.rows());
    boolean large = commitRows >= limits.rows() || window.roomForBytes(1) == 0;
    if (window.isOpen() && (whole || large)) {
      owner.seal();
    }
  }

  /**
   * Closes the file, if there is one with rows.
   *
   * @param held whether rows of a commit, by its number, are held back
   */
  Optional<ChangeCollector.Sealed> sealed(LongPredicate held) {
    ChangeFile open = file;
    CommitCursor last = cursor;
    if (open == null || last == null) {
      return Optional.empty();
    }
    boolean whole = last.done() || (!held.test(last.number()) && ledger.isWhole(last.number()));
    file = null;
    commitRows = 0;
    window.seal();
    return Optional.of(
        new ChangeCollector.Sealed(
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

  /** Drops the rows that are in it. */
  void drop() {
    if (file != null) {
      file.free();
      file = null;
    }
    window.seal();
  }
}
