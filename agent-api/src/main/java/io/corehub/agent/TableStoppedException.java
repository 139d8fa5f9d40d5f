package io.corehub.agent;

import io.corehub.agent.table.TableId;

/** One table stopped and a person must act; the agent's other tables go on. */
public final class TableStoppedException extends AgentException {

  private static final long serialVersionUID = 1L;

  private final transient TableId table;

  /**
   * A stop with a cause.
   *
   * @param table the table
   * @param code kind
   * @param message what happened and what to change; names the table
   * @param cause what was caught
   */
  public TableStoppedException(TableId table, ErrorCode code, String message, Throwable cause) {
    super(code, message, cause);
    this.table = table;
  }

  /**
   * A stop without a cause.
   *
   * @param table the table
   * @param code kind
   * @param message what happened and what to change; names the table
   */
  public TableStoppedException(TableId table, ErrorCode code, String message) {
    super(code, message);
    this.table = table;
  }

  /**
   * The table that stopped.
   *
   * @return its identity
   */
  public TableId table() {
    return table;
  }
}
