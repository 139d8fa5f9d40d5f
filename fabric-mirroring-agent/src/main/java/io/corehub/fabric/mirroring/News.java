package io.corehub.fabric.mirroring;

import io.corehub.agent.AgentException;
import io.corehub.agent.AgentListener;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.SerialTasks;
import io.corehub.runtime.Signal;
import io.corehub.runtime.Workers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries news to the host: one call at a time, in order, never while a lock of the agent is held,
 * and none after {@link #end()}. The host logs what it is told; nothing is logged here a second
 * time. Also wakes those who wait for the agent's work to be done. Thread-safe.
 */
final class News {

  private final AgentListener listener;
  private final ConfirmationLedger ledger;
  private final Remembered remembered;
  private final SerialTasks calls;
  private final Object turn = new Object();
  private final Signal changed;
  private final AtomicInteger pending = new AtomicInteger();
  private volatile boolean ended;

  News(AgentListener listener, ConfirmationLedger ledger, Remembered remembered, Workers workers) {
    this.listener = listener;
    this.ledger = ledger;
    this.remembered = remembered;
    this.calls = new SerialTasks(workers.encoders());
    this.changed = workers.signal();
  }

  /** Confirms what has become whole since the last time. */
  void confirm() {
    call(
        () -> {
          Optional<SourcePosition> position = ledger.advance();
          position.ifPresent(upTo -> listener.confirmed(upTo, remembered.state()));
        });
  }

  void stateChanged() {
    call(() -> listener.stateChanged(remembered.state()));
  }

  /**
   * Has the host store what is remembered now, and waits until a crash can no longer lose it.
   *
   * @throws ExecutionException if the host cannot store it, or the agent ends
   */
  void storeState() throws InterruptedException, ExecutionException {
    CompletableFuture<Void> stored = new CompletableFuture<>();
    call(
        () -> {
          try {
            listener
                .stateChanged(remembered.state())
                .whenComplete((none, failure) -> tell(stored, failure));
          } catch (RuntimeException e) {
            tell(stored, e);
          }
        });
    changed.await(() -> stored.isDone() || ended);
    if (!stored.isDone()) {
      throw new ExecutionException(new IllegalStateException("The agent ends"));
    }
    stored.get();
  }

  private void tell(CompletableFuture<Void> stored, @Nullable Throwable failure) {
    if (failure == null) {
      stored.complete(null);
    } else {
      stored.completeExceptionally(failure);
    }
    somethingChanged();
  }

  void tableStopped(TableStoppedException reason) {
    call(() -> listener.tableStopped(reason));
  }

  void agentStopped(AgentException reason) {
    call(() -> listener.agentStopped(reason));
  }

  void warning(Optional<TableId> table, String message) {
    call(() -> listener.warning(table, message));
  }

  private void call(Runnable news) {
    pending.incrementAndGet();
    calls.execute(
        () -> {
          try {
            deliver(news);
          } finally {
            pending.decrementAndGet();
            changed.raise();
          }
        });
  }

  private void deliver(Runnable news) {
    synchronized (turn) {
      if (ended) {
        return;
      }
      try {
        news.run();
      } catch (RuntimeException e) {
        Logs.LOG.error("The host failed on news of the agent", e);
      }
    }
  }

  /** Something changed that others may wait for. */
  void somethingChanged() {
    changed.raise();
  }

  /** Waits until a condition holds and all news is delivered. */
  void await(BooleanSupplier condition) throws InterruptedException {
    changed.await(() -> ended || (condition.getAsBoolean() && pending.get() == 0));
  }

  /** No news from now on: waits for the call under way. */
  void end() {
    synchronized (turn) {
      ended = true;
    }
    somethingChanged();
  }
}
