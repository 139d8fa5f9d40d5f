package io.corehub.hub.web;

/** The web server cannot start; the message says what to change. */
public final class WebException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * A configuration that is not served.
   *
   * @param message what is wrong and what to change
   */
  public WebException(String message) {
    super(message);
  }

  /**
   * Trouble.
   *
   * @param message what happened and what to change
   * @param cause what was caught
   */
  public WebException(String message, Throwable cause) {
    super(message, cause);
  }
}
