package io.corehub.onelake.memory;

import java.util.Optional;

/**
 * What may go wrong with requests to an {@link InMemoryDfsClient}. Called on the thread of the
 * request, outside any lock, so that it may block, use other clients of the same file system, or
 * throw a {@link io.corehub.onelake.DfsException}, which then is the outcome of the request. Must
 * be thread-safe when the client is shared.
 */
public interface Faults {
  /** Nothing goes wrong. */
  Faults NONE = new Faults() {};

  /** The kinds of requests. */
  enum Operation {
    HEAD,
    LIST,
    CREATE,
    CREATE_DIRECTORY,
    APPEND,
    FLUSH,
    RENAME,
    READ,
    DELETE
  }

  /**
   * One request.
   *
   * @param operation what it asks for
   * @param path the path it is about; the destination of a rename
   * @param source the source of a rename, otherwise empty
   */
  record Request(Operation operation, String path, Optional<String> source) {}

  /** Called before the request is carried out; throwing keeps it from being carried out. */
  default void before(Request request) throws InterruptedException {}

  /** Called after the request was carried out with success; throwing loses its answer. */
  default void after(Request request) throws InterruptedException {}
}
