package io.corehub.storage;

import io.corehub.agent.ErrorCode;

/** A storage did not do what it was asked. Names the file and says what to change. Immutable. */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final boolean passing;

  /**
   * A failure.
   *
   * @param code kind
   * @param passing whether it may be over later
   * @param message one sentence or two, without secrets
   * @param cause what was caught
   */
  public StoreException(ErrorCode code, boolean passing, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.passing = passing;
  }

  /**
   * A failure without a cause, which does not pass.
   *
   * @param code kind
   * @param message one sentence or two, without secrets
   */
  public StoreException(ErrorCode code, String message) {
    super(message);
    this.code = code;
    this.passing = false;
  }

  /**
   * The kind.
   *
   * @return a code
   */
  public ErrorCode code() {
    return code;
  }

  /**
   * Whether it may be over later.
   *
   * @return false if a person must act
   */
  public boolean passing() {
    return passing;
  }
}
