package io.corehub.agent;

/** What a row of {@link RowChanges} is. */
public enum ChangeKind {
  /** The row that was inserted. */
  INSERT(0),
  /** The row an update replaces; stands right before its UPDATE_AFTER. */
  UPDATE_BEFORE(1),
  /** The row after an update; without an UPDATE_BEFORE right before it, the update kept the key. */
  UPDATE_AFTER(2),
  /** The row that was deleted; at least its key columns are set. */
  DELETE(3);

  private static final ChangeKind[] ALL = values();

  private final byte code;

  ChangeKind(int code) {
    this.code = (byte) code;
  }

  /**
   * The kind as {@link RowChanges} stores it.
   *
   * @return a small number
   */
  public byte code() {
    return code;
  }

  /**
   * The kind of a code.
   *
   * @param code what {@link #code()} gave
   * @return the kind
   */
  public static ChangeKind ofCode(byte code) {
    return ALL[code];
  }
}
