package io.corehub.cycles;

/** Where a table of a combined job stands between its load and its changes. */
enum Phase {
  /** The truncation that a load begins with. */
  TRUNCATION,
  /** Rows of the load. */
  LOAD,
  /** Changes captured while the load ran. */
  DURING_LOAD,
  /** Changes captured after the load, before the table had caught up. */
  BACKLOG,
  /** Changes since. Tables of incremental jobs are always here. */
  CDC;

  /** The number in the prefix, 0 to 4. */
  int code() {
    return ordinal();
  }

  /**
   * The phase of a number.
   *
   * @param code 0 to 4
   */
  static Phase ofCode(int code) {
    if (code < 0 || code > CDC.code()) {
      throw new IllegalArgumentException("There is no phase " + code);
    }
    return values()[code];
  }
}
