package io.corehub.cyclereader;

import java.io.IOException;

/** A file is not what the layout says it is; the message names it and says what is wrong. */
public final class CycleFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String file;

  CycleFormatException(String file, String reason) {
    super(file + ": " + reason);
    this.file = file;
  }

  CycleFormatException(String file, String reason, Throwable cause) {
    super(file + ": " + reason, cause);
    this.file = file;
  }

  /**
   * The file.
   *
   * @return its path below the connection folder
   */
  public String file() {
    return file;
  }

  /** What is wrong, without the file. */
  String reason() {
    return String.valueOf(getMessage()).substring(file.length() + 2);
  }
}
