package io.corehub.parquet;

import java.io.IOException;

/** Bytes that should be the end of a Parquet file are not, or say what cannot be. */
public final class MalformedFooterException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * A new exception.
   *
   * @param message what is wrong with the bytes
   */
  public MalformedFooterException(String message) {
    super(message);
  }
}
