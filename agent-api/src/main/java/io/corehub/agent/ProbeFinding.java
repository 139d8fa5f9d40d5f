package io.corehub.agent;

import io.corehub.agent.Finding.Severity;
import java.util.Objects;

/**
 * What came of a probe of a target. Immutable.
 *
 * @param probe stable id of the probe; empty for a finding about the probing itself
 * @param severity OK: the assumption held. ERROR: it does not hold, or a person must do something
 *     before it can be tried. WARNING: it was not decided, or does not hold and costs little
 * @param message one sentence, or a few; for anything but OK what was seen and what follows from it
 */
public record ProbeFinding(String probe, Severity severity, String message) {

  /** Checks the parts. */
  public ProbeFinding {
    Objects.requireNonNull(probe, "probe");
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(message, "message");
  }
}
