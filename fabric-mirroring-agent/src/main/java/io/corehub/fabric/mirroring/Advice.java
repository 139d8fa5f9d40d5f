package io.corehub.fabric.mirroring;

/** Sentences that tell a person what to do, used by several messages. */
final class Advice {

  private static final String BY_COMMAND =
      "e-create the table, so that it is loaded anew: stop the hub, run its command recreate-table,"
          + " start it again.";

  private static final String HOW =
      BY_COMMAND + " (Or set snapshotOntoExistingTable to recreate for the table and start again.)";

  /** The remedy for whatever a folder cannot follow. */
  static final String RECREATE = "R" + HOW;

  /** The remedy for a table that no setting brings back. */
  static final String RECREATE_BY_COMMAND = "R" + BY_COMMAND;

  /** The remedy for whatever a folder cannot follow, the last of several, behind a comma. */
  static final String OR_RECREATE = "or r" + HOW;

  private Advice() {}
}
