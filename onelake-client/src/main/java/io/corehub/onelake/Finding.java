package io.corehub.onelake;

/**
 * One result of {@link SetupCheck}. Immutable.
 *
 * @param passed whether this is as it should be
 * @param message one sentence; for a failure it says what to change
 */
public record Finding(boolean passed, String message) {}
