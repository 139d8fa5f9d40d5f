package io.corehub.storage;

import io.corehub.onelake.AppendMode;
import io.corehub.onelake.DfsException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends the blocks of one file in the background, a few at a time, each repeated while its fault
 * passes. Appending the same bytes at the same place again is harmless. Thread-safe.
 */
final class BlockAppends {

  /** What is done before the first block, once: it makes the file. */
  interface Opening {
    void run() throws InterruptedException;
  }

  @SuppressWarnings("ArrayRecordComponent") // handed over without a copy
  private record Block(long position, byte[] bytes, int length, Runnable acknowledged) {}

  private final UploadRoom room;
  private final Object file;
  private final Supplier<String> path;
  private final Patience patience;
  private final ArrayDeque<Block> waiting = new ArrayDeque<>();
  private CompletableFuture<Void> drained = CompletableFuture.completedFuture(null);
  private @Nullable Opening opening;
  private int inFlight;
  private @Nullable Throwable failure;
  private boolean stopped;

  /**
   * Appends to a file.
   *
   * @param room where it lies
   * @param file its identity among the files in flight
   * @param path its path, once it was made
   * @param opening makes the file
   * @param patience counts failed attempts
   */
  BlockAppends(
      UploadRoom room, Object file, Supplier<String> path, Opening opening, Patience patience) {
    this.room = room;
    this.file = file;
    this.path = path;
    this.opening = opening;
    this.patience = patience;
  }

  /**
   * Takes a block.
   *
   * @param acknowledged called once when the server has it; not if that never happens
   */
  void append(long position, byte[] bytes, int length, Runnable acknowledged) {
    synchronized (waiting) {
      waiting.add(new Block(position, bytes, length, acknowledged));
      if (drained.isDone() && failure == null) {
        drained = new CompletableFuture<>();
      }
    }
    startWhatCan();
  }

  /** Complete when no block is waiting or in flight; look at {@link #failure()} then. */
  CompletableFuture<Void> drained() {
    synchronized (waiting) {
      return drained;
    }
  }

  /** Why appending ended before its time, if it did. */
  @Nullable Throwable failure() {
    synchronized (waiting) {
      return failure;
    }
  }

  /** Sends nothing more. */
  void stop() {
    synchronized (waiting) {
      stopped = true;
      waiting.clear();
    }
    settle();
  }

  private void startWhatCan() {
    while (true) {
      Block block;
      synchronized (waiting) {
        int most = opening == null ? room.blockConcurrency() : 1;
        if (stopped || failure != null || inFlight >= most || waiting.isEmpty()) {
          return;
        }
        block = waiting.remove();
        inFlight++;
      }
      send(block);
    }
  }

  private void send(Block block) {
    room.slots().run(file, block.length, () -> attempt(block), this::failed);
  }

  private void attempt(Block block) {
    Duration asked = patience.askedToWait();
    if (!asked.isZero() && !isStopped()) {
      later(asked, block);
      return;
    }
    try {
      Opening first = toOpen();
      if (first != null) {
        first.run();
        opened();
      }
      room.client()
          .append(
              path.get(),
              block.position,
              ByteBuffer.wrap(block.bytes, 0, block.length),
              AppendMode.APPEND);
      patience.recovered();
      block.acknowledged.run();
    } catch (DfsException e) {
      if (e.transientFault() && !isStopped()) {
        later(patience.pauseAfter(e), block);
      } else {
        failed(e);
      }
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed(e);
      return;
    } catch (RuntimeException | Error e) {
      failed(e);
      return;
    }
    synchronized (waiting) {
      inFlight--;
    }
    startWhatCan();
    settle();
  }

  private void later(Duration pause, Block block) {
    room.workers().timer().in(pause, () -> send(block));
  }

  private boolean isStopped() {
    synchronized (waiting) {
      return stopped;
    }
  }

  private @Nullable Opening toOpen() {
    synchronized (waiting) {
      return opening;
    }
  }

  private void opened() {
    synchronized (waiting) {
      opening = null;
    }
    startWhatCan();
  }

  private void failed(Throwable reason) {
    synchronized (waiting) {
      inFlight--;
      waiting.clear();
      if (failure == null) {
        failure = reason;
      }
    }
    settle();
  }

  private void settle() {
    CompletableFuture<Void> done = null;
    synchronized (waiting) {
      if (inFlight == 0 && waiting.isEmpty()) {
        done = drained;
      }
    }
    if (done != null) {
      done.complete(null);
    }
  }
}
