package io.corehub.hub.debezium;

/** A value of the source cannot be carried exactly. The message names the value, not the table. */
final class ValueRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ValueRefusedException(String message) {
    super(message);
  }

  ValueRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
