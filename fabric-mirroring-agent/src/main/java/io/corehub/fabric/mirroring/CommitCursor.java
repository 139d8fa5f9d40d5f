package io.corehub.fabric.mirroring;

import io.corehub.agent.RowChanges;
import io.corehub.agent.SourcePosition;
import java.util.Optional;

/**
 * The commit whose rows a table took last, and how many of them. Confined to the owner of its
 * table.
 */
final class CommitCursor {

  private final long number;
  private final SourcePosition position;
  private final Optional<SourcePosition> previous;
  private final RowHash hash;
  private long rows;
  private boolean done;

  /**
   * A commit of which nothing was taken.
   *
   * @param number its number
   * @param position its position
   * @param previous position of the commit with rows of the table before it
   */
  CommitCursor(long number, SourcePosition position, Optional<SourcePosition> previous) {
    this(number, position, previous, new RowHash(), 0);
  }

  /** A commit of which a part was taken in an earlier run. */
  CommitCursor(
      long number,
      SourcePosition position,
      Optional<SourcePosition> previous,
      RowHash hash,
      long rows) {
    this.number = number;
    this.position = position;
    this.previous = previous;
    this.hash = hash;
    this.rows = rows;
  }

  /** Rows of the commit were taken; the last ones if {@code last}. */
  void took(RowChanges changes, int from, int to, boolean last) {
    rows += to - from;
    done = last;
    if (!last) {
      hash.add(changes, from, to);
    }
  }

  /** All of the commit was taken, with this many rows more. */
  void tookAll(long more) {
    rows += more;
    done = true;
  }

  long number() {
    return number;
  }

  SourcePosition position() {
    return position;
  }

  long rows() {
    return rows;
  }

  boolean done() {
    return done;
  }

  String hash() {
    return hash.text();
  }

  /** The last commit taken whole, if this one is or is not. */
  Optional<SourcePosition> lastWhole(boolean whole) {
    return whole ? Optional.of(position) : previous;
  }
}
