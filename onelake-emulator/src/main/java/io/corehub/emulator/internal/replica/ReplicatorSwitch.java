package io.corehub.emulator.internal.replica;

import java.util.Locale;

/** Says what the replicator is to do from its next look on. Thread-safe. */
public final class ReplicatorSwitch {

  /** What the replicator does. */
  public enum Mode {
    /** Applies files. */
    RUNNING,
    /** Applies nothing and says that it was stopped. */
    STOPPED,
    /** Applies nothing and says that it is paused. */
    PAUSED,
    /** Does nothing at all: what it last said stays. */
    HUNG;

    /** As requests name it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private volatile Mode mode = Mode.RUNNING;

  public Mode mode() {
    return mode;
  }

  public void mode(Mode value) {
    mode = value;
  }

  /**
   * Turns it by name.
   *
   * @throws IllegalArgumentException when there is no such mode
   */
  public void turn(String word) {
    for (Mode known : Mode.values()) {
      if (known.word().equals(word)) {
        mode = known;
        return;
      }
    }
    throw new IllegalArgumentException(
        "status is '" + word + "', must be running, stopped, paused or hung");
  }
}
