package io.corehub.agent;

/** What kind of trouble an {@link AgentException} reports; stable words for metrics and tests. */
public enum ErrorCode {
  /** A setting is missing or wrong. */
  SETTINGS,
  /** Signing in failed. */
  SIGN_IN,
  /** Signed in, but not allowed to do it. */
  ACCESS,
  /** The target, or the place in it, does not exist. */
  TARGET_MISSING,
  /** The target cannot be reached or does not answer in time. */
  TARGET_UNAVAILABLE,
  /** What answered is not the target. */
  NOT_THE_TARGET,
  /** The table's name or one of its columns' names cannot be used in the target. */
  NAME_REFUSED,
  /**
   * A column's type cannot be held by the target, or changed in a way the target does not follow.
   */
  TYPE_REFUSED,
  /** A value cannot be written exactly. */
  VALUE_REFUSED,
  /** The key columns differ from those the target was told first. */
  KEY_CHANGED,
  /** What lies in the target is not what this pipeline left there. */
  CONFLICT,
  /** Another, newer writer owns the table. */
  FENCED,
  /** The table must be loaded anew. */
  NEEDS_SNAPSHOT,
  /** The source is not the one the target was filled from. */
  SOURCE_REPLACED,
  /** A row or commit is larger than what can be handled. */
  TOO_LARGE,
  /** The hub stopped the table, for a reason of the source's side. */
  SOURCE_DATA,
  /** A defect of the software. */
  INTERNAL
}
