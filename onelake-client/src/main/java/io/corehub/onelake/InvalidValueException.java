package io.corehub.onelake;

/**
 * A value that a person entered cannot be used. Its message says what is wrong and what to enter
 * instead; it never repeats a query string, a user name or a secret of the value.
 */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidValueException(String message) {
    super(message);
  }

  public InvalidValueException(String message, Throwable cause) {
    super(message, cause);
  }
}
