package io.corehub.fabric.mirroring;

/** Sentences that tell a person what to do, used by several messages. */
final class Advice {

  private static final String HOW =
      "oad the table anew: set snapshotOntoExistingTable to recreate for it and start again, or"
          + " delete its folder in the landing zone yourself.";

  /** The remedy for whatever a folder cannot follow. */
  static final String RECREATE = "L" + HOW;

  /** The same as the last of several remedies, behind a comma. */
  static final String OR_RECREATE = "or l" + HOW;

  private Advice() {}
}
