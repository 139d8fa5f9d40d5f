package io.corehub.hub.pipeline;

import io.corehub.agent.TableProgress;
import io.corehub.agent.TableSpec;
import io.corehub.agent.TargetAgent;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the agent take up tables beside the feeding thread, some at a time: each costs it a few round
 * trips to the target, which a restart with many tables must not pay one after the other. Confined
 * to the feeding thread.
 */
final class TableOpenings implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TableOpenings.class);

  /** As many folders as the mirroring agent looks at when it is opened with tables. */
  private static final int AT_A_TIME = 16;

  /** An interrupted request ends at once; what does not is left to the agent's own end. */
  private static final int ENDING_SECONDS = 3;

  private final TargetAgent agent;
  private final Tables tables;
  private final Consumer<Throwable> failed;
  private final ThreadPoolExecutor threads;

  /**
   * Creates the threads when they are needed.
   *
   * @param failed told of trouble that is not one table's
   */
  TableOpenings(String pipeline, TargetAgent agent, Tables tables, Consumer<Throwable> failed) {
    this.agent = agent;
    this.tables = tables;
    this.failed = failed;
    this.threads = SideThreads.of("table-opening", pipeline, AT_A_TIME);
  }

  /** Begins to open a table; whoever needs the answer waits for it in the feed. */
  void begin(TableFeed feed, TableSpec spec) {
    feed.opensWith(threads.submit(() -> open(feed, spec)));
  }

  private Void open(TableFeed feed, TableSpec spec) throws InterruptedException {
    try {
      TableProgress progress = agent.addTable(spec);
      feed.progressed(progress);
      if (progress instanceof TableProgress.Stopped stopped) {
        tables.stop(stopped.reason());
      }
      return null;
    } catch (RuntimeException | Error e) {
      failed.accept(e);
      throw e;
    }
  }

  /** Gives up what is being opened. */
  @Override
  public void close() {
    threads.shutdownNow().forEach(task -> ((Future<?>) task).cancel(false));
    try {
      if (!threads.awaitTermination(ENDING_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Tables are still being opened {} s after they were given up", ENDING_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
