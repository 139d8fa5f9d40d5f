package io.corehub.runtime;

import io.corehub.agent.AgentException;
import io.corehub.agent.AgentListener;
import io.corehub.agent.AgentState;
import io.corehub.agent.PublishedFile;
import io.corehub.agent.SnapshotStart;
import io.corehub.agent.SourcePosition;
import io.corehub.agent.TableShape;
import io.corehub.agent.TableStoppedException;
import io.corehub.agent.table.TableId;
import io.corehub.runtime.text.LineLog;
import io.corehub.runtime.text.Text;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Carries news to the host: one call at a time, in order, never while a lock of the agent is held,
 * and none after {@link #end()}. The host logs what it is told; nothing is logged here a second
 * time. Also wakes those who wait for the agent's work to be done. Thread-safe.
 */
public final class News {

  private static final Logger LOG = LineLog.of(News.class);

  private final AgentListener listener;
  private final ConfirmationLedger ledger;
  private final Supplier<AgentState> state;
  private final SerialTasks calls;
  private final Object turn = new Object();
  private final Signal changed;
  private final AtomicInteger pending = new AtomicInteger();
  private volatile boolean ended;

  /**
   * News to a host.
   *
   * @param listener the host's
   * @param ledger says what is confirmed
   * @param state what the host is to remember, when it is asked; quick and thread-safe
   * @param workers threads that carry the news
   */
  public News(
      AgentListener listener,
      ConfirmationLedger ledger,
      Supplier<AgentState> state,
      Workers workers) {
    this.listener = listener;
    this.ledger = ledger;
    this.state = state;
    this.calls = new SerialTasks(workers.encoders());
    this.changed = workers.signal();
  }

  /** Confirms what has become whole since the last time. */
  public void confirm() {
    call(
        () -> {
          Optional<SourcePosition> position = ledger.advance();
          position.ifPresent(upTo -> listener.confirmed(upTo, state.get()));
        });
  }

  /** Has the host store what is to be remembered. */
  public void stateChanged() {
    call(() -> listener.stateChanged(state.get()));
  }

  /**
   * Has the host store what is remembered now, and waits until a crash can no longer lose it.
   *
   * @throws ExecutionException if the host cannot store it, or the agent ends
   * @throws InterruptedException if interrupted
   */
  public void storeState() throws InterruptedException, ExecutionException {
    CompletableFuture<Void> stored = new CompletableFuture<>();
    call(
        () -> {
          try {
            listener
                .stateChanged(state.get())
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

  /**
   * A table has another shape, or its first.
   *
   * @param shape its columns and place
   */
  public void tableShaped(TableShape shape) {
    call(() -> listener.tableShaped(shape));
  }

  /**
   * A snapshot begins.
   *
   * @param table its table
   * @param start its id and position
   */
  public void snapshotStarted(TableId table, SnapshotStart start) {
    call(() -> listener.snapshotStarted(table, start));
  }

  /**
   * A file stands in the target.
   *
   * @param file what it holds
   */
  public void filePublished(PublishedFile file) {
    call(() -> listener.filePublished(file));
  }

  /**
   * A snapshot is over.
   *
   * @param table its table
   * @param snapshotId its id
   * @param complete whether all of it stands in the target
   */
  public void snapshotEnded(TableId table, String snapshotId, boolean complete) {
    call(() -> listener.snapshotEnded(table, snapshotId, complete));
  }

  /**
   * A table stopped.
   *
   * @param reason why
   */
  public void tableStopped(TableStoppedException reason) {
    call(() -> listener.tableStopped(reason));
  }

  /**
   * The agent stopped.
   *
   * @param reason why
   */
  public void agentStopped(AgentException reason) {
    call(() -> listener.agentStopped(reason));
  }

  /**
   * Something a person should know.
   *
   * @param table the table concerned; empty for the agent as a whole
   * @param message one sentence; told on one line, control and direction characters escaped
   */
  public void warning(Optional<TableId> table, String message) {
    call(() -> listener.warning(table, Text.line(message)));
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
        LOG.error("The host failed on news of the agent", e);
      }
    }
  }

  /** Something changed that others may wait for. */
  public void somethingChanged() {
    changed.raise();
  }

  /**
   * Waits until a condition holds and all news is delivered, or the agent ends.
   *
   * @param condition looks at state that changes before {@link #somethingChanged()}
   * @throws InterruptedException if interrupted
   */
  public void await(BooleanSupplier condition) throws InterruptedException {
    changed.await(() -> ended || (condition.getAsBoolean() && pending.get() == 0));
  }

  /** No news from now on: waits for the call under way. */
  public void end() {
    synchronized (turn) {
      ended = true;
    }
    somethingChanged();
  }
}
