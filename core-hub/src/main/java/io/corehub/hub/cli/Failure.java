package io.corehub.hub.cli;

/** A command cannot do what was asked and a person must change something. */
final class Failure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  Failure(String message) {
    super(message);
  }

  Failure(String message, Throwable cause) {
    super(message, cause);
  }
}
