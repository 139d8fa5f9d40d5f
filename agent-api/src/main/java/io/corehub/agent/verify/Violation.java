package io.corehub.agent.verify;

import java.util.Objects;

/**
 * A rule of a target's contract that something in the target breaks. Immutable.
 *
 * @param severity how bad it is
 * @param rule stable id of the rule
 * @param table table, written as in change-stream files; empty when none is concerned
 * @param file path of the file or directory below the target's root; empty when none is concerned
 * @param message what is wrong, with the value, and what to do
 */
public record Violation(Severity severity, String rule, String table, String file, String message) {

  /** How bad a violation is. */
  public enum Severity {
    /** The target's reader would stop at it, lose rows, or misread them. */
    ERROR,
    /** A leftover, bad style, or something that cannot be judged. */
    REMARK
  }

  /** Checks the parts. */
  public Violation {
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(message, "message");
  }
}
