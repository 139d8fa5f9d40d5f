package io.corehub.fabric.mirroring;

import io.corehub.agent.TableStoppedException;

/** A table cannot take a commit of the batch; what it has of earlier ones stays good. */
final class StopAtCommitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient TableStoppedException reason;
  private final int commit;

  /**
   * A stop.
   *
   * @param reason why
   * @param commit index of the commit in the batch
   */
  StopAtCommitException(TableStoppedException reason, int commit) {
    super(reason);
    this.reason = reason;
    this.commit = commit;
  }

  TableStoppedException reason() {
    return reason;
  }

  int commit() {
    return commit;
  }
}
