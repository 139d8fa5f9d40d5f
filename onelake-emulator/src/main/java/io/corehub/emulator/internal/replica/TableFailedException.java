package io.corehub.emulator.internal.replica;

import java.io.IOException;

/** A file or its metadata is something that a mirrored table cannot take. */
final class TableFailedException extends IOException {
  private final String code;

  TableFailedException(String code, String message) {
    super(message);
    this.code = code;
  }

  TableFailedException(String code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  String code() {
    return code;
  }
}
