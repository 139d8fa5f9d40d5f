package io.corehub.agent;

import java.util.Objects;

/**
 * One result of {@link TargetAgent#check()}. Immutable.
 *
 * @param severity how bad it is
 * @param message one sentence; for anything but OK it names what to change
 */
public record Finding(Severity severity, String message) {

  /** How bad a finding is. */
  public enum Severity {
    /** As it should be. */
    OK,
    /** Works, but a person should look. */
    WARNING,
    /** Does not work. */
    ERROR
  }

  /** Checks the parts. */
  public Finding {
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(message, "message");
  }
}
