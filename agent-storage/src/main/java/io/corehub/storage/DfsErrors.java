package io.corehub.storage;

import io.corehub.agent.ErrorCode;
import io.corehub.onelake.DfsException;

/** What a failed request means to a host. Pure. */
public final class DfsErrors {

  private DfsErrors() {}

  /**
   * The kind of trouble.
   *
   * @param failure a failed request
   * @return its code
   */
  public static ErrorCode codeOf(DfsException failure) {
    if (failure.fileVanished()) {
      return ErrorCode.CONFLICT;
    }
    return switch (failure.kind()) {
      case SIGN_IN_REFUSED -> ErrorCode.SIGN_IN;
      case UNAUTHORIZED, FORBIDDEN -> ErrorCode.ACCESS;
      case NOT_FOUND, PARENT_NOT_FOUND, CONTAINER_NOT_FOUND, SOURCE_NOT_FOUND ->
          ErrorCode.TARGET_MISSING;
      case TLS, NOT_ONELAKE, CONDITION_IGNORED, UNEXPECTED_ANSWER -> ErrorCode.NOT_THE_TARGET;
      case THROTTLED,
          TRANSIENT,
          CAPACITY_PAUSED,
          TIMEOUT,
          CONNECTION_LOST,
          HOST_UNREACHABLE,
          CLOSED ->
          ErrorCode.TARGET_UNAVAILABLE;
      case ALREADY_EXISTS, CONDITION_NOT_MET, CONFLICT -> ErrorCode.CONFLICT;
      case INVALID_FLUSH_POSITION, BAD_REQUEST -> ErrorCode.INTERNAL;
    };
  }
}
