package io.corehub.fabric.mirroring;

/** Sentences that tell a person what to do, used by several messages. */
final class Advice {

  /** The remedy for whatever a folder cannot follow. */
  static final String RECREATE =
      "Load the table anew: set snapshotOntoExistingTable to recreate for it and start again, or"
          + " delete its folder in the landing zone yourself.";

  private Advice() {}
}
