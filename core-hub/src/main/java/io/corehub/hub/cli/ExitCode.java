package io.corehub.hub.cli;

/** What the process ends with. */
final class ExitCode {

  static final int DONE = 0;
  static final int ACTION_REQUIRED = 1;
  static final int USAGE = 2;
  static final int UNEXPECTED = 3;

  private ExitCode() {}
}
