package io.corehub.lineage;

import io.openlineage.client.OpenLineage.RunEvent;

/** Where events go. Used by one thread at a time. */
interface EventSink {

  /**
   * Sends an event; may take as long as it takes.
   *
   * @throws RefusedEventException if this event will never be taken
   * @throws Exception if it was not sent, or it is not known whether it was
   */
  void send(RunEvent event) throws Exception;

  /**
   * Whether its configuration switches a facet off. The client does that itself only if it is
   * configured before the first event of the process.
   */
  boolean leavesOut(String facet);

  /**
   * Lets go of the way to the catalogue.
   *
   * @throws Exception if that fails
   */
  void close() throws Exception;

  /** Opens a sink. */
  interface Opener {
    /**
     * Opens it.
     *
     * @throws Exception if its configuration cannot be used
     */
    EventSink open() throws Exception;
  }

  /** The catalogue does not take an event, and would not take it later either. */
  final class RefusedEventException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedEventException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
