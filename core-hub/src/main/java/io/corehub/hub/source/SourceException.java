package io.corehub.hub.source;

/**
 * The source cannot go on and a person must change something. The message says where it stands
 * (file and line, host and database), with which value, and what to change; it holds no secret.
 */
public final class SourceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Trouble without a cause.
   *
   * @param message what happened and what to change
   */
  public SourceException(String message) {
    super(message);
  }

  /**
   * Trouble with a cause.
   *
   * @param message what happened and what to change
   * @param cause what was caught
   */
  public SourceException(String message, Throwable cause) {
    super(message, cause);
  }
}
