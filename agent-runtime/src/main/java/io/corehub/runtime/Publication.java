package io.corehub.runtime;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * The way of one sealed file to the target, in two phases. An {@link UploadLane} calls one method
 * at a time; a phase that is not done is called again and goes on where it was.
 */
public interface Publication {

  /** What came of a call. */
  sealed interface Step {
    /** The phase is complete. */
    record Done() implements Step {}

    /**
     * Not now; call again after a pause.
     *
     * @param pause how long to wait
     */
    record Again(Duration pause) implements Step {}

    /**
     * Call again when something else is complete, whether it succeeded or failed.
     *
     * @param other what to wait for
     */
    record After(CompletionStage<?> other) implements Step {}
  }

  /**
   * Memory that an upload of it holds.
   *
   * @return bytes
   */
  long bytes();

  /**
   * Brings the bytes to the target without making them visible. Files of a lane may be in this
   * phase at the same time.
   *
   * @return what came of it
   * @throws InterruptedException if the thread was interrupted
   */
  Step upload() throws InterruptedException;

  /**
   * Makes the file visible. Called only when every file before it in the lane is visible.
   *
   * @return what came of it
   * @throws InterruptedException if the thread was interrupted
   */
  Step publish() throws InterruptedException;

  /** Gives up a file that will not be published: frees what it holds. Called at most once. */
  void abandon();
}
