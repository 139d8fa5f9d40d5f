package io.corehub.agent;

/**
 * Trouble that an agent reports. Its kind says who acts next; its message says what happened, with
 * which value, and what to change. No message holds a secret; each stays on one line, with control
 * and direction characters of names and values written as escapes.
 */
public abstract sealed class AgentException extends RuntimeException
    permits RetryLaterException, ActionRequiredException, TableStoppedException {

  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  AgentException(ErrorCode code, String message, Throwable cause) {
    super(OneLine.of(message), cause);
    this.code = code;
  }

  AgentException(ErrorCode code, String message) {
    super(OneLine.of(message));
    this.code = code;
  }

  /**
   * The kind of trouble.
   *
   * @return the code
   */
  public final ErrorCode code() {
    return code;
  }
}
