package io.corehub.hub.stream;

/** A value was read but does not fit its column; the message is the reason, without the column. */
final class UnfitException extends Exception {

  private static final long serialVersionUID = 1L;

  UnfitException(String reason) {
    super(reason, null, false, false);
  }
}
