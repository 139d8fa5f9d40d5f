package io.corehub.hub.pipeline;

import io.corehub.agent.ErrorCode;
import io.corehub.agent.RetryLaterException;
import io.corehub.agent.TableStatus;
import io.corehub.agent.TargetAgent;
import io.corehub.agent.settings.Setting;
import io.corehub.agent.table.TableId;
import io.corehub.hub.config.PipelineConfig;
import io.corehub.hub.source.Shown;
import io.corehub.hub.source.Source;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** Confined to the timer's thread. */
  private final Map<TableId, Long> degradedSince = new HashMap<>();

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
    List<TableStatus> degraded =
        agent.status().stream()
            .filter(status -> status.state() == TableStatus.State.DEGRADED)
            .toList();
    long now = System.nanoTime();
    degradedSince.keySet().retainAll(degraded.stream().map(TableStatus::table).toList());
    for (TableStatus status : degraded) {
      long since = degradedSince.computeIfAbsent(status.table(), table -> now);
      if (now - since >= budget.toNanos()) {
        failed.accept(
            new RetryLaterException(
                ErrorCode.TARGET_UNAVAILABLE,
                "The target took no file of table "
                    + Shown.of(status.table().toString())
                    + " for "
                    + budget.toSeconds()
                    + " seconds; start again when it is back. "
                    + status.problem().orElse("")));
        return;
      }
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
