package io.corehub.runtime;

import java.util.function.BooleanSupplier;

/** A signal by a monitor. Thread-safe. */
final class MonitorSignal implements Signal {

  private final Object changed = new Object();
  private long changes;

  @Override
  public void await(BooleanSupplier condition) throws InterruptedException {
    while (true) {
      long seen;
      synchronized (changed) {
        seen = changes;
      }
      if (condition.getAsBoolean()) {
        return;
      }
      synchronized (changed) {
        while (seen == changes) {
          changed.wait();
        }
      }
    }
  }

  @Override
  public void raise() {
    synchronized (changed) {
      changes++;
      changed.notifyAll();
    }
  }
}
