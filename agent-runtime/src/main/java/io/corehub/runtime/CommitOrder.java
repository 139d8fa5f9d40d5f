package io.corehub.runtime;

import io.corehub.agent.Commit;
import io.corehub.agent.CommitBatch;
import io.corehub.agent.SourcePosition;
import org.jspecify.annotations.Nullable;

/** Watches that commits come in the order of the source. Confined to one caller at a time. */
public final class CommitOrder {

  private @Nullable SourcePosition last;
  private boolean lastWhole = true;

  /** Nothing was taken yet. */
  public CommitOrder() {}

  /**
   * Looks at a batch that is about to be taken.
   *
   * @param batch the batch
   * @throws IllegalArgumentException if a position goes back
   */
  public void check(CommitBatch batch) {
    SourcePosition before = last;
    boolean mayRepeat = !lastWhole;
    for (Commit commit : batch.commits()) {
      SourcePosition position = commit.position();
      if (before != null
          && position.ordered()
          && position.timeline().equals(before.timeline())
          && !position.isAfter(before)
          && !(mayRepeat && position.order() == before.order())) {
        throw new IllegalArgumentException(
            "Commit " + position + " was delivered after commit " + before);
      }
      before = position;
      mayRepeat = false;
    }
  }

  /**
   * Remembers a batch that is taken.
   *
   * @param batch the batch
   */
  public void taken(CommitBatch batch) {
    last = batch.commits().get(batch.commits().size() - 1).position();
    lastWhole = batch.lastCommitComplete();
  }
}
