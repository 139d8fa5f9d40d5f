package io.corehub.agent;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * One transaction of the source. Immutable.
 *
 * @param position where it stands
 * @param committedAt when the source committed it, if known
 * @param transactionId the source's own name for it, if known
 * @param user who committed it, if known
 */
public record Commit(
    SourcePosition position,
    Optional<Instant> committedAt,
    Optional<String> transactionId,
    Optional<String> user) {

  /** Checks the parts. */
  public Commit {
    Objects.requireNonNull(position, "position");
  }

  /**
   * A commit of which only the position is known.
   *
   * @param position position
   * @return the commit
   */
  public static Commit at(SourcePosition position) {
    return new Commit(position, Optional.empty(), Optional.empty(), Optional.empty());
  }
}
