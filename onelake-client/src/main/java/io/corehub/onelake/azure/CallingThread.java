package io.corehub.onelake.azure;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs what it is given at once, on the calling thread, so that signing in needs no thread of its
 * own and an interrupt reaches the request. Thread-safe.
 */
final class CallingThread extends AbstractExecutorService {
  private volatile boolean shutDown;

  @Override
  public void execute(Runnable command) {
    command.run();
  }

  @Override
  public void shutdown() {
    shutDown = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutDown = true;
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return shutDown;
  }

  @Override
  public boolean isTerminated() {
    return shutDown;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return shutDown;
  }
}
