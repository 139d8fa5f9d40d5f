package io.corehub.hub.pipeline;

import io.corehub.agent.AgentState;
import io.corehub.agent.SourcePosition;
import io.corehub.hub.state.PipelineState;
import io.corehub.hub.state.StateException;
import io.corehub.hub.state.StateFile;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes confirmations to the state file on a thread of its own, so that the agent is not kept
 * waiting: while one write is under way the newest of what comes is kept for the next. Thread-safe.
 */
final class StateKeeper implements AutoCloseable {

  private final StateFile file;
  private final Consumer<SourcePosition> written;
  private final Consumer<RuntimeException> failed;
  private final Thread thread;
  private PipelineState state;
  private boolean dirty;
  private boolean closed;
  private boolean ended;
  private CompletableFuture<Void> nextWrite = new CompletableFuture<>();

  /**
   * Starts the thread.
   *
   * @param written told each position that is on disk
   * @param failed told once if the file cannot be written
   */
  StateKeeper(
      String pipeline,
      StateFile file,
      PipelineState state,
      Consumer<SourcePosition> written,
      Consumer<RuntimeException> failed) {
    this.file = file;
    this.state = state;
    this.written = written;
    this.failed = failed;
    this.thread = new Thread(this::run, "state-" + pipeline);
    thread.setDaemon(true);
    thread.start();
  }

  synchronized void confirmed(SourcePosition upTo, AgentState agent) {
    Optional<SourcePosition> known = state.confirmed();
    boolean behind =
        known.isPresent()
            && known.get().timeline().equals(upTo.timeline())
            && upTo.ordered()
            && !upTo.isAfter(known.get());
    state = new PipelineState(state.epoch(), behind ? known : Optional.of(upTo), agent);
    dirty = true;
    notifyAll();
  }

  /** Keeps the agent's state; the answer is complete when it, or a later one, is on disk. */
  synchronized CompletionStage<Void> stateChanged(AgentState agent) {
    if (ended) {
      return CompletableFuture.failedStage(
          new StateException("The state is not written any more: the pipeline ends."));
    }
    state = new PipelineState(state.epoch(), state.confirmed(), agent);
    dirty = true;
    notifyAll();
    return nextWrite;
  }

  /** Position last confirmed, on disk or about to be. */
  synchronized Optional<SourcePosition> confirmed() {
    return state.confirmed();
  }

  private void run() {
    @Nullable SourcePosition told = state.confirmed().orElse(null);
    try {
      for (Write next = await(); next != null; next = await()) {
        file.write(next.state);
        next.written.complete(null);
        SourcePosition position = next.state.confirmed().orElse(null);
        if (position != null && !position.equals(told)) {
          written.accept(position);
          told = position;
        }
      }
    } catch (RuntimeException e) {
      failed.accept(e);
    } finally {
      end();
    }
  }

  /** Nothing is written any more: who waits for it is told so. */
  private void end() {
    CompletableFuture<Void> never;
    synchronized (this) {
      ended = true;
      never = nextWrite;
    }
    never.completeExceptionally(
        new StateException("The state could not be written: the pipeline ends."));
  }

  /**
   * One replacement of the file.
   *
   * @param state its content
   * @param written complete when it is on disk
   */
  private record Write(PipelineState state, CompletableFuture<Void> written) {}

  /** What to write next; null when closed and all is written. */
  private synchronized @Nullable Write await() {
    try {
      while (!dirty && !closed) {
        wait();
      }
    } catch (InterruptedException e) {
      // Nobody interrupts this thread but the end of the process, which may cut off any write.
      return null;
    }
    if (!dirty) {
      return null;
    }
    dirty = false;
    Write next = new Write(state, nextWrite);
    nextWrite = new CompletableFuture<>();
    return next;
  }

  /** Writes what is left and ends the thread. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
