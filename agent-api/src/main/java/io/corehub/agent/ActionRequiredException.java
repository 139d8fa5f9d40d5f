package io.corehub.agent;

/** A person must change something before the agent can work. */
public final class ActionRequiredException extends AgentException {

  private static final long serialVersionUID = 1L;

  /**
   * Trouble with a cause.
   *
   * @param code kind
   * @param message what happened and what to change
   * @param cause what was caught
   */
  public ActionRequiredException(ErrorCode code, String message, Throwable cause) {
    super(code, message, cause);
  }

  /**
   * Trouble without a cause.
   *
   * @param code kind
   * @param message what happened and what to change
   */
  public ActionRequiredException(ErrorCode code, String message) {
    super(code, message);
  }
}
