package io.corehub.agent;

/** How much of the old row an update or delete carries. */
public enum BeforeImage {
  /** Nothing: no UPDATE_BEFORE rows; deletes carry the key columns. */
  NONE,
  /** The key columns; an update that keeps its key has no UPDATE_BEFORE row. */
  KEY,
  /** Every column the source delivers. */
  FULL
}
