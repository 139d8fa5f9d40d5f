package io.corehub.fabric.mirroring;

/**
 * What the protocol takes for granted of OneLake and Fabric, and what follows where it does not
 * hold. The page docs/design/exactly-once.md lists the same.
 */
enum Probe {
  FOLDER_WITH_FILE(
      "folder-with-first-file",
      "a folder appears with the first file created in it",
      "No table can be started here."),
  CREATE_KEEPS_FILE(
      "create-keeps-file",
      "a create with If-None-Match: * never empties a file",
      "An upload could empty one that is about to be published. Do not use this target."),
  CONDITIONS_HEARD(
      "conditions-heard",
      "no condition that is sent is among x-ms-rejected-headers",
      "The agent publishes nothing on such an answer: nothing is lost, but nothing lands."),
  RENAME_KEEPS_FILE(
      "rename-keeps-file",
      "a rename with If-None-Match: * never replaces a file",
      "Two runs, or one after a lost answer, could replace each other's files. Do not use this"
          + " target."),
  RENAME_IS_ATOMIC(
      "rename-is-atomic",
      "a rename is atomic",
      "Fabric could read a part of a file. Do not use this target."),
  RENAME_HAPPENS_ONCE(
      "rename-happens-once",
      "a rename that arrives again after it was carried out changes nothing",
      "A repeated request could damage a published file. Do not use this target."),
  LIST_IS_CURRENT(
      "list-is-current",
      "a list shows every file whose rename was answered before the list was sent",
      "A start could overlook files that are published, and a run could miss that it is fenced: keep"
          + " only one run, and expect tables to stop with a conflict."),
  FLUSH_CHECKS_LENGTH(
      "flush-checks-length",
      "a flush at a length that the appended bytes do not add up to is refused",
      "A file of which bytes were lost on the way could be published. Do not use this target."),
  APPEND_REPEATS(
      "append-repeats",
      "the same bytes appended again at the same place stand there once",
      "An upload that is repeated after a lost answer could publish a damaged file. Do not use this"
          + " target."),
  LATE_APPEND_IS_HARMLESS(
      "late-append-is-harmless",
      "an append that arrives again after its flush changes nothing",
      "A request that is carried out late could damage a file. Do not use this target."),
  RENAMED_FILE_IS_FINAL(
      "renamed-file-is-final",
      "an append or a flush under a file's old name changes neither the file nor the old name",
      "A request that is carried out late could damage a published file. Do not use this target."),
  TAIL_IS_READ(
      "tail-is-read",
      "a ranged read gives exactly the bytes asked for, and the length in a HEAD is right",
      "The agent cannot read what its last file says, and its tables stop when they are opened."),
  ETAG_NAMES_FILE(
      "etag-names-file",
      "another file under the same name has another etag",
      "A run could take a folder that was filled anew for its own. Keep only one run."),
  ETAG_STAYS(
      "etag-stays",
      "the etag in the answer to a rename is the one in the list",
      "Nothing is at risk: a look at a folder takes one request more."),
  DELETE_IF_MATCH(
      "delete-if-match",
      "a delete with If-Match leaves another folder of the same name alone",
      "A delete that is carried out late could take a folder that was loaded anew: after hub"
          + " recreate-table, compare the table with hub compare."),
  NAMES_STAY(
      "names-stay",
      "blanks, percent signs and letters beyond ASCII in a name stay what they are",
      "Tables with such names cannot be used here; give them other names."),
  FABRIC_TAKES_CHAIN_ENTRY(
      "fabric-takes-chain-entry",
      "a footer entry that Fabric does not know is harmless",
      "Fabric takes no file of this agent. Do not use this target, and report this."),
  FABRIC_TAKES_ZERO_ROWS(
      "fabric-takes-zero-rows",
      "Fabric takes a file without rows",
      "Empty tables, handed-over tables and tables that start over would stand still in Fabric."),
  FABRIC_SKIPS_UPLOADS(
      "fabric-skips-uploads",
      "Fabric does not read files whose names begin with an underscore",
      "Rows would show up twice, or before their time. Do not use this target."),
  FABRIC_WAITS_WITH_CLEAN_UP(
      "fabric-waits-with-clean-up",
      "Fabric leaves a file in place for more than ten seconds after it appeared",
      "Of two runs alive, the older one could publish where nobody reads. Keep only one run."),
  FABRIC_KEEPS_LAST_FILE(
      "fabric-keeps-last-file",
      "Fabric leaves the last file in the folder",
      "The agent looks for its last file in the clean-up folders then, and a table stops once those"
          + " are emptied, after about a week without changes."),
  FABRIC_READS_NUMBER_ONCE(
      "fabric-reads-number-once",
      "Fabric does not read a number again that it has processed",
      "A rename that is carried out very late could show its rows twice. Keep only one run."),
  FABRIC_TAKES_COLUMN_NAMES(
      "fabric-takes-column-names",
      "Fabric takes column names with blanks, punctuation and letters beyond ASCII, and of 128"
          + " characters",
      "A table with such a name stops in Fabric, and hub status shows its error: rename the column,"
          + " or leave it out."),
  FABRIC_TAKES_WIDE_TABLES(
      "fabric-takes-wide-tables",
      "Fabric takes a table of 1,024 columns",
      "A table with more columns than Fabric takes stops there, and hub status shows its error:"
          + " leave some out."),
  FABRIC_TAKES_NULL_KEYS(
      "fabric-takes-null-keys",
      "Fabric takes a row whose key is NULL",
      "Nothing is at risk: the agent publishes no such row, and says so of its table.");

  private final String id;
  private final String assumption;
  private final String consequence;

  Probe(String id, String assumption, String consequence) {
    this.id = id;
    this.assumption = assumption;
    this.consequence = consequence;
  }

  /** Stable, for scripts and pages. */
  String id() {
    return id;
  }

  /** What is taken for granted. */
  String assumption() {
    return assumption;
  }

  /** What it means for a user that it does not hold. */
  String consequence() {
    return consequence;
  }

  /**
   * Whether nothing is at risk when it does not hold, or nothing but tables that show it by
   * standing still.
   */
  boolean costsOnly() {
    return this == ETAG_STAYS || LimitProbes.ALL.contains(this);
  }
}
