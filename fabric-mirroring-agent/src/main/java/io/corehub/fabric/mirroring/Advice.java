package io.corehub.fabric.mirroring;

/** Sentences that tell a person what to do, used by several messages. */
final class Advice {

  private static final String HOW =
      "e-create the table, so that it is loaded anew: stop the hub, run its command recreate-table,"
          + " start it again. (Or set snapshotOntoExistingTable to recreate for the table and start"
          + " again.)";

  /** The remedy for whatever a folder cannot follow. */
  static final String RECREATE = "R" + HOW;

  /** The same as the last of several remedies, behind a comma. */
  static final String OR_RECREATE = "or r" + HOW;

  private Advice() {}
}
