package io.corehub.storage;

import io.corehub.onelake.DfsClient;
import io.corehub.runtime.UploadSlots;
import io.corehub.runtime.Workers;

/**
 * What the uploads to one storage share. Thread-safe.
 *
 * @param client sends single requests
 * @param workers threads
 * @param slots bounds what is uploaded at a time
 * @param blockBytes size of an upload block
 * @param blockConcurrency blocks of one file in flight
 * @param close whether the last flush closes a file
 */
public record UploadRoom(
    DfsClient client,
    Workers workers,
    UploadSlots slots,
    int blockBytes,
    int blockConcurrency,
    boolean close) {

  /**
   * Deletes a leftover in the background, if it can be; what stays is ignored by readers for its
   * name.
   *
   * @param file path of a temporary file
   */
  public void discard(String file) {
    workers
        .uploads()
        .execute(
            () -> {
              try {
                Leftovers.delete(client, file);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }
}
