package io.corehub.emulator.internal.store;

import java.time.Instant;

/**
 * A committed file or a directory. Immutable.
 *
 * @param path segments joined by {@code /}, without a leading one
 * @param length in bytes; 0 for a directory
 * @param etag without quotes; kept by a rename, new after every change of content
 */
public record Entry(
    String path, boolean directory, long length, Instant lastModified, String etag) {

  /** The last segment. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
