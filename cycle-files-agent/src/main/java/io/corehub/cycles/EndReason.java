package io.corehub.cycles;

/** Why a cycle ended, in the words of completed files. */
enum EndReason {
  /** A commit came after the change limit or the interval was reached. */
  NORMAL_COMMIT,
  /** The interval, or the time of low activity, ran out after a commit; or the job was stopped. */
  NORMAL_EXPIRY,
  /** The loads of all tables ended. */
  INITIAL_LOAD_COMPLETED,
  /** What was captured during the loads was processed. */
  BACKLOG_COMPLETED,
  /** A table is loaded anew. */
  RESYNC_STARTED
}
