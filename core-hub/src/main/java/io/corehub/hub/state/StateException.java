package io.corehub.hub.state;

/** The state directory cannot be used and a person must act; the message says what to change. */
public final class StateException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Trouble without a cause.
   *
   * @param message what happened and what to change
   */
  public StateException(String message) {
    super(message);
  }

  /**
   * Trouble with a cause.
   *
   * @param message what happened and what to change
   * @param cause what was caught
   */
  public StateException(String message, Throwable cause) {
    super(message, cause);
  }
}
