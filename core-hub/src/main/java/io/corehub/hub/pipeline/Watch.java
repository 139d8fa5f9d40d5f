package io.corehub.hub.pipeline;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.settings.Setting;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.source.Shown;
import io.corehub.hub.source.Source;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Keeps the time of a pipeline: a stop that takes too long is interrupted, and a finite source
 * whose target does not take files for too long ends. Thread-safe.
 */
final class Watch implements AutoCloseable {

  /** Setting of agents that says how long a finite source tries; and what holds without it. */
  private static final String BUDGET_SETTING = "retryBudgetSeconds";

  private static final Duration DEFAULT_BUDGET = Duration.ofMinutes(10);

  private final PipelineConfig config;
  private final Thread watched;
  private final Consumer<Throwable> failed;
  private final ScheduledThreadPoolExecutor timer;
  private long degradedSince;

  Watch(PipelineConfig config, Thread watched, Consumer<Throwable> failed) {
    this.config = config;
    this.watched = watched;
    this.failed = failed;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "watch-" + config.name());
              thread.setDaemon(true);
              return thread;
            });
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    // A pipeline may be asked to stop while it ends: what comes after close() is of no use.
    timer.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  /** Interrupts the pipeline's thread after a while if it is still needed then. */
  void interruptAfter(Duration delay, BooleanSupplier needed) {
    Future<?> unused =
        timer.schedule(
            () -> {
              if (needed.getAsBoolean()) {
                watched.interrupt();
              }
            },
            delay.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /** Ends the pipeline of a finite source when its target takes no files for too long. */
  void observe(Source source, TargetAgent agent) {
    if (source.finite()) {
      Duration budget = budget();
      Future<?> unused =
          timer.scheduleWithFixedDelay(
              () -> {
                try {
                  look(agent, budget);
                } catch (RuntimeException e) {
                  failed.accept(e);
                }
              },
              1,
              1,
              TimeUnit.SECONDS);
    }
  }

  private void look(TargetAgent agent, Duration budget) {
    Optional<TableStatus> degraded =
        agent.status().stream()
            .filter(status -> status.state() == TableStatus.State.DEGRADED)
            .findFirst();
    long now = System.nanoTime();
    if (degraded.isEmpty()) {
      degradedSince = 0;
    } else if (degradedSince == 0) {
      degradedSince = now;
    } else if (now - degradedSince >= budget.toNanos()) {
      failed.accept(
          new RetryLaterException(
              ErrorCode.TARGET_UNAVAILABLE,
              "The target took no file of table "
                  + Shown.of(degraded.get().table().toString())
                  + " for "
                  + budget.toSeconds()
                  + " seconds; start again when it is back. "
                  + degraded.get().problem().orElse("")));
    }
  }

  private Duration budget() {
    Optional<Setting<?>> setting = config.agent().descriptor().settings().find(BUDGET_SETTING);
    return setting
        .flatMap(known -> config.agentSettings().find(known))
        .filter(Integer.class::isInstance)
        .map(seconds -> Duration.ofSeconds((Integer) seconds))
        .orElse(DEFAULT_BUDGET);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
