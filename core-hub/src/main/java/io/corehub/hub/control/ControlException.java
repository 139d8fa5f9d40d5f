package io.corehub.hub.control;

/** The running hub did not do what a command asked for; the message says why and what to do. */
public final class ControlException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Trouble without a cause.
   *
   * @param message what happened and what to do
   */
  public ControlException(String message) {
    super(message);
  }

  /**
   * Trouble with a cause.
   *
   * @param message what happened and what to do
   * @param cause what was caught
   */
  public ControlException(String message, Throwable cause) {
    super(message, cause);
  }
}
