package io.corehub.agent;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a target says of a table after the files were published: how far it got with them.
 * Immutable.
 *
 * @param condition what it comes to
 * @param state the target's own word, such as {@code Replicating}; empty if it says nothing
 * @param error the target's own words for what went wrong; empty for nothing
 * @param file the published file at which the target stands; empty if it does not stand or the file
 *     is not known
 * @param fileInferred whether {@code file} was concluded from what lies in the target, not named by
 *     it
 * @param operations inserts, updates and deletes the target has applied, added up: never a number
 *     of rows; empty if it does not say
 * @param lastSync when the target last applied something; empty if it does not say
 * @param filesWaiting published files it has not applied; empty if that is not known
 * @param waitingSince when the oldest of them was published; empty if there is none
 * @param seen when the target was last looked at with success
 * @param problem what a person should know and do, as one message; empty if nothing
 */
public record TargetReport(
    Condition condition,
    String state,
    String error,
    Optional<String> file,
    boolean fileInferred,
    OptionalLong operations,
    Optional<Instant> lastSync,
    OptionalInt filesWaiting,
    Optional<Instant> waitingSince,
    Instant seen,
    Optional<String> problem) {

  /** What a target's state comes to. */
  public enum Condition {
    /** It does not say, or does not know the table yet. */
    UNKNOWN,
    /** It takes the files. */
    CONSUMING,
    /** Files have waited too long while nothing moved. */
    NOT_CONSUMING,
    /** Somebody stopped or paused it. */
    HALTED,
    /** It stopped with an error and waits for a person. */
    FAILED;

    /**
     * Whether a person must do something before files are taken again.
     *
     * @return true if so
     */
    public boolean needsPerson() {
      return this == NOT_CONSUMING || this == HALTED || this == FAILED;
    }
  }

  /** Checks the parts. */
  public TargetReport {
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(error, "error");
    Objects.requireNonNull(seen, "seen");
  }
}
