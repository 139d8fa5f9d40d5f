package io.corehub.agent.observe;

import io.corehub.agent.ProgressListener;
import java.util.Optional;

/**
 * Watches one run of a pipeline. Never stops or delays it: no method throws, and all but {@link
 * #close()} return at once. A host that meets an exception nevertheless goes on without the
 * observer.
 *
 * <p>{@link #started()} comes when the agent is open, before or among the news of its tables;
 * {@link #ended} after the last of them, and then {@link #close()}. Calls come from any thread.
 */
public interface PipelineObserver extends ProgressListener, AutoCloseable {

  /** The source can be read and the agent is open. */
  void started();

  /**
   * Nothing will be published any more.
   *
   * @param problem why the pipeline failed; empty if it was stopped or all is done
   */
  void ended(Optional<String> problem);

  /** Ends the observer, within the time its settings allow. Idempotent. */
  @Override
  void close();
}
