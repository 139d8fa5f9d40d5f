package io.corehub.agent;

import java.util.Objects;

/**
 * Where a commit stands in the source's history. Immutable.
 *
 * @param timeline identity of the history the order belongs to; positions of different timelines
 *     cannot be compared. Empty when the source cannot promise an order: delivery is then at least
 *     once
 * @param order unsigned 64-bit number, strictly increasing over the commits of a timeline, and the
 *     same when a commit is delivered again
 * @param token what the hub needs to resume behind this commit; the agent hands it back unread
 */
public record SourcePosition(String timeline, long order, String token) {

  /** Checks the parts. */
  public SourcePosition {
    Objects.requireNonNull(timeline, "timeline");
    Objects.requireNonNull(token, "token");
  }

  /**
   * Whether the source promises an order.
   *
   * @return false if positions cannot be used to recognise a commit
   */
  public boolean ordered() {
    return !timeline.isEmpty();
  }

  /**
   * Whether this commit comes after another one of the same timeline.
   *
   * @param other the other position
   * @return true if this order is greater, as an unsigned number
   */
  public boolean isAfter(SourcePosition other) {
    return Long.compareUnsigned(order, other.order) > 0;
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(order);
  }
}
