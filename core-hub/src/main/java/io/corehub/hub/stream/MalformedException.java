package io.corehub.hub.stream;

/** A line cannot be read as what it should be; the message is the reason, without the place. */
final class MalformedException extends Exception {

  private static final long serialVersionUID = 1L;

  MalformedException(String reason) {
    super(reason, null, false, false);
  }
}
