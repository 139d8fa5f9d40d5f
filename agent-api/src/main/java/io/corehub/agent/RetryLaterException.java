package io.corehub.agent;

/** The target cannot be used right now; the same call may succeed later, with nothing changed. */
public final class RetryLaterException extends AgentException {

  private static final long serialVersionUID = 1L;

  /**
   * Trouble with a cause.
   *
   * @param code kind
   * @param message what happened and what to change
   * @param cause what was caught
   */
  public RetryLaterException(ErrorCode code, String message, Throwable cause) {
    super(code, message, cause);
  }

  /**
   * Trouble without a cause.
   *
   * @param code kind
   * @param message what happened and what to change
   */
  public RetryLaterException(ErrorCode code, String message) {
    super(code, message);
  }
}
