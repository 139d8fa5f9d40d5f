package io.corehub.hub.pipeline;

import io.corehub.agent.SnapshotEnd;
import io.corehub.agent.SnapshotWriter;
import io.corehub.agent.TableStoppedException;
import io.corehub.hub.source.Shown;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes snapshots beside the feeding thread, a few tables at a time, so that the next table is
 * read while the last file of one is published. Confined to the feeding thread, but for {@link
 * #close}.
 */
final class SnapshotEnds implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotEnds.class);
  private static final int AT_A_TIME = 8;

  private final String pipeline;
  private final Tables tables;
  private final Consumer<RuntimeException> failed;
  private final ThreadPoolExecutor threads;

  /**
   * Creates the threads when they are needed.
   *
   * @param failed told of trouble that is not one table's
   */
  SnapshotEnds(String pipeline, Tables tables, Consumer<RuntimeException> failed) {
    this.pipeline = pipeline;
    this.tables = tables;
    this.failed = failed;
    this.threads = SideThreads.of("snapshot-end", pipeline, AT_A_TIME);
  }

  void finish(TableFeed feed, SnapshotWriter writer, SnapshotEnd end) {
    feed.finishing =
        threads.submit(
            () -> {
              String table = Shown.of(feed.id().toString());
              try {
                writer.finish(end);
                LOG.info("{}: snapshot of table {} is published", pipeline, table);
              } catch (TableStoppedException e) {
                writer.abort();
                tables.stop(e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (RuntimeException e) {
                failed.accept(e);
              }
            });
  }

  /**
   * Does something once a table's snapshot is published or given up: at once if none is being
   * finished. Who waits for the snapshot waits for that, too.
   */
  void afterwards(TableFeed feed, Runnable step) {
    Future<?> finishing = feed.finishing;
    if (finishing == null) {
      step.run();
      return;
    }
    // Never before the snapshot's own task, which stands before it in the queue.
    feed.finishing =
        threads.submit(
            () -> {
              try {
                finishing.get();
                step.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
              } catch (RuntimeException e) {
                failed.accept(e);
              }
            });
  }

  /** Waits until a table's snapshot is published or given up, if one is being finished. */
  void await(TableFeed feed) throws InterruptedException {
    Future<?> finishing = feed.finishing;
    if (finishing != null) {
      try {
        finishing.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
      feed.finishing = null;
    }
  }

  /** Interrupts what is being finished. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
