package io.corehub.verify;

/** A file is no whole Parquet file; the message says why. */
final class UnreadableFileException extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
