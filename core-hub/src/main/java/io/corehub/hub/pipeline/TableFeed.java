package io.corehub.hub.pipeline;

import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableProgress;
import io.corehub.agent.table.TableId;
import io.corehub.agent.table.TableSchema;
import io.corehub.hub.source.DeclaredTable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One table of a pipeline. What {@link DeclaredTable} asks may be asked by any thread; the rest is
 * confined to the thread that feeds the pipeline.
 */
final class TableFeed implements DeclaredTable {

  private final TableId id;
  private final boolean selected;
  private TableSchema declared;
  private volatile TableProgress progress = new TableProgress.NothingPublished();
  private volatile TableSchema sent;
  private volatile boolean stopped;
  private volatile @Nullable Published published;

  /** The agent's taking the table up; null once it is known to be over. */
  private volatile @Nullable Future<?> opening;

  /** Takes the pages of the open snapshot; null if none is open. */
  @Nullable SnapshotWriter writer;

  /** The snapshot that is being finished; null if none is. */
  @Nullable Future<?> finishing;

  private record Published(SourcePosition upTo, boolean whole) {}

  TableFeed(TableSchema declared, TableSchema sent, boolean selected) {
    this.id = declared.table();
    this.declared = declared;
    this.sent = sent;
    this.selected = selected;
  }

  TableId id() {
    return id;
  }

  /** Whether a declaration says nothing new. */
  boolean hasShape(TableSchema shape) {
    return declared.columns().equals(shape.columns())
        && declared.keyColumns().equals(shape.keyColumns());
  }

  void reshape(TableSchema newlyDeclared, TableSchema newlySent) {
    declared = newlyDeclared;
    sent = newlySent;
  }

  /** Says that the agent is taking the table up: answers that depend on that wait for it. */
  void opensWith(Future<?> open) {
    opening = open;
  }

  /** Waits until the agent has taken the table up, or refused it. */
  void awaitOpened() throws InterruptedException {
    Future<?> pending = opening;
    if (pending == null) {
      return;
    }
    try {
      pending.get();
      opening = null;
    } catch (CancellationException e) {
      throw ended(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw ended(e);
    }
  }

  private static InterruptedException ended(Exception cause) {
    InterruptedException ended = new InterruptedException("The pipeline ends");
    ended.initCause(cause);
    return ended;
  }

  /** Takes what the target holds of the table. */
  void progressed(TableProgress now) {
    progress = now;
    if (now instanceof TableProgress.SnapshotFinished finished) {
      published = new Published(finished.consistentAt(), true);
    } else if (now instanceof TableProgress.ChangesPublished changes) {
      published = new Published(changes.position(), changes.complete());
    } else {
      published = null;
    }
  }

  /** A snapshot begins: what it holds is not wanted as changes. */
  void snapshotBegins(SourcePosition consistentAt) {
    published = new Published(consistentAt, true);
  }

  /** Whether the target held this snapshot when the pipeline started. */
  boolean holds(SnapshotStart start) {
    if (progress instanceof TableProgress.ChangesOnly) {
      return true;
    }
    if (progress instanceof TableProgress.SnapshotUnfinished unfinished) {
      return earlier(start.id(), unfinished.snapshotId());
    }
    if (progress instanceof TableProgress.SnapshotFinished finished) {
      if (!finished.consistentAt().timeline().equals(start.consistentAt().timeline())) {
        return false;
      }
      int order = compare(start.consistentAt(), finished.consistentAt());
      return order < 0
          || (order == 0
              && (start.id().equals(finished.snapshotId())
                  || earlier(start.id(), finished.snapshotId())));
    }
    return progress instanceof TableProgress.ChangesPublished changes
        && changes.position().timeline().equals(start.consistentAt().timeline())
        && compare(start.consistentAt(), changes.position()) < 0;
  }

  private static int compare(SourcePosition a, SourcePosition b) {
    return Long.compareUnsigned(a.order(), b.order());
  }

  /** Snapshots of a table may be counted: a lower number is the earlier one. */
  private static boolean earlier(String id, String other) {
    return id.matches("\\d{1,9}")
        && other.matches("\\d{1,9}")
        && Integer.parseInt(id) < Integer.parseInt(other);
  }

  void stop() {
    stopped = true;
  }

  @Override
  public TableSchema schema() {
    return sent;
  }

  @Override
  public boolean wanted() throws InterruptedException {
    awaitOpened();
    return selected && !stopped;
  }

  @Override
  public boolean wantsSnapshot() throws InterruptedException {
    return wanted() && !(progress instanceof TableProgress.ChangesOnly);
  }

  @Override
  public boolean wants(SourcePosition position) throws InterruptedException {
    if (!wanted()) {
      return false;
    }
    Published known = published;
    if (known == null || !known.upTo.timeline().equals(position.timeline())) {
      return true;
    }
    int order = compare(position, known.upTo);
    return order > 0 || (order == 0 && !known.whole);
  }
}
