package io.corehub.cycles;

/** Where a table of a combined job stands between its load and its changes. */
enum Phase {
  /** The truncation that a load begins with. */
  TRUNCATION(0),
  /** Rows of the load. */
  LOAD(1),
  /** Changes captured while the load ran. */
  DURING_LOAD(2),
  /** Changes captured after the load, before the table had caught up. */
  BACKLOG(3),
  /** Changes since. Tables of incremental jobs are always here. */
  CDC(4);

  private final int code;

  Phase(int code) {
    this.code = code;
  }

  /** The number in the prefix, 0 to 4. */
  int code() {
    return code;
  }

  /**
   * The phase of a number.
   *
   * @param code 0 to 4
   */
  static Phase ofCode(int code) {
    for (Phase phase : values()) {
      if (phase.code == code) {
        return phase;
      }
    }
    throw new IllegalArgumentException("There is no phase " + code);
  }
}
