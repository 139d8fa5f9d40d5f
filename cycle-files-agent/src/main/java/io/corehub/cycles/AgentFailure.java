package io.corehub.cycles;

import io.corehub.agent.ActionRequiredException;
import io.corehub.agent.AgentException;
import io.corehub.agent.ErrorCode;
import io.corehub.agent.RetryLaterException;
import io.corehub.storage.StoreException;

/** What the host is told when the agent cannot go on. Pure. */
final class AgentFailure {

  private AgentFailure() {}

  /** In the host's terms, whatever it was. */
  static AgentException of(Throwable reason) {
    if (reason instanceof AgentException known) {
      return known;
    }
    if (reason instanceof StoreException store) {
      return of(store);
    }
    if (reason instanceof OutOfMemoryError || reason.getCause() instanceof OutOfMemoryError) {
      return new ActionRequiredException(
          ErrorCode.TOO_LARGE,
          "The rows are too large for a heap of "
              + (Runtime.getRuntime().maxMemory() >> 20)
              + " MB. Start again with a larger one (-Xmx): twelve times the largest row.",
          reason);
    }
    return new ActionRequiredException(
        ErrorCode.INTERNAL,
        "Unexpected " + reason + ". This is a defect; report it with the log.",
        reason);
  }

  /** A storage that may serve later, or that a person must see to. */
  static AgentException of(StoreException failure) {
    String message = String.valueOf(failure.getMessage());
    return failure.passing()
        ? new RetryLaterException(failure.code(), message, failure)
        : new ActionRequiredException(failure.code(), message, failure);
  }
}
