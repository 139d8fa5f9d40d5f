package io.corehub.storage.probe;

/** What agents take for granted of the storage they write to. */
public enum StorageProbe implements Assumption {
  /** A folder appears with the first file created in it. */
  FOLDER_WITH_FILE(
      "folder-with-first-file",
      "a folder appears with the first file created in it",
      "No table can be started here."),
  /** A create with If-None-Match: * never empties a file. */
  CREATE_KEEPS_FILE(
      "create-keeps-file",
      "a create with If-None-Match: * never empties a file",
      "An upload could empty one that is about to be published. Do not use this target."),
  /** No condition that is sent is among x-ms-rejected-headers. */
  CONDITIONS_HEARD(
      "conditions-heard",
      "no condition that is sent is among x-ms-rejected-headers",
      "The agent publishes nothing on such an answer: nothing is lost, but nothing lands."),
  /** A rename with If-None-Match: * never replaces a file. */
  RENAME_KEEPS_FILE(
      "rename-keeps-file",
      "a rename with If-None-Match: * never replaces a file",
      "Two runs, or one after a lost answer, could replace each other's files. Do not use this"
          + " target."),
  /** A rename is atomic. */
  RENAME_IS_ATOMIC(
      "rename-is-atomic",
      "a rename is atomic",
      "Fabric could read a part of a file. Do not use this target."),
  /** A rename that arrives again after it was carried out changes nothing. */
  RENAME_HAPPENS_ONCE(
      "rename-happens-once",
      "a rename that arrives again after it was carried out changes nothing",
      "A repeated request could damage a published file. Do not use this target."),
  /** A list shows every file whose rename was answered before the list was sent. */
  LIST_IS_CURRENT(
      "list-is-current",
      "a list shows every file whose rename was answered before the list was sent",
      "A start could overlook files that are published, and a run could miss that it is fenced: keep"
          + " only one run, and expect it to stop with a conflict."),
  /** A flush at a length that the appended bytes do not add up to is refused. */
  FLUSH_CHECKS_LENGTH(
      "flush-checks-length",
      "a flush at a length that the appended bytes do not add up to is refused",
      "A file of which bytes were lost on the way could be published. Do not use this target."),
  /** The same bytes appended again at the same place stand there once. */
  APPEND_REPEATS(
      "append-repeats",
      "the same bytes appended again at the same place stand there once",
      "An upload that is repeated after a lost answer could publish a damaged file. Do not use this"
          + " target."),
  /** An append that arrives again after its flush changes nothing. */
  LATE_APPEND_IS_HARMLESS(
      "late-append-is-harmless",
      "an append that arrives again after its flush changes nothing",
      "A request that is carried out late could damage a file. Do not use this target."),
  /** An append or a flush under a file's old name changes neither the file nor the old name. */
  RENAMED_FILE_IS_FINAL(
      "renamed-file-is-final",
      "an append or a flush under a file's old name changes neither the file nor the old name",
      "A request that is carried out late could damage a published file. Do not use this target."),
  /** A ranged read gives exactly the bytes asked for, and the length in a HEAD is right. */
  TAIL_IS_READ(
      "tail-is-read",
      "a ranged read gives exactly the bytes asked for, and the length in a HEAD is right",
      "The agent cannot read what its own files say, and stops when it starts."),
  /** Another file under the same name has another etag. */
  ETAG_NAMES_FILE(
      "etag-names-file",
      "another file under the same name has another etag",
      "A run could take a folder that was filled anew for its own. Keep only one run."),
  /** The etag in the answer to a rename is the one in the list. */
  ETAG_STAYS(
      "etag-stays",
      "the etag in the answer to a rename is the one in the list",
      "Nothing is at risk: a look at a folder takes one request more."),
  /** A delete with If-Match leaves another folder of the same name alone. */
  DELETE_IF_MATCH(
      "delete-if-match",
      "a delete with If-Match leaves another folder of the same name alone",
      "A delete that is carried out late could take a folder that was loaded anew: after hub"
          + " recreate-table, compare the table with hub compare."),
  /** Blanks, percent signs and letters beyond ASCII in a name stay what they are. */
  NAMES_STAY(
      "names-stay",
      "blanks, percent signs and letters beyond ASCII in a name stay what they are",
      "Tables with such names cannot be used here; give them other names.");

  private final String id;
  private final String assumption;
  private final String consequence;

  StorageProbe(String id, String assumption, String consequence) {
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
    return this == ETAG_STAYS;
  }
}
