package io.corehub.agent;

import java.util.Objects;
import java.util.Optional;

/**
 * The end of a snapshot of one table, as far as the host can tell it. Immutable.
 *
 * @param capturedUpTo position of the last commit that the source had made when the snapshot was
 *     complete: commits behind the snapshot's own position, up to this one, were captured while it
 *     ran. Empty if the host does not know of any
 * @param backlog whether changes captured after that, too, count as backlog until {@link
 *     TargetAgent#backlogEnded}
 */
public record SnapshotEnd(Optional<SourcePosition> capturedUpTo, boolean backlog) {

  /** Of a host that knows of no change captured meanwhile. */
  public static final SnapshotEnd PLAIN = new SnapshotEnd(Optional.empty(), false);

  /** Checks the parts. */
  public SnapshotEnd {
    Objects.requireNonNull(capturedUpTo, "capturedUpTo");
  }
}
