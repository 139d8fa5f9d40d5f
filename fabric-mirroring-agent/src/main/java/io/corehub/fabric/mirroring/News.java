package io.corehub.fabric.mirroring;

import io.corehub.agent.AgentException;
import io.corehub.agent.AgentListener;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.runtime.ConfirmationLedger;
import io.corehub.runtime.SerialTasks;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
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
  private final Object changed = new Object();
  private long changes;
  private volatile boolean ended;
  private int pending;

  News(AgentListener listener, ConfirmationLedger ledger, Remembered remembered, Executor threads) {
    this.listener = listener;
    this.ledger = ledger;
    this.remembered = remembered;
    this.calls = new SerialTasks(threads);
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
    synchronized (changed) {
      while (!stored.isDone()) {
        if (ended) {
          throw new ExecutionException(new IllegalStateException("The agent ends"));
        }
        changed.wait();
      }
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
    synchronized (changed) {
      pending++;
    }
    calls.execute(
        () -> {
          try {
            deliver(news);
          } finally {
            synchronized (changed) {
              pending--;
              changes++;
              changed.notifyAll();
            }
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
    synchronized (changed) {
      changes++;
      changed.notifyAll();
    }
  }

  /** A condition on the state of the agent. */
  interface Condition {
    boolean holds();
  }

  /** Waits until a condition holds and all news is delivered. */
  void await(Condition condition) throws InterruptedException {
    while (true) {
      long seen;
      synchronized (changed) {
        seen = changes;
      }
      boolean holds = condition.holds();
      synchronized (changed) {
        if (ended || (holds && pending == 0)) {
          return;
        }
        while (seen == changes && !ended) {
          changed.wait();
        }
      }
    }
  }

  /** No news from now on: waits for the call under way. */
  void end() {
    synchronized (turn) {
      ended = true;
    }
    somethingChanged();
  }
}
