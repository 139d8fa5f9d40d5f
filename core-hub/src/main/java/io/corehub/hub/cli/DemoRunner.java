package io.corehub.hub.cli;

/**
 * Runs the demo. Found by {@link java.util.ServiceLoader}, so that only the demo loads its parts.
 */
public interface DemoRunner {

  /**
   * Runs the demo until its time is over or the thread is interrupted. Results go to standard
   * output, progress to standard error.
   *
   * @param options what the user asked for
   * @return exit code of the process
   * @throws InterruptedException if interrupted
   */
  int run(DemoOptions options) throws InterruptedException;
}
