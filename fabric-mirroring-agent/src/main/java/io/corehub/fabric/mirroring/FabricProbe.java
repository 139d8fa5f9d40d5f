package io.corehub.fabric.mirroring;

import io.corehub.storage.probe.Assumption;

/** What the protocol takes for granted of Fabric; docs/design/exactly-once.md lists the same. */
enum FabricProbe implements Assumption {
  TAKES_CHAIN_ENTRY(
      "fabric-takes-chain-entry",
      "a footer entry that Fabric does not know is harmless",
      "Fabric takes no file of this agent. Do not use this target, and report this."),
  TAKES_ZERO_ROWS(
      "fabric-takes-zero-rows",
      "Fabric takes a file without rows",
      "Empty tables, handed-over tables and tables that start over would stand still in Fabric."),
  SKIPS_UPLOADS(
      "fabric-skips-uploads",
      "Fabric does not read files whose names begin with an underscore",
      "Rows would show up twice, or before their time. Do not use this target."),
  WAITS_WITH_CLEAN_UP(
      "fabric-waits-with-clean-up",
      "Fabric leaves a file in place for more than ten seconds after it appeared",
      "Of two runs alive, the older one could publish where nobody reads. Keep only one run."),
  KEEPS_LAST_FILE(
      "fabric-keeps-last-file",
      "Fabric leaves the last file in the folder",
      "The agent looks for its last file in the clean-up folders then, and a table stops once those"
          + " are emptied, after about a week without changes."),
  READS_NUMBER_ONCE(
      "fabric-reads-number-once",
      "Fabric does not read a number again that it has processed",
      "A rename that is carried out very late could show its rows twice. Keep only one run."),
  TAKES_COLUMN_NAMES(
      "fabric-takes-column-names",
      "Fabric takes column names with blanks, punctuation and letters beyond ASCII, and of 128"
          + " characters",
      "A table with such a name stops in Fabric, and hub status shows its error: rename the column,"
          + " or leave it out."),
  TAKES_WIDE_TABLES(
      "fabric-takes-wide-tables",
      "Fabric takes a table of 1,024 columns",
      "A table with more columns than Fabric takes stops there, and hub status shows its error:"
          + " leave some out."),
  TAKES_NULL_KEYS(
      "fabric-takes-null-keys",
      "Fabric takes a row whose key is NULL",
      "Nothing is at risk: the agent publishes no such row, and says so of its table.");

  private final String id;
  private final String assumption;
  private final String consequence;

  FabricProbe(String id, String assumption, String consequence) {
    this.id = id;
    this.assumption = assumption;
    this.consequence = consequence;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String assumption() {
    return assumption;
  }

  @Override
  public String consequence() {
    return consequence;
  }

  @Override
  public boolean costsOnly() {
    return LimitProbes.ALL.contains(this);
  }
}
