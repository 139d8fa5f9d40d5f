package io.corehub.testkit;

import io.corehub.agent.Commit;
import io.corehub.agent.SourcePosition;
import java.util.List;

/**
 * A transaction of a source, change by change. Immutable.
 *
 * @param commit where it stands
 * @param changes what it did, in order; may be empty
 */
public record SourceCommit(Commit commit, List<SourceChange> changes) {

  /** Timeline of the positions that {@link #at} makes. */
  public static final String TIMELINE = "testkit";

  /** Copies the changes. */
  public SourceCommit {
    changes = List.copyOf(changes);
  }

  /**
   * A transaction at a position of {@link #TIMELINE}.
   *
   * @param order order of its position, unsigned
   * @param changes what it did
   * @return the transaction
   */
  public static SourceCommit at(long order, SourceChange... changes) {
    return new SourceCommit(Commit.at(positionAt(order)), List.of(changes));
  }

  /**
   * A position of {@link #TIMELINE}.
   *
   * @param order its order, unsigned
   * @return the position
   */
  public static SourcePosition positionAt(long order) {
    return new SourcePosition(TIMELINE, order, "token-" + Long.toUnsignedString(order));
  }

  /**
   * Where it stands.
   *
   * @return the position
   */
  public SourcePosition position() {
    return commit.position();
  }
}
